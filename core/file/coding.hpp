// Decoding of the arrays and metadata of a model file; src/sapwood/model/file/coding.py describes and writes the code.
#pragma once
#include "file/container.hpp"

namespace sapwood::file {

// Throws ModelError.
void decode(Container& file);

}  // namespace sapwood::file
