// The compiled module `cart_elc._core`: one bind_* function per topic, each in its own file.
#include "bindings/module.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Compiled kernels of cart_elc. They trust their input: call them through the Python modules.";
    bind_predict(m);
    bind_criteria(m);
    bind_search(m);
    bind_axis(m);
    bind_climbing(m);
    bind_gain_ratio(m);
}
