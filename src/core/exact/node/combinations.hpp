// Combinations in lexicographic order: how many there are, and the one of a given number.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace elc {

// C(n, r), or `limit` where it is larger.
inline int64_t count_combinations(int64_t n, int64_t r, int64_t limit = INT64_MAX / 64) {
    if (r < 0 || r > n) return 0;
    double estimate = 1;
    int64_t result = 1;
    for (int64_t i = 1; i <= r; ++i) {
        estimate = estimate * static_cast<double>(n - r + i) / static_cast<double>(i);
        if (estimate > static_cast<double>(limit)) return limit;
        const int64_t common = std::gcd(result, i);  // i / common divides n - r + i: nothing overflows
        result = result / common * ((n - r + i) / (i / common));
    }
    return result;
}

inline std::vector<int> combination_at(int64_t number, int n, int r) {
    std::vector<int> combination;
    int next = 0;
    for (int left = r; left > 0; --left) {
        for (;; ++next) {
            const int64_t starting_here = count_combinations(n - next - 1, left - 1);
            if (number < starting_here) break;
            number -= starting_here;
        }
        combination.push_back(next++);
    }
    return combination;
}

}  // namespace elc
