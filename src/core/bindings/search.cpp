// Python's view of the exact search: arrays in, a dict of plain values out; the GIL is released while it runs.
#include "exact/search.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bindings/interruption.hpp"
#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"
#include "exact/node/make_exact_node.hpp"
#include "exact/partition.hpp"

namespace elc {
namespace {

// Called by the search about twenty times a second: answers Ctrl-C and reports progress.
KeepSearching reporting_to(nb::handle progress) {
    return [progress](const Progress& state) {
        nb::gil_scoped_acquire gil;
        if (!may_go_on()) return false;
        if (progress.is_none()) return true;
        try {
            progress(state.subsets_done, state.n_subsets, state.n_boxes, state.loss, state.bound, state.seconds,
                     state.dives_done);
        } catch (nb::python_error& error) {
            error.restore();
            return false;
        }
        return true;
    };
}

// The side of each row and that of rows with missing values; empty where there is no split.
struct Sides {
    std::vector<int8_t> of_rows;
    bool missing_left = false;
};

Sides sides_of(const ExactNode& node, const SearchAnswer& answer) {
    if (!answer.has_split()) return {};
    const std::vector<int8_t> side = partition(node, answer.features, answer.found);
    Sides sides{std::vector<int8_t>(node.n), missing_goes_left(node, answer.found, side)};
    for (int i = 0; i < node.n; ++i) sides.of_rows[node.caller_row[i]] = side[i];
    return sides;
}

nb::dict to_dict(const ExactNode& node, const SearchAnswer& answer, const Sides& sides) {
    nb::dict result;
    std::vector<double> weights;
    std::vector<int64_t> samples;
    for (size_t j = 0; answer.has_split() && j < answer.features.size(); ++j) {
        const double across = answer.normal.empty() ? answer.found.plane.w[j] : answer.normal[j];
        const double sign = answer.found.on_above ? 1.0 : -1.0;
        weights.push_back(sign * across / node.half[answer.features[j]]);
        samples.push_back(node.caller_row[answer.found.rows[j]]);
    }
    result["features"] = answer.has_split() ? answer.features : std::vector<int>();
    result["weights"] = to_numpy(weights);
    result["samples"] = samples;
    result["side"] = to_numpy(sides.of_rows);
    result["missing_left"] = sides.missing_left;
    result["loss"] = answer.found.loss;
    result["bound"] = answer.bound;
    result["proven"] = answer.proven;
    result["n_boxes"] = answer.n_boxes;
    result["n_ties"] = answer.n_ties;
    result["all_ties_kept"] = answer.all_ties_kept;
    return result;
}

Candidates candidates_named(const std::string& planes) {
    if (planes == "any") return Candidates::any;
    return planes == "through" ? Candidates::through : Candidates::canonical;
}

// What of a search is asked for: a share of the feature sets, and of how many; only these sets, if there are any; and
// whether to dive in them and to search their boxes.
using Part = std::tuple<int64_t, int64_t, std::vector<std::vector<int>>, bool, bool>;

// Which features may stand together, the directions of all features, and the limits of values.
using Constraints = std::tuple<std::vector<std::vector<int>>, std::vector<int>, double, double>;

Options options_from(const nb::dict& asked) {
    Options options;
    const auto read = [&](const char* name, auto& option) {
        option = nb::cast<std::decay_t<decltype(option)>>(asked[name]);
    };
    read("r", options.r);
    read("criterion", options.criterion);
    options.planes = candidates_named(nb::cast<std::string>(asked["planes"]));
    read("linear_only", options.linear_only);
    options.missing = nb::cast<bool>(asked["learn_missing"]) ? MissingMode::learn : MissingMode::right;
    read("min_rows", options.min_rows);
    read("min_weight", options.min_weight);
    read("n_threads", options.n_threads);
    read("seconds", options.seconds);
    read("prices", options.prices);
    read("must_beat", options.must_beat);
    read("bits_of", options.bits_of);
    Part part{options.share, options.n_shares, options.only, options.dives, options.boxes};
    if (asked.contains("part")) read("part", part);
    std::tie(options.share, options.n_shares, options.only, options.dives, options.boxes) = part;
    Monotone& monotone = options.monotone;
    Constraints constraints;
    read("constraints", constraints);
    std::tie(options.groups, monotone.signs, monotone.low, monotone.high) = constraints;
    return options;
}

nb::dict best_split(const NodeArrays& arrays, const nb::dict& asked) {
    const Options options = options_from(asked);
    const KeepSearching keep_going = reporting_to(asked["progress"]);
    ExactNode node;
    SearchAnswer answer;
    Sides sides;
    {
        const WithoutGil free;
        node = make_exact_node(arrays.view(), options);
        answer = search(node, keep_going);
        sides = sides_of(node, answer);
    }
    if (answer.interrupted) nb::raise_python_error();
    return to_dict(node, answer, sides);
}

nb::dict best_split_of_classes(MatrixIn<double> x, VectorIn<int64_t> y, VectorIn<int64_t> rows,
                               VectorIn<double> weights, int n_classes, const nb::dict& options) {
    return best_split(NodeArrays(x, y, rows, weights, n_classes), options);
}

nb::dict best_split_of_numbers(MatrixIn<double> x, VectorIn<double> y, VectorIn<int64_t> rows, VectorIn<double> weights,
                               const nb::dict& options) {
    return best_split(NodeArrays(x, y, rows, weights), options);
}

}  // namespace

void bind_search(nb::module_& m) {
    m.def("search", &best_split_of_classes, nb::arg("x"), nb::arg("y"), nb::arg("rows"), nb::arg("weights"),
          nb::arg("n_classes"), nb::arg("options"));
    m.def("search_numbers", &best_split_of_numbers, nb::arg("x"), nb::arg("y"), nb::arg("rows"), nb::arg("weights"),
          nb::arg("options"));
}

}  // namespace elc
