// The planes scored so far that have more points on them than define them: other selections of those are skipped.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/bits.hpp"
#include "exact/node/tolerances.hpp"

namespace elc {

constexpr int kMaskBits = 64;  // selections among so few points are masks of bits

class ScoredPlanes {
public:
    void clear() {
        masks_.clear();
        flags_.clear();
    }

    // Remembers which of the first n points lie on a plane up to rounding, by their values, if they are more than r.
    void remember(const std::vector<double>& values, int n, int r) {
        if (n <= kMaskBits) {
            uint64_t mask = 0;
            for (int i = 0; i < n; ++i) mask |= static_cast<uint64_t>(std::abs(values[i]) <= kCoplanarByRounding) << i;
            if (count_bits(mask) > r) masks_.push_back(mask);
            return;
        }
        std::vector<bool> on(n);
        int n_on = 0;
        for (int i = 0; i < n; ++i) {
            on[i] = std::abs(values[i]) <= kCoplanarByRounding;
            n_on += on[i];
        }
        if (n_on > r) flags_.push_back(std::move(on));
    }

    // Whether the selection lies on a plane that has been remembered.
    bool hold(const std::vector<int>& selection) const {
        if (!masks_.empty()) {
            uint64_t selected = 0;
            for (int i : selection) selected |= uint64_t{1} << i;
            for (uint64_t mask : masks_)
                if ((selected & ~mask) == 0) return true;
        }
        for (const std::vector<bool>& on : flags_) {
            bool inside = true;
            for (size_t i = 0; i < selection.size() && inside; ++i) inside = on[selection[i]];
            if (inside) return true;
        }
        return false;
    }

private:
    std::vector<uint64_t> masks_;
    std::vector<std::vector<bool>> flags_;  // by point, where there are more than kMaskBits
};

}  // namespace elc
