// Combinations in lexicographic order: how many there are, and the one of a given number.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace elc {

constexpr int64_t kMostCombinations = INT64_MAX / 64;

// C(n, r), or `limit` where it is larger.
inline int64_t count_combinations(int64_t n, int64_t r, int64_t limit = kMostCombinations) {
    if (r < 0 || r > n) return 0;
    double estimate = 1;
    int64_t result = 1;
    for (int64_t i = 1; i <= r; ++i) {
        const int64_t factor = n - r + i;
        estimate = estimate * static_cast<double>(factor) / static_cast<double>(i);
        if (estimate > static_cast<double>(limit)) return limit;
        if (estimate < static_cast<double>(INT64_MAX / 2 / r)) {
            result = result * factor / i;
            continue;
        }
        const int64_t common = std::gcd(result, i);  // i / common divides the factor: nothing overflows
        result = result / common * (factor / (i / common));
    }
    return result;
}

// The last beginning of which, among the combinations of r numbers from `first` on, not more than `number` begin before
// it; `all` are these combinations.
inline int last_beginning(int64_t number, int first, int n, int r, int64_t all) {
    int low = first, high = n - r;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (all - count_combinations(n - middle, r) <= number) low = middle;
        else high = middle - 1;
    }
    return low;
}

inline std::vector<int> combination_at(int64_t number, int n, int r) {
    std::vector<int> combination;
    combination.reserve(r);
    int next = 0;
    for (int left = r; left > 0; --left) {
        const int64_t all = count_combinations(n - next, left);
        if (all < kMostCombinations) {
            next = last_beginning(number, next, n, left, all);
            number -= all - count_combinations(n - next, left);
        }
        for (;; ++next) {
            const int64_t starting_here = count_combinations(n - next - 1, left - 1);
            if (number < starting_here) break;
            number -= starting_here;
        }
        combination.push_back(next++);
    }
    return combination;
}

// The next choice in lexicographic order; false after the last.
inline bool next_combination(std::vector<int>& chosen, int n) {
    const int d = static_cast<int>(chosen.size());
    int i = d - 1;
    while (i >= 0 && chosen[i] == n - d + i) --i;
    if (i < 0) return false;
    ++chosen[i];
    for (int j = i + 1; j < d; ++j) chosen[j] = chosen[j - 1] + 1;
    return true;
}

}  // namespace elc
