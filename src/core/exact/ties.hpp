// Splits of equal loss: which partitions of which feature sets they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "exact/found_split.hpp"

namespace elc {

// A partition of rows in 128 bits, the same for both names of its sides.
struct PartitionKey {
    uint64_t first = 0, second = 0;

    bool operator==(const PartitionKey& other) const { return first == other.first && second == other.second; }
    bool operator<(const PartitionKey& other) const {
        return first != other.first ? first < other.first : second < other.second;
    }
    PartitionKey operator+(const PartitionKey& other) const { return {first + other.first, second + other.second}; }
    PartitionKey operator-(const PartitionKey& other) const { return {first - other.first, second - other.second}; }
};

// A hash of 64 bits (MurmurHash3's finaliser).
inline uint64_t mix(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
}

// The share of one row in the key of a partition that has it above.
inline PartitionKey row_key(int row) {
    const uint64_t number = static_cast<uint64_t>(row) + 1;
    return {mix(number), mix(number ^ 0x9e3779b97f4a7c15ULL)};
}

// The key of a partition from the sums of the keys of the rows above and of all rows.
inline PartitionKey partition_key(const PartitionKey& above, const PartitionKey& all) {
    const PartitionKey below = all - above;
    return below < above ? below : above;
}

class Ties {
public:
    struct Tie {
        FoundSplit found;
        PartitionKey key;
    };

    static constexpr size_t kMost = 4096;

    void clear() {
        ties_.clear();
        known_.clear();
        all_kept_ = true;
    }

    bool knows(int64_t subset, const PartitionKey& key) const { return known_.count({subset, key}) > 0; }

    void add(const FoundSplit& found, const PartitionKey& key) {
        if (!known_.insert({found.visit.subset, key}).second) return;
        if (ties_.size() == kMost) all_kept_ = false;
        else ties_.push_back({found, key});
    }

    const std::vector<Tie>& all() const { return ties_; }
    bool all_kept() const { return all_kept_; }

private:
    std::vector<Tie> ties_;
    std::set<std::pair<int64_t, PartitionKey>> known_;  // by feature set
    bool all_kept_ = true;
};

}  // namespace elc
