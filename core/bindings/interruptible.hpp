// Lets Ctrl-C end long work of the core.
#pragma once
#include <nanobind/nanobind.h>

#include "base/stop_check.hpp"

namespace sapwood::bindings {

// While it lives, the work of this thread, and of those that work for it, asks Python now and then for signals. A handler
// that raises, as that of Ctrl-C does, ends the work with its exception.
class SignalCheck {
    StopCheck check_{[] {
        const nanobind::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    }};
};

// The same, and the GIL is released.
class Interruptible {
    nanobind::gil_scoped_release release_;
    SignalCheck check_;
};

// Returns what work() returns; a signal may end the work with an exception.
template <class Work>
auto interruptible(Work&& work) {
    const Interruptible release;
    return work();
}

}  // namespace sapwood::bindings
