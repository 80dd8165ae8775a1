// The compiled module `cart_elc._core`: one bind_* function per topic, each in its own file.
#include "bindings/module.hpp"

#include "bindings/interruption.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Compiled kernels of cart_elc. They trust their input: call them through the Python modules.";
    elc::bind_predict(m);
    elc::bind_criteria(m);
    elc::bind_search(m);
    elc::bind_axis(m);
    elc::bind_climbing(m);
    elc::bind_gain_ratio(m);
    elc::bind_placement(m);
    elc::bind_growth(m);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function(&elc::WithoutGil::end_all));
}
