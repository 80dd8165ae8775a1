// Bindings of predict.hpp: `side` for the growth loop, and the class `TreeView` for prediction. All release the GIL.
#include "predict.hpp"

#include <nanobind/stl/pair.h>

#include <memory>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/module.hpp"

namespace elc {
namespace {

ArrayOut<std::int8_t> sides(MatrixIn<double> X, VectorIn<std::int64_t> rows, VectorIn<std::int32_t> features,
                            VectorIn<double> weights, double threshold, VectorIn<std::int8_t> levels) {
    const std::size_t n = rows.shape(0), width = X.shape(1);
    const SplitView split{features.data(), weights.data(), static_cast<std::int64_t>(features.shape(0)),
                          threshold,       levels.data(),  static_cast<std::int64_t>(levels.shape(0))};
    std::unique_ptr<std::int8_t[]> out(new std::int8_t[n]);
    {
        nb::gil_scoped_release release;
        for (std::size_t i = 0; i < n; ++i)
            out[i] = static_cast<std::int8_t>(side(split, X.data() + static_cast<std::size_t>(rows.data()[i]) * width));
    }
    return to_numpy(std::move(out), {n});
}

// Holds the arrays of a cart_elc.tree.Tree alive while its rows are descended.
struct BoundTree {
    VectorIn<std::int32_t> children_left, children_right;
    VectorIn<std::int64_t> indptr;
    VectorIn<std::int32_t> features;
    VectorIn<double> weights, thresholds;
    VectorIn<std::int8_t> missing;
    VectorIn<double> node_weights;
    MatrixIn<std::int8_t> levels;

    TreeView view() const {
        return {children_left.data(), children_right.data(),
                indptr.data(),        features.data(),
                weights.data(),       thresholds.data(),
                missing.data(),       node_weights.data(),
                levels.data(),        static_cast<std::int64_t>(levels.shape(1))};
    }

    ArrayOut<std::int64_t> apply(MatrixIn<double> X) const {
        const std::size_t n = X.shape(0), width = X.shape(1);
        std::unique_ptr<std::int64_t[]> out(new std::int64_t[n]);
        {
            nb::gil_scoped_release release;
            const TreeView tree = view();
            for (std::size_t i = 0; i < n; ++i) out[i] = leaf_of(tree, X.data() + i * width);
        }
        return to_numpy(std::move(out), {n});
    }

    // Mean of `value` over the leaves that each row reaches, weighted by the row's share in each.
    ArrayOut<double, 2> mean_value(MatrixIn<double> X, MatrixIn<double> value) const {
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
        return to_numpy(std::move(out), {n, k});
    }

    // Row pointers and node ids of the CSR matrix "row i passes through node j".
    std::pair<ArrayOut<std::int64_t>, ArrayOut<std::int64_t>> decision_path(MatrixIn<double> X) const {
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
        return {to_numpy(std::move(starts), {n + 1}), to_numpy(nodes)};
    }
};

}  // namespace

void bind_predict(nb::module_& m) {
    m.def("sides", &sides, nb::arg("X"), nb::arg("rows"), nb::arg("features"), nb::arg("weights"), nb::arg("threshold"),
          nb::arg("levels"), "Side of each of the rows: 1 left, 0 right, 2 where a value is missing.");
    nb::class_<BoundTree>(m, "TreeView", "The arrays of a tree, ready for prediction.")
        .def(nb::new_([](VectorIn<std::int32_t> children_left, VectorIn<std::int32_t> children_right,
                         VectorIn<std::int64_t> indptr, VectorIn<std::int32_t> features, VectorIn<double> weights,
                         VectorIn<double> thresholds, VectorIn<std::int8_t> missing, VectorIn<double> node_weights,
                         MatrixIn<std::int8_t> levels) {
                 return BoundTree{children_left, children_right, indptr,       features, weights,
                                  thresholds,    missing,        node_weights, levels};
             }),
             nb::arg("children_left"), nb::arg("children_right"), nb::arg("indptr"), nb::arg("features"),
             nb::arg("weights"), nb::arg("thresholds"), nb::arg("missing"), nb::arg("node_weights"), nb::arg("levels"))
        .def("apply", &BoundTree::apply, nb::arg("X"), "Leaf id of each row.")
        .def("mean_value", &BoundTree::mean_value, nb::arg("X"), nb::arg("value"),
             "Share-weighted leaf value of each row.")
        .def("decision_path", &BoundTree::decision_path, nb::arg("X"),
             "CSR (indptr, indices) of the nodes on each path.");
}

}  // namespace elc
