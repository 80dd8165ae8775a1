// NumPy arrays in and out: views of what Python holds, and arrays that own what a kernel made.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace elc {

template <class T>
using VectorIn = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using MatrixIn = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
template <class T, size_t N = 1>
using ArrayOut = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<N>>;

// An array of the given shape that frees the memory when Python lets go of it.
template <class T, size_t N>
ArrayOut<T, N> to_numpy(std::unique_ptr<T[]> data, const size_t (&shape)[N]) {
    nanobind::capsule owner(data.get(), [](void* memory) noexcept { delete[] static_cast<T*>(memory); });
    return ArrayOut<T, N>(data.release(), N, shape, owner);
}

template <class T>
ArrayOut<T> to_numpy(const std::vector<T>& values) {
    std::unique_ptr<T[]> data(new T[values.size()]);
    std::copy(values.begin(), values.end(), data.get());
    return to_numpy(std::move(data), {values.size()});
}

}  // namespace elc
