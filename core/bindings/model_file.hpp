// Model files that Python has in memory, for what the core makes of them.
#pragma once
#include <nanobind/nanobind.h>

#include "file/model_file.hpp"

namespace sapwood::bindings {

// The content of a ModelFile of Python (src/sapwood/model/file/schema.py), as core/making reads it. Arrays are views of
// Python's. Of parts it has the names alone.
file::ModelFile model_of(nanobind::handle model);

// The same without the tables of weights, which are copied.
file::ModelFile without_weights(nanobind::handle model);

}  // namespace sapwood::bindings
