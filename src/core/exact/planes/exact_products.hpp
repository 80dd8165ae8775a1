// Differences of products without rounding error in the products.
#pragma once

namespace elc {

// A product without rounding error: high + low.
struct Product {
    double high, low;
};

// A number in two halves of 26 bits, whose products are exact.
struct Halved {
    explicit Halved(double v) : value(v) {
        const double scaled = 134217729.0 * v;  // 2^27 + 1
        high = scaled - (scaled - v);
        low = v - high;
    }
    double value, high, low;
};

inline Product operator*(const Halved& a, const Halved& b) {
    const double product = a.value * b.value;
    return {product, ((a.high * b.high - product) + a.high * b.low + a.low * b.high) + a.low * b.low};
}

inline double operator-(const Product& a, const Product& b) { return (a.high - b.high) + (a.low - b.low); }

}  // namespace elc
