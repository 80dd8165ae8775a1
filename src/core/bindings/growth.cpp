// Python's view of the growth of a whole tree: arrays in, the columns of a tree out. The GIL is released while it
// grows.
#include "growth/growth.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/interruption.hpp"
#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"

namespace elc {
namespace {

// The columns of a tree, as cart_elc/tree/structure.py names them.
struct TreeColumns {
    std::vector<int32_t> children_left, children_right, features;
    std::vector<int64_t> indptr{0}, n_node_samples;
    std::vector<double> weighted_n_node_samples, impurity, value, thresholds, score, bound, n_candidates, margin,
        weights;
    std::vector<int8_t> missing;
    std::vector<bool> proven;

    explicit TreeColumns(const TreeGrowth& growth) {
        const std::vector<int64_t> order = growth.preorder();
        std::vector<int32_t> number(order.size() ? *std::max_element(order.begin(), order.end()) + 1 : 0);
        for (size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<int32_t>(i);
        for (int64_t i : order) {
            const Branch& branch = growth.branch(i);
            n_node_samples.push_back(branch.end - branch.begin);
            weighted_n_node_samples.push_back(branch.weight);
            impurity.push_back(branch.impurity);
            value.insert(value.end(), growth.value(i), growth.value(i) + growth.width());
            children_left.push_back(branch.is_open() ? number[branch.left] : -1);
            children_right.push_back(branch.is_open() ? number[branch.right] : -1);
            add_split(branch.is_open() ? growth.split(i) : leaf());
        }
    }

    nb::dict to_dict(size_t width) const {
        nb::dict columns;
        columns["children_left"] = to_numpy(children_left);
        columns["children_right"] = to_numpy(children_right);
        columns["indptr"] = to_numpy(indptr);
        columns["features"] = to_numpy(features);
        columns["weights"] = to_numpy(weights);
        columns["thresholds"] = to_numpy(thresholds);
        columns["missing"] = to_numpy(missing);
        columns["n_node_samples"] = to_numpy(n_node_samples);
        columns["weighted_n_node_samples"] = to_numpy(weighted_n_node_samples);
        columns["impurity"] = to_numpy(impurity);
        columns["score"] = to_numpy(score);
        columns["bound"] = to_numpy(bound);
        columns["n_candidates"] = to_numpy(n_candidates);
        columns["margin"] = to_numpy(margin);
        std::unique_ptr<bool[]> flags(new bool[proven.size()]);
        std::copy(proven.begin(), proven.end(), flags.get());
        columns["proven"] = to_numpy(std::move(flags), {proven.size()});
        std::unique_ptr<double[]> values(new double[value.size()]);
        std::copy(value.begin(), value.end(), values.get());
        columns["value"] = to_numpy<double, 2>(std::move(values), {value.size() / width, width});
        return columns;
    }

private:
    static PlacedSplit leaf() {
        PlacedSplit none;
        none.threshold = none.score = none.bound = none.margin = std::numeric_limits<double>::quiet_NaN();
        none.proven = false;
        return none;
    }

    void add_split(const PlacedSplit& split) {
        features.insert(features.end(), split.features.begin(), split.features.end());
        weights.insert(weights.end(), split.weights.begin(), split.weights.end());
        indptr.push_back(static_cast<int64_t>(features.size()));
        thresholds.push_back(split.threshold);
        missing.push_back(split.missing_left ? 1 : 0);
        score.push_back(split.score);
        bound.push_back(split.bound);
        proven.push_back(split.proven);
        n_candidates.push_back(split.n_candidates);
        margin.push_back(split.margin);
    }
};

GrowthOptions options_from(nb::handle asked) {
    GrowthOptions options;
    const auto get = [&](const char* name) { return asked[name]; };
    options.search.r = nb::cast<int>(get("r"));
    options.search.criterion = nb::cast<std::string>(get("criterion"));
    options.search.planes = Candidates::any;
    options.search.missing = nb::cast<bool>(get("learn_missing")) ? MissingMode::learn : MissingMode::right;
    options.search.min_rows = nb::cast<double>(get("min_samples_leaf"));
    options.search.n_threads = nb::cast<int>(get("n_threads"));
    options.impurity = impurity_named(nb::cast<std::string>(get("impurity")));
    options.is_gain = nb::cast<bool>(get("is_gain"));
    options.has_price = nb::cast<bool>(get("has_price"));
    options.price = nb::cast<double>(get("price"));
    options.min_saving = nb::cast<double>(get("min_saving"));
    if (!get("max_depth").is_none()) options.max_depth = nb::cast<int64_t>(get("max_depth"));
    options.min_rows_split = nb::cast<int64_t>(get("min_samples_split"));
    options.min_weight_fraction = nb::cast<double>(get("min_weight_fraction_leaf"));
    options.min_impurity_decrease = nb::cast<double>(get("min_impurity_decrease"));
    if (!get("max_leaf_nodes").is_none()) options.max_leaves = nb::cast<int64_t>(get("max_leaf_nodes"));
    options.max_features = nb::cast<int>(get("max_features"));
    options.seed = nb::cast<uint64_t>(get("seed"));
    return options;
}

nb::tuple grow(const RowView& table, nb::handle asked) {
    const GrowthOptions options = options_from(asked);
    const KeepGoing<> keep_going = until_interrupted(asked["given_up"]);
    const KeepSearching keep_growing = [&](const Progress&) { return keep_going(); };
    std::vector<double> importances;
    std::unique_ptr<TreeColumns> columns;
    int width = 0;
    {
        const WithoutGil free;
        TreeGrowth growth(table, options, keep_growing);
        if (growth.grow()) {
            columns = std::make_unique<TreeColumns>(growth);
            importances = growth.importances();
            width = growth.width();
        }
    }
    if (!columns) nb::raise_python_error();
    return nb::make_tuple(columns->to_dict(width), to_numpy(importances));
}

nb::tuple grow_classes(MatrixIn<double> x, VectorIn<int64_t> y, VectorIn<int64_t> rows, VectorIn<double> weights,
                       int n_classes, nb::dict options) {
    return grow(NodeArrays(x, y, rows, weights, n_classes).view(), options);
}

nb::tuple grow_numbers(MatrixIn<double> x, VectorIn<double> y, VectorIn<int64_t> rows, VectorIn<double> weights,
                       nb::dict options) {
    return grow(NodeArrays(x, y, rows, weights).view(), options);
}

}  // namespace

void bind_growth(nb::module_& m) {
    m.def("grow", &grow_classes, nb::arg("x"), nb::arg("y"), nb::arg("rows"), nb::arg("weights"), nb::arg("n_classes"),
          nb::arg("options"));
    m.def("grow_numbers", &grow_numbers, nb::arg("x"), nb::arg("y"), nb::arg("rows"), nb::arg("weights"),
          nb::arg("options"));
}

}  // namespace elc
