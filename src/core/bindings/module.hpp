// What every binding file shares: nanobind and the list of topics.
#pragma once

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace elc {

void bind_predict(nb::module_& m);
void bind_criteria(nb::module_& m);
void bind_search(nb::module_& m);
void bind_axis(nb::module_& m);
void bind_climbing(nb::module_& m);
void bind_gain_ratio(nb::module_& m);
void bind_placement(nb::module_& m);
void bind_growth(nb::module_& m);

}  // namespace elc
