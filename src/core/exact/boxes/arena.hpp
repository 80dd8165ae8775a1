// Memory for the lists along one path of the search: a stack of blocks whose addresses never move.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "exact/points/aligned.hpp"

namespace elc {

class Arena {
public:
    struct Mark {
        size_t block, used;
    };

    Mark mark() const { return {block_, used_}; }
    void release(Mark mark) { block_ = mark.block, used_ = mark.used; }

    // Room for n elements, at the start of a cache line.
    template <class T>
    T* take(size_t n) {
        const size_t bytes = (n * sizeof(T) + kCacheLine - 1) / kCacheLine * kCacheLine;
        while (block_ < blocks_.size() && used_ + bytes > blocks_[block_].size) ++block_, used_ = 0;
        if (block_ == blocks_.size()) {
            const size_t size = std::max(bytes, std::min(kFirstBlock << std::min<size_t>(block_, 16), kBlock));
            blocks_.push_back({Memory(AlignedAllocator<char>().allocate(size)), size});
            used_ = 0;
        }
        char* result = blocks_[block_].memory.get() + used_;
        used_ += bytes;
        return reinterpret_cast<T*>(result);
    }

private:
    // Small searches, of which there may be many, are content with the first ones.
    static constexpr size_t kFirstBlock = 1 << 14, kBlock = 1 << 19;
    struct Free {
        void operator()(char* p) const { AlignedAllocator<char>().deallocate(p, 0); }
    };
    using Memory = std::unique_ptr<char, Free>;
    struct Block {
        Memory memory;
        size_t size;
    };
    std::vector<Block> blocks_;
    size_t block_ = 0, used_ = 0;
};

}  // namespace elc
