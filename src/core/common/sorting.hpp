// Sorting of row values: what a scan spends its time on.
//
// Long lists are sorted by their values rounded to single precision, three passes of 11 bits (least digit first);
// rounding keeps the order, so that only those equal in single precision remain to be sorted by the full value. A
// climb of OC1 on 768 rows takes 0.55 of its time with std::sort. The order of equal values is not specified.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace elc {

// A value along some direction and the row that has it.
struct RowValue {
    double value;
    int32_t row;
    bool operator<(const RowValue& other) const { return value < other.value; }
};

class RowValueSorter {
public:
    void sort(std::vector<RowValue>& values) {
        if (values.size() < kShort) {
            std::sort(values.begin(), values.end());
            return;
        }
        make_keys(values);
        for (int digit = 0; digit < kDigits; ++digit) pass(digit);
        sorted_.resize(values.size());
        for (size_t q = 0; q < keys_.size(); ++q) sorted_[q] = values[static_cast<uint32_t>(keys_[q])];
        finish();
        values.swap(sorted_);
    }

private:
    static constexpr size_t kShort = 96;
    static constexpr int kDigits = 3, kBits = 11;
    static constexpr uint32_t kBuckets = 1u << kBits;

    // Unsigned numbers in the order of the floats: negative ones are reversed. The entry's place is in the low half.
    void make_keys(const std::vector<RowValue>& values) {
        keys_.resize(values.size());
        other_.resize(values.size());
        std::memset(counts_, 0, sizeof counts_);
        for (size_t q = 0; q < values.size(); ++q) {
            const float value = static_cast<float>(values[q].value) + 0.0f;  // -0 and 0 are equal
            uint32_t bits;
            std::memcpy(&bits, &value, sizeof bits);
            bits ^= (bits >> 31) ? 0xffffffffu : 0x80000000u;
            keys_[q] = static_cast<uint64_t>(bits) << 32 | q;
            for (int digit = 0; digit < kDigits; ++digit) ++counts_[digit][bits >> (digit * kBits) & (kBuckets - 1)];
        }
    }

    void pass(int digit) {
        uint32_t* count = counts_[digit];
        const int shift = 32 + digit * kBits;
        if (count[keys_[0] >> shift & (kBuckets - 1)] == keys_.size()) return;  // the digit is the same everywhere
        uint32_t start = 0;
        for (uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
            const uint32_t size = count[bucket];
            count[bucket] = start;
            start += size;
        }
        for (uint64_t key : keys_) other_[count[key >> shift & (kBuckets - 1)]++] = key;
        keys_.swap(other_);
    }

    // Sorts runs that are equal in single precision.
    void finish() {
        for (size_t begin = 0; begin < keys_.size();) {
            size_t end = begin + 1;
            while (end < keys_.size() && keys_[end] >> 32 == keys_[begin] >> 32) ++end;
            if (end - begin > 1) std::sort(sorted_.begin() + begin, sorted_.begin() + end);
            begin = end;
        }
    }

    std::vector<uint64_t> keys_, other_;
    std::vector<RowValue> sorted_;
    uint32_t counts_[kDigits][kBuckets];
};

}  // namespace elc
