// Bindings of predict.hpp: `side` for the growth loop, and the class `TreeView` for prediction. All release the GIL.
#include "predict.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <memory>

#include "bindings/module.hpp"

namespace {

using namespace elc;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutVector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using OutMatrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <class T>
OutVector<T> to_numpy(std::unique_ptr<T[]> data, std::size_t size) {
    T* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return OutVector<T>(raw, {size}, owner);
}

OutVector<std::int8_t> sides(Matrix<double> X, Vector<std::int64_t> rows, Vector<std::int32_t> features,
                             Vector<double> weights, double threshold) {
    const std::size_t n = rows.shape(0), width = X.shape(1);
    const SplitView split{features.data(), weights.data(), static_cast<std::int64_t>(features.shape(0)), threshold};
    std::unique_ptr<std::int8_t[]> out(new std::int8_t[n]);
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < n; ++i)
            out[i] = static_cast<std::int8_t>(side(split, X.data() + static_cast<std::size_t>(rows.data()[i]) * width));
    }
    return to_numpy(std::move(out), n);
}

// Holds the arrays of a cart_elc.tree.Tree alive while its rows are descended.
struct BoundTree {
    Vector<std::int32_t> children_left, children_right;
    Vector<std::int64_t> indptr;
    Vector<std::int32_t> features;
    Vector<double> weights, thresholds;
    Vector<std::int8_t> missing;
    Vector<double> node_weights;

    TreeView view() const {
        return {children_left.data(), children_right.data(), indptr.data(),  features.data(),
                weights.data(),       thresholds.data(),     missing.data(), node_weights.data()};
    }

    OutVector<std::int64_t> apply(Matrix<double> X) const {
        const std::size_t n = X.shape(0), width = X.shape(1);
        std::unique_ptr<std::int64_t[]> out(new std::int64_t[n]);
        {
            nb::gil_scoped_release release;
            const TreeView tree = view();
            for (std::size_t i = 0; i < n; ++i) out[i] = leaf_of(tree, X.data() + i * width);
        }
        return to_numpy(std::move(out), n);
    }

    // Mean of `value` over the leaves that each row reaches, weighted by the row's share in each.
    OutMatrix<double> mean_value(Matrix<double> X, Matrix<double> value) const {
        const std::size_t n = X.shape(0), width = X.shape(1), k = value.shape(1);
        std::unique_ptr<double[]> out(new double[n * k]());
        {
            nb::gil_scoped_release release;
            const TreeView tree = view();
            std::vector<std::pair<std::int32_t, double>> pending;
            for (std::size_t i = 0; i < n; ++i) {
                const double* row = X.data() + i * width;
                const auto add = [&](std::int32_t node, double share) {
                    if (!tree.is_leaf(node)) return;
                    const double* leaf = value.data() + static_cast<std::size_t>(node) * k;
                    for (std::size_t j = 0; j < k; ++j) out[i * k + j] += share * leaf[j];
                };
                const std::int32_t leaf = only_leaf_of(tree, row);
                if (leaf == kDivided) walk(tree, row, pending, add);
                else add(leaf, 1.0);
            }
        }
        double* raw = out.release();
        nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<double*>(p); });
        return OutMatrix<double>(raw, {n, k}, owner);
    }

    // Row pointers and node ids of the CSR matrix "row i passes through node j".
    std::pair<OutVector<std::int64_t>, OutVector<std::int64_t>> decision_path(Matrix<double> X) const {
        const std::size_t n = X.shape(0), width = X.shape(1);
        std::unique_ptr<std::int64_t[]> starts(new std::int64_t[n + 1]);
        std::vector<std::int64_t> nodes;
        {
            nb::gil_scoped_release release;
            const TreeView tree = view();
            std::vector<std::pair<std::int32_t, double>> pending;
            starts[0] = 0;
            for (std::size_t i = 0; i < n; ++i) {
                walk(tree, X.data() + i * width, pending, [&](std::int32_t node, double) { nodes.push_back(node); });
                starts[i + 1] = static_cast<std::int64_t>(nodes.size());
            }
        }
        std::unique_ptr<std::int64_t[]> indices(new std::int64_t[nodes.size()]);
        std::copy(nodes.begin(), nodes.end(), indices.get());
        return {to_numpy(std::move(starts), n + 1), to_numpy(std::move(indices), nodes.size())};
    }
};

}  // namespace

void bind_predict(nb::module_& m) {
    m.def("sides", &sides, nb::arg("X"), nb::arg("rows"), nb::arg("features"), nb::arg("weights"), nb::arg("threshold"),
          "Side of each of the rows: 1 left, 0 right, 2 where a value is missing.");
    nb::class_<BoundTree>(m, "TreeView", "The arrays of a tree, ready for prediction.")
        .def(nb::new_([](Vector<std::int32_t> children_left, Vector<std::int32_t> children_right,
                         Vector<std::int64_t> indptr, Vector<std::int32_t> features, Vector<double> weights,
                         Vector<double> thresholds, Vector<std::int8_t> missing, Vector<double> node_weights) {
                 return BoundTree{children_left, children_right, indptr,  features,
                                  weights,       thresholds,     missing, node_weights};
             }),
             nb::arg("children_left"), nb::arg("children_right"), nb::arg("indptr"), nb::arg("features"),
             nb::arg("weights"), nb::arg("thresholds"), nb::arg("missing"), nb::arg("node_weights"))
        .def("apply", &BoundTree::apply, nb::arg("X"), "Leaf id of each row.")
        .def("mean_value", &BoundTree::mean_value, nb::arg("X"), nb::arg("value"),
             "Share-weighted leaf value of each row.")
        .def("decision_path", &BoundTree::decision_path, nb::arg("X"),
             "CSR (indptr, indices) of the nodes on each path.");
}
