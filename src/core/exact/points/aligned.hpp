// Arrays whose first element starts a cache line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace elc {

constexpr size_t kCacheLine = 64;

template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}
    T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{kCacheLine})); }
    void deallocate(T* p, size_t) { ::operator delete(p, std::align_val_t{kCacheLine}); }
    template <class U>
    bool operator==(const AlignedAllocator<U>&) const {
        return true;
    }
    template <class U>
    bool operator!=(const AlignedAllocator<U>&) const {
        return false;
    }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace elc
