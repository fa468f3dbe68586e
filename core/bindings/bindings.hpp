// Declarations that the binding files share. A binding converts arguments, releases the GIL and calls the core.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "bindings/convert.hpp"
#include "learner/learner.hpp"
#include "search/tree.hpp"
#include "text/conllu.hpp"
#include "text/label_set.hpp"

namespace sapwood::bindings {

void bind_classifier(nanobind::module_& m);
void bind_clusters(nanobind::module_& m);
void bind_columns(nanobind::module_& m);
void bind_dual(nanobind::module_& m);
void bind_doc(nanobind::module_& m);
void bind_documents(nanobind::module_& m);
void bind_conllu(nanobind::module_& m);
void bind_explanation(nanobind::module_& m);
void bind_familiarity(nanobind::module_& m);
void bind_grammar(nanobind::module_& m);
void bind_kernels(nanobind::module_& m);
void bind_model(nanobind::module_& m);
void bind_model_file(nanobind::module_& m);
void bind_parser(nanobind::module_& m);
void bind_pipeline(nanobind::module_& m);
void bind_ranker(nanobind::module_& m);
void bind_segmenter(nanobind::module_& m);
void bind_rewriter(nanobind::module_& m);
void bind_row_tagger(nanobind::module_& m);
void bind_structured(nanobind::module_& m);
void bind_tagger(nanobind::module_& m);

// Looks up a field by its name. Throws OptionError.
Field field_of(const std::string& name);

// The Python form of a tree: (heads, relations) without the root.
nanobind::tuple to_python(const Tree& tree, const LabelSet& labels);

}  // namespace sapwood::bindings
