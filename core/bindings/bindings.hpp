// What the binding files share. Bindings are thin: convert, release the GIL, call the core.
#pragma once
#include <nanobind/nanobind.h>

namespace sapwood::bindings {

void bind_columns(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_tagger(nanobind::module_& m);

inline nanobind::bytes to_bytes(std::string_view text) {
    return nanobind::bytes(text.data(), text.size());
}
inline std::string_view view(const nanobind::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}

}  // namespace sapwood::bindings
