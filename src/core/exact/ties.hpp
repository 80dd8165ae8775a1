// Splits of equal loss: which partitions of which feature sets they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
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

    // The key with a number in it, which depends on the order of such numbers.
    PartitionKey mixed_with(double number) const;
};

// A hash of 64 bits (MurmurHash3's finaliser).
inline uint64_t mix(uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
}

inline PartitionKey PartitionKey::mixed_with(double number) const {
    uint64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return {mix(first ^ mix(bits)), mix(second + mix(bits ^ 0x9e3779b97f4a7c15ULL))};
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

// A key goes through all rows, and most splits are of a loss that is soon passed: they wait without one. Of a partition
// the split of the earliest visit is kept, so that it does not depend on which thread came first.
class Ties {
public:
    struct Tie {
        FoundSplit found;
        PartitionKey key;
    };
    using KeyOf = std::function<PartitionKey(const FoundSplit&)>;

    static constexpr size_t kMost = 4096;

    explicit Ties(KeyOf key_of) : key_of_(std::move(key_of)) {}

    void clear() {
        waiting_.clear();
        ties_.clear();
        known_.clear();
        all_kept_ = true;
    }

    void add(const FoundSplit& found) {
        for (FoundSplit& other : waiting_)
            if (found.is_same_rule(other)) return take_earlier(other, found);
        waiting_.push_back(found);
        if (waiting_.size() >= kMostWaiting) settle();
    }

    // Whether the partition is known from this visit or an earlier one.
    bool knows(const Visit& visit, const PartitionKey& key) {
        settle();
        const auto known = known_.find({visit.subset, key});
        return known != known_.end() && (known->second == kMost || !visit.before(ties_[known->second].found.visit));
    }

    const std::vector<Tie>& all() {
        settle();
        return ties_;
    }
    bool all_kept() {
        settle();
        return all_kept_;
    }

private:
    static constexpr size_t kMostWaiting = 32;

    static void take_earlier(FoundSplit& kept, const FoundSplit& found) {
        if (found.visit.before(kept.visit)) kept = found;
    }

    // Gives those that wait their keys.
    void settle() {
        for (const FoundSplit& found : waiting_) {
            const PartitionKey key = key_of_(found);
            const auto [known, is_new] = known_.insert({{found.visit.subset, key}, ties_.size()});
            if (is_new && ties_.size() < kMost) ties_.push_back({found, key});
            else if (known->second < kMost) take_earlier(ties_[known->second].found, found);
            else all_kept_ = false;
        }
        waiting_.clear();
    }

    KeyOf key_of_;
    std::vector<FoundSplit> waiting_;
    std::vector<Tie> ties_;
    std::map<std::pair<int64_t, PartitionKey>, size_t> known_;  // by feature set; where it is among the ties, or kMost
    bool all_kept_ = true;
};

}  // namespace elc
