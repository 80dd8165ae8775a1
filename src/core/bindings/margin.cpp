// Binding of margin.hpp for planes that are placed after their search. The GIL is released.
#include "exact/margin.hpp"

#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/module.hpp"

namespace elc {
namespace {

ArrayOut<double> widest_normal(MatrixIn<double> points, VectorIn<bool> left, VectorIn<double> start) {
    const size_t d = start.size();
    std::vector<double> normal(start.data(), start.data() + d);
    {
        nb::gil_scoped_release release;
        SidePoints sides;
        for (size_t i = 0; i < left.size(); ++i) {
            std::vector<double>& side = left.data()[i] ? sides.left : sides.right;
            side.insert(side.end(), points.data() + i * d, points.data() + (i + 1) * d);
        }
        MarginFinder finder;
        if (finder.half_margin(sides, normal) > 0) normal = finder.normal();
    }
    return to_numpy(normal);
}

}  // namespace

void bind_margin(nb::module_& m) {
    m.def("widest_normal", &widest_normal, nb::arg("points"), nb::arg("left"), nb::arg("start"),
          "The direction of the widest empty band between two sides that have points; start where there is none.");
}

}  // namespace elc
