// The features that a node may use, drawn by a hash of its seed: nothing depends on the order in which nodes are grown.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace elc {

constexpr uint64_t kSplitMix = 0x9e3779b97f4a7c15ULL;

// The finaliser of splitmix64.
inline uint64_t split_mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    return z ^ z >> 31;
}

// The seed of a node's left (0) or right (1) child.
inline uint64_t child_seed(uint64_t seed, uint64_t turn) { return split_mix((2 * seed + turn + 1) * kSplitMix); }

// Features in the order of their keys at a node, taken a few at a time.
class NodeFeatures {
public:
    NodeFeatures(int n_features, int per_draw) : n_(n_features), per_draw_(per_draw), keys_(n_features) {}

    void begin(uint64_t seed) {
        next_ = 0;
        if (per_draw_ >= n_) return;
        for (int j = 0; j < n_; ++j) keys_[j] = {split_mix(seed + (static_cast<uint64_t>(j) + 1) * kSplitMix), j};
        std::sort(keys_.begin(), keys_.end());
    }

    // Draws the next features, ascending; false when there are none left.
    bool draw(std::vector<int32_t>& features) {
        if (next_ >= n_) return false;
        const int end = std::min(next_ + per_draw_, n_);
        features.resize(end - next_);
        for (int i = next_; i < end; ++i) features[i - next_] = per_draw_ >= n_ ? i : keys_[i].second;
        std::sort(features.begin(), features.end());
        next_ = end;
        return true;
    }

private:
    int n_, per_draw_, next_ = 0;
    std::vector<std::pair<uint64_t, int32_t>> keys_;
};

}  // namespace elc
