// What the binding files share. Bindings are thin: convert, release the GIL, call the core.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <string_view>

#include "learner/learner.hpp"
#include "search/tree.hpp"
#include "text/conllu.hpp"
#include "text/label_set.hpp"

namespace sapwood::bindings {

void bind_classifier(nanobind::module_& m);
void bind_columns(nanobind::module_& m);
void bind_dual(nanobind::module_& m);
void bind_documents(nanobind::module_& m);
void bind_conllu(nanobind::module_& m);
void bind_grammar(nanobind::module_& m);
void bind_kernels(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_parser(nanobind::module_& m);
void bind_ranker(nanobind::module_& m);
void bind_tagger(nanobind::module_& m);

inline nanobind::bytes to_bytes(std::string_view text) {
    return nanobind::bytes(text.data(), text.size());
}
inline std::string_view view(const nanobind::bytes& bytes) {
    return {bytes.c_str(), bytes.size()};
}
// Keeps a Python object alive from C++ that may let go of it without the GIL.
inline std::shared_ptr<const void> keep_alive(const nanobind::object& object) {
    return {object.ptr(), [kept = nanobind::object(object)](const void*) mutable {
                nanobind::gil_scoped_acquire gil;
                kept.reset();
            }};
}

// By their names; throw OptionError.
Update update_of(const std::string& name);
Field field_of(const std::string& name);

// (heads, relations) without the root, as Python sees a tree.
nanobind::tuple to_python(const Tree& tree, const LabelSet& labels);

}  // namespace sapwood::bindings
