// How a long search asks its caller whether to go on.
#pragma once

#include <functional>

namespace elc {

// Called now and then with the state of the search, where it has one to tell; false ends the search at once.
template <class... State>
using KeepGoing = std::function<bool(State...)>;

}  // namespace elc
