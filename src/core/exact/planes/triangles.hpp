// How nearly singular a triangular matrix is.
#pragma once

#include <vector>

namespace elc {

// Squared Frobenius norm of the inverse of an n x n triangle held in an array of `stride` columns: the upper one with
// its diagonal, or the lower one with ones for a diagonal.
inline double inverse_norm_squared(const double* a, int n, int stride, bool upper) {
    std::vector<double> column(n);
    double total = 0;
    for (int c = 0; c < n; ++c) {
        if (upper) {
            column[c] = 1 / a[c * stride + c];
            for (int i = c - 1; i >= 0; --i) {
                double sum = 0;
                for (int j = i + 1; j <= c; ++j) sum += a[i * stride + j] * column[j];
                column[i] = -sum / a[i * stride + i];
            }
            for (int i = 0; i <= c; ++i) total += column[i] * column[i];
        } else {
            column[c] = 1;
            for (int i = c + 1; i < n; ++i) {
                double sum = 0;
                for (int j = c; j < i; ++j) sum += a[i * stride + j] * column[j];
                column[i] = -sum;
            }
            for (int i = c; i < n; ++i) total += column[i] * column[i];
        }
    }
    return total;
}

}  // namespace elc
