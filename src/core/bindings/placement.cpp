// Binding of growth/placement.hpp: planes whose sides are known.
#include "growth/placement.hpp"

#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/module.hpp"

namespace elc {
namespace {

SidedPoints sided_points(MatrixIn<double> points, VectorIn<bool> left) {
    SidedPoints sided;
    sided.d = points.shape(1);
    sided.x.assign(points.data(), points.data() + points.size());
    sided.left.assign(left.data(), left.data() + left.size());
    return sided;
}

std::vector<double> vector_of(const VectorIn<double>& values) { return {values.data(), values.data() + values.size()}; }

nb::tuple to_tuple(const Placement& placed) {
    return nb::make_tuple(to_numpy(placed.weights), placed.threshold, placed.margin, placed.exact);
}

nb::tuple place_through(MatrixIn<double> points, VectorIn<bool> left, VectorIn<double> weights) {
    const SidedPoints sided = sided_points(points, left);
    return to_tuple(Placer(sided).through(vector_of(weights)));
}

nb::tuple place_widest(MatrixIn<double> points, VectorIn<bool> left, VectorIn<double> weights, double threshold,
                       VectorIn<double> half) {
    const SidedPoints sided = sided_points(points, left);
    const std::vector<double> normal = vector_of(weights), scales = vector_of(half);
    Placement placed;
    {
        nb::gil_scoped_release release;
        placed = Placer(sided).widest(normal, threshold, scales);
    }
    return to_tuple(placed);
}

}  // namespace

void bind_placement(nb::module_& m) {
    m.def("place_through", &place_through, nb::arg("points"), nb::arg("left"), nb::arg("weights"));
    m.def("place_widest", &place_widest, nb::arg("points"), nb::arg("left"), nb::arg("weights"), nb::arg("threshold"),
          nb::arg("half"));
}

}  // namespace elc
