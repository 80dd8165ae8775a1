// Python's view of the exact search: arrays in, a dict of plain values out; the GIL is released while it runs.
#include "exact/search.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"
#include "exact/node/make_exact_node.hpp"
#include "exact/partition.hpp"

namespace elc {
namespace {

// Called by the search about twenty times a second: answers Ctrl-C and reports progress.
KeepSearching until_interrupted(nb::handle progress) {
    return [progress](const Progress& state) {
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) return false;
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
    result["features"] = answer.features;
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

nb::dict best_split(const NodeArrays& arrays, const Options& options, nb::handle progress) {
    const KeepSearching keep_going = until_interrupted(progress);
    ExactNode node;
    SearchAnswer answer;
    Sides sides;
    {
        nb::gil_scoped_release release;
        node = make_exact_node(arrays.view(), options);
        answer = search(node, keep_going);
        sides = sides_of(node, answer);
    }
    if (answer.interrupted) nb::raise_python_error();
    return to_dict(node, answer, sides);
}

// What of a search is asked for: a share of the feature sets, and of how many; only these sets, if there are any; and
// whether to dive in them and to search their boxes.
using Part = std::tuple<int64_t, int64_t, std::vector<std::vector<int>>, bool, bool>;

// Which features may stand together, the directions of all features, and the limits of values.
using Constraints = std::tuple<std::vector<std::vector<int>>, std::vector<int>, double, double>;

Options restricted(Options options, const Part& part, const Constraints& constraints) {
    std::tie(options.share, options.n_shares, options.only, options.dives, options.boxes) = part;
    Monotone& monotone = options.monotone;
    std::tie(options.groups, monotone.signs, monotone.low, monotone.high) = constraints;
    return options;
}

nb::dict best_split_of_classes(MatrixIn<double> x, VectorIn<int64_t> y, VectorIn<int64_t> rows,
                               VectorIn<double> weights, int n_classes, int r, const std::string& criterion,
                               const std::string& planes, bool learn_missing, double min_rows, double min_weight,
                               int n_threads, double seconds, const std::vector<double>& prices, double must_beat,
                               nb::object progress, const Part& part, const Constraints& constraints) {
    const MissingMode missing = learn_missing ? MissingMode::learn : MissingMode::right;
    const Options options{
        r, criterion, candidates_named(planes), missing, min_rows, min_weight, n_threads, seconds, prices, must_beat};
    return best_split(NodeArrays(x, y, rows, weights, n_classes), restricted(options, part, constraints), progress);
}

// By squared error, or in bits per unit of weight `bits_of` where that is not 0.
nb::dict best_split_of_numbers(MatrixIn<double> x, VectorIn<double> y, VectorIn<int64_t> rows, VectorIn<double> weights,
                               double bits_of, int r, const std::string& planes, bool learn_missing, double min_rows,
                               double min_weight, int n_threads, double seconds, const std::vector<double>& prices,
                               double must_beat, nb::object progress, const Part& part,
                               const Constraints& constraints) {
    const MissingMode missing = learn_missing ? MissingMode::learn : MissingMode::right;
    Options options{r,      "",       candidates_named(planes), missing, min_rows, min_weight, n_threads, seconds,
                    prices, must_beat};
    options.bits_of = bits_of;
    return best_split(NodeArrays(x, y, rows, weights), restricted(options, part, constraints), progress);
}

}  // namespace

void bind_search(nb::module_& m) {
    const Part whole{0, 1, {}, true, true};
    const Constraints free{{}, {}, -kInfinity, kInfinity};
    m.def("search_numbers", &best_split_of_numbers, nb::arg("x"), nb::arg("y"), nb::arg("rows"), nb::arg("weights"),
          nb::arg("bits_of"), nb::arg("r"), nb::arg("planes"), nb::arg("learn_missing"), nb::arg("min_rows"),
          nb::arg("min_weight"), nb::arg("n_threads"), nb::arg("seconds"), nb::arg("prices"), nb::arg("must_beat"),
          nb::arg("progress").none(), nb::arg("part") = whole, nb::arg("constraints") = free);
    m.def("search", &best_split_of_classes, nb::arg("x"), nb::arg("y"), nb::arg("rows"), nb::arg("weights"),
          nb::arg("n_classes"), nb::arg("r"), nb::arg("criterion"), nb::arg("planes"), nb::arg("learn_missing"),
          nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("n_threads"), nb::arg("seconds"), nb::arg("prices"),
          nb::arg("must_beat"), nb::arg("progress").none(), nb::arg("part") = whole, nb::arg("constraints") = free);
}

}  // namespace elc
