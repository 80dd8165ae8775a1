// Bindings of the searches that climb: OC1's and CART-LC's. Ctrl-C is answered; the GIL is released while they run.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>

#include "bindings/module.hpp"
#include "bindings/node_arrays.hpp"
#include "criteria/measures.hpp"
#include "scans/hill_climbing.hpp"
#include "scans/linear_combination.hpp"

namespace {

template <class T>
nb::object to_array(const std::vector<T>& values) {
    std::unique_ptr<T[]> data(new T[values.size() + 1]);
    std::copy(values.begin(), values.end(), data.get());
    T* raw = data.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(raw, {values.size()}, owner));
}

elc::Order order_of(const std::string& name) {
    if (name == "sequential") return elc::Order::sequential;
    if (name == "best") return elc::Order::best;
    if (name == "random") return elc::Order::random;
    throw std::invalid_argument("unknown order: " + name);
}

// Looks for Ctrl-C, at most twenty times a second: taking the GIL waits for other threads.
elc::Pulse make_pulse() {
    using Clock = std::chrono::steady_clock;
    auto last = std::make_shared<Clock::time_point>(Clock::now());
    return [last] {
        const Clock::time_point now = Clock::now();
        if (now - *last < std::chrono::milliseconds(50)) return true;
        *last = now;
        nb::gil_scoped_acquire gil;
        return PyErr_CheckSignals() == 0;
    };
}

// (loss, coefficients of the scaled features, whether each row is above, cuts scored)
nb::tuple to_tuple(const elc::FoundPlane& found) {
    if (found.interrupted) nb::raise_python_error();
    std::vector<int8_t> above(found.value.size());
    for (size_t i = 0; i < above.size(); ++i) above[i] = found.value[i] >= 0;
    return nb::make_tuple(found.loss, to_array(found.coefficients), to_array(above), found.n_cuts);
}

nb::tuple climb(const NodeArrays& node, Doubles centre, Doubles scale, Doubles first, const std::string& criterion,
                double min_rows, double min_weight, int restarts, int jumps, const std::string& order,
                double stagnation, uint64_t seed, double seconds) {
    const elc::ClimbOptions options{restarts, jumps, order_of(order), stagnation, seed, seconds};
    const elc::Pulse pulse = make_pulse();
    elc::FoundPlane found;
    {
        nb::gil_scoped_release release;
        const elc::RowView view = node.view();
        const elc::Sample sample = elc::make_sample(view, min_rows, min_weight);
        const elc::Columns columns = elc::make_columns(view, centre.data(), scale.data());
        const std::vector<double> start(first.data(), first.data() + first.shape(0));
        found = elc::with_measure(criterion, sample, [&](const auto& measure) {
            return elc::HillClimbing(columns, sample, measure, options, pulse).run(start);
        });
    }
    return to_tuple(found);
}

nb::tuple combine(const NodeArrays& node, Doubles centre, Doubles scale, Doubles first, const std::string& criterion,
                  double min_rows, double min_weight, double tolerance, double deletion) {
    const elc::Pulse pulse = make_pulse();
    elc::FoundPlane found;
    {
        nb::gil_scoped_release release;
        const elc::RowView view = node.view();
        const elc::Sample sample = elc::make_sample(view, min_rows, min_weight);
        const elc::Columns columns = elc::make_columns(view, centre.data(), scale.data());
        const std::vector<double> start(first.data(), first.data() + first.shape(0));
        found = elc::with_measure(criterion, sample, [&](const auto& measure) {
            return elc::LinearCombination(columns, sample, measure, {tolerance, deletion}, pulse).run(start);
        });
    }
    return to_tuple(found);
}

}  // namespace

void bind_climbing(nb::module_& m) {
    m.def("climb", &climb, nb::arg("node"), nb::arg("centre"), nb::arg("scale"), nb::arg("first"), nb::arg("criterion"),
          nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("restarts"), nb::arg("jumps"), nb::arg("order"),
          nb::arg("stagnation"), nb::arg("seed"), nb::arg("seconds"),
          "OC1's climb from the plane `first`: (loss, coefficients and bias in scaled units, above, n_cuts).");
    m.def("combine", &combine, nb::arg("node"), nb::arg("centre"), nb::arg("scale"), nb::arg("first"),
          nb::arg("criterion"), nb::arg("min_rows"), nb::arg("min_weight"), nb::arg("tolerance"), nb::arg("deletion"),
          "CART-LC's linear combination from the plane `first`; the same answer as `climb`.");
}
