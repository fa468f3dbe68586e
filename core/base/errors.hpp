// The exceptions that the core throws. The bindings turn each into the Python class of the same name.
#pragma once
#include <stdexcept>

namespace sapwood {

struct DataError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct TemplateError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct ModelError : std::runtime_error {
    using std::runtime_error::runtime_error;
};
struct OptionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace sapwood
