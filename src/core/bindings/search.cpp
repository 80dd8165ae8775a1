// Python's view of the search: arrays in, a dict of plain values out; the GIL is released while it runs.
#include "exact/search.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <string>

#include "exact/partition.hpp"

namespace nb = nanobind;

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

elc::CriterionKind criterion_of(const std::string& name) {
    if (name == "gini") return elc::CriterionKind::gini;
    if (name == "twoing") return elc::CriterionKind::twoing;
    if (name == "information_gain") return elc::CriterionKind::information_gain;
    throw std::invalid_argument("unknown criterion: " + name);
}

template <class T>
nb::object to_array(const std::vector<T>& values) {
    T* data = new T[values.size() + 1];
    std::copy(values.begin(), values.end(), data);
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {values.size()}, owner));
}

// Called by the search about twenty times a second: answers Ctrl-C and reports progress.
elc::Poll make_poll(nb::handle progress) {
    return [progress](const elc::Progress& state) {
        nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) return false;
        if (progress.is_none()) return true;
        try {
            progress(state.subsets_done, state.n_subsets, state.n_boxes, state.loss, state.bound, state.seconds);
        } catch (nb::python_error& error) {
            error.restore();
            return false;
        }
        return true;
    };
}

nb::dict to_dict(const elc::Problem& problem, const elc::Answer& answer, const std::vector<int8_t>& side,
                 bool missing_left) {
    nb::dict result;
    const bool found = answer.found.loss < elc::kInfinity;
    std::vector<double> weights;
    std::vector<int64_t> samples;
    for (size_t j = 0; found && j < answer.features.size(); ++j) {
        const double sign = answer.found.on_above ? 1.0 : -1.0;
        weights.push_back(sign * answer.found.plane.w[j] / problem.half[answer.features[j]]);
        samples.push_back(problem.position[answer.found.rows[j]]);
    }
    result["features"] = answer.features;
    result["weights"] = to_array(weights);
    result["samples"] = samples;
    result["side"] = to_array(side);
    result["missing_left"] = missing_left;
    result["loss"] = answer.found.loss;
    result["bound"] = answer.bound;
    result["proven"] = answer.proven;
    result["n_boxes"] = answer.n_boxes;
    return result;
}

nb::dict search(Matrix x, Integers y, Integers rows, Doubles weights, int n_classes, int r,
                const std::string& criterion, bool both_orientations, bool learn_missing, double min_rows,
                double min_weight, int n_threads, double seconds, nb::object progress) {
    elc::Options options;
    options.r = r;
    options.criterion = criterion_of(criterion);
    options.both_orientations = both_orientations;
    options.missing = learn_missing ? elc::MissingMode::learn : elc::MissingMode::right;
    options.min_rows = min_rows;
    options.min_weight = min_weight;
    options.n_threads = n_threads;
    options.seconds = seconds;
    const elc::RowView view{x.data(),
                            y.data(),
                            rows.data(),
                            weights.data(),
                            static_cast<int64_t>(rows.shape(0)),
                            static_cast<int64_t>(x.shape(1)),
                            n_classes};
    const elc::Poll poll = make_poll(progress);
    elc::Problem problem;
    elc::Answer answer;
    std::vector<int8_t> side;
    bool missing_left = false;
    {
        nb::gil_scoped_release release;
        problem = elc::make_problem(view, options);
        answer = elc::search(problem, poll);
        if (answer.found.loss < elc::kInfinity) {
            side = elc::partition(problem, answer);
            missing_left = elc::missing_goes_left(problem, answer, side);
        }
    }
    if (answer.interrupted) nb::raise_python_error();
    return to_dict(problem, answer, side, missing_left);
}

}  // namespace

void bind_search(nb::module_& m) {
    m.def("search", &search, nb::arg("x"), nb::arg("y"), nb::arg("rows"), nb::arg("weights"), nb::arg("n_classes"),
          nb::arg("r"), nb::arg("criterion"), nb::arg("both_orientations"), nb::arg("learn_missing"),
          nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("n_threads"), nb::arg("seconds"),
          nb::arg("progress").none());
}
