// Vectors of 64 bytes as arrays, for compilers without vector types. The arithmetic is the same, lane by lane.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/inline.hpp"

namespace elc {
namespace {

template <class T>
struct Vector {
    static constexpr int n = 64 / sizeof(T);
    T lane[n] = {};

    T operator[](int i) const { return lane[i]; }
};

template <class T>
using Mask = Vector<std::conditional_t<sizeof(T) == 4, int32_t, int64_t>>;  // -1 where something holds, 0 elsewhere

// Applies an operation lane by lane.
template <class T, class Lane>
ELC_INLINE Vector<T> each(const Lane& lane) {
    Vector<T> result;
    for (int i = 0; i < Vector<T>::n; ++i) result.lane[i] = lane(i);
    return result;
}

template <class T>
ELC_INLINE Vector<T> operator+(const Vector<T>& a, const Vector<T>& b) {
    return each<T>([&](int i) { return a[i] + b[i]; });
}
template <class T>
ELC_INLINE Vector<T> operator-(const Vector<T>& a, const Vector<T>& b) {
    return each<T>([&](int i) { return a[i] - b[i]; });
}
template <class T>
ELC_INLINE Vector<T> operator+(const Vector<T>& a, T b) {
    return each<T>([&](int i) { return a[i] + b; });
}
template <class T>
ELC_INLINE Vector<T> operator-(const Vector<T>& a, T b) {
    return each<T>([&](int i) { return a[i] - b; });
}
template <class T>
ELC_INLINE Vector<T> operator*(T a, const Vector<T>& b) {
    return each<T>([&](int i) { return a * b[i]; });
}
template <class T>
ELC_INLINE Vector<T> operator*(const Vector<T>& a, const Vector<T>& b) {
    return each<T>([&](int i) { return a[i] * b[i]; });
}
template <class T>
ELC_INLINE Vector<T> operator/(T a, const Vector<T>& b) {
    return each<T>([&](int i) { return a / b[i]; });
}
template <class T, class Other>
ELC_INLINE void operator+=(Vector<T>& a, const Other& b) {
    a = a + b;
}
template <class T, class Other>
ELC_INLINE void operator-=(Vector<T>& a, const Other& b) {
    a = a - b;
}

template <class T>
ELC_INLINE Mask<T> operator>(const Vector<T>& a, const Vector<T>& b) {
    return each<decltype(Mask<T>()[0])>([&](int i) { return a[i] > b[i] ? -1 : 0; });
}
template <class T>
ELC_INLINE Mask<T> operator<=(const Vector<T>& a, const Vector<T>& b) {
    return each<decltype(Mask<T>()[0])>([&](int i) { return a[i] <= b[i] ? -1 : 0; });
}

template <class T>
ELC_INLINE Vector<T> load(const T* p) {
    Vector<T> v;
    std::memcpy(v.lane, p, sizeof v.lane);
    return v;
}
template <class T>
ELC_INLINE void store(T* p, const Vector<T>& v) {
    std::memcpy(p, v.lane, sizeof v.lane);
}
template <class T>
ELC_INLINE Vector<T> absolute(const Vector<T>& v) {
    return each<T>([&](int i) { return std::abs(v[i]); });
}
template <class T>
ELC_INLINE Vector<T> only(const Mask<T>& mask, const Vector<T>& v) {
    return each<T>([&](int i) { return mask[i] ? v[i] : T{0}; });
}
template <class T>
ELC_INLINE Vector<T> larger(const Vector<T>& a, const Vector<T>& b) {
    return each<T>([&](int i) { return a[i] > b[i] ? a[i] : b[i]; });
}

}  // namespace
}  // namespace elc
