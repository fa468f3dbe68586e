#include "ranking/ranker_trainer.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "features/candidate_rows.hpp"
#include "text/phrase_tree.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

// The Python form of a tree: (label, begin, end) of each category in preorder, and (tag, word) of each word.
nb::tuple read_tree(const std::string& text, const std::string& name) {
    Symbols symbols;
    const PhraseTree tree = read_one_tree(text, name, symbols);
    nb::list categories, words;
    for (const PhraseTree::Node& node : tree.nodes) {
        const std::string& label = symbols.labels.name(node.label);
        if (node.is_tag())
            words.append(nb::make_tuple(label, symbols.words.name(node.word)));
        else
            categories.append(nb::make_tuple(label, node.begin, node.end));
    }
    return nb::make_tuple(categories, words);
}

}  // namespace

void bind_ranker(nb::module_& m) {
    m.def("tree_rows", &tree_rows, nb::arg("trees"), nb::arg("scores"), nb::arg("name"),
          nb::call_guard<Interruptible>(),
          "The features of phrase-structure trees in brackets, one row per tree. Raises DataError with name and "
          "number.");

    m.def("label_rows", &label_rows, nb::arg("tokens"), nb::arg("labels"), nb::arg("scores"), nb::arg("name"),
          nb::call_guard<Interruptible>(),
          "The features of label sequences, one row per candidate: tokens [lists][tokens][columns], labels "
          "[lists][candidates][tokens], scores of all candidates. Raises DataError.");
    m.def("arc_rows", &arc_rows, nb::arg("tokens"), nb::arg("trees"), nb::arg("scores"), nb::arg("name"),
          nb::call_guard<Interruptible>(),
          "The same for dependency trees, [lists][candidates] of (heads, deprels). Raises DataError.");

    m.def(
        "tree_names",
        [](const std::vector<std::string>& trees, const std::string& name) {
            return candidate_names([&] { return tree_rows(trees, {}, name); });
        },
        nb::arg("trees"), nb::arg("name"), nb::call_guard<Interruptible>(),
        "(key, text) of the features of trees in brackets. Raises DataError.");
    m.def(
        "label_names",
        [](const Tokens& tokens, const std::vector<std::vector<Labels>>& labels, const std::vector<double>& scores,
           const std::string& name) {
            return candidate_names([&] { return label_rows(tokens, labels, scores, name); });
        },
        nb::arg("tokens"), nb::arg("labels"), nb::arg("scores"), nb::arg("name"), nb::call_guard<Interruptible>(),
        "The same of label sequences; arguments as for label_rows.");
    m.def(
        "arc_names",
        [](const Tokens& tokens, const std::vector<std::vector<HeadsAndRelations>>& trees,
           const std::vector<double>& scores,
           const std::string& name) { return candidate_names([&] { return arc_rows(tokens, trees, scores, name); }); },
        nb::arg("tokens"), nb::arg("trees"), nb::arg("scores"), nb::arg("name"), nb::call_guard<Interruptible>(),
        "The same of dependency trees; arguments as for arc_rows.");

    m.def("read_tree", &read_tree, nb::arg("text"), nb::arg("name"),
          nb::sig("def read_tree(text: str, name: str) -> tuple[list[tuple[str, int, int]], list[tuple[str, "
                  "str]]]"),
          "The categories with their spans, and the tagged words, of a tree in brackets. Raises DataError.");

    nb::class_<RankerTrainer>(m, "RankerTrainer", "The training loop of a reranker, a step at a time.")
        .def(
            "__init__",
            [](RankerTrainer* self, const Values& options, const std::string& scratch) {
                new (self) RankerTrainer(options_in<TrainingOptions>(options), scratch);
            },
            nb::arg("options"), nb::arg("scratch") = "",
            "scratch: a folder for files with the lists, which are in memory without one.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<TrainingOptions>(); },
            "The options that it takes, with the choices of each.")
        .def("add", &RankerTrainer::add, nb::arg("rows"), nb::arg("starts"), nb::arg("losses"),
             nb::call_guard<Interruptible>(),
             "Add lists of candidates: their features, the first row of each list and the end, and the loss of "
             "each candidate.")
        .def("prime", &RankerTrainer::prime, nb::arg("key"), nb::arg("weight"), "Set the initial weight of a feature.")
        .def("step", &RankerTrainer::step, nb::arg("tokens"), nb::call_guard<Interruptible>(),
             "Train on this many lists. Return true at the end of an epoch.")
        .def_prop_ro("progress", &RankerTrainer::progress)
        .def(Stateful<RankerTrainer>())
        .def(GoingOn<RankerTrainer>())
        .def(Sharded<RankerTrainer>())
        .def(Freezing<RankerTrainer>());
}

}  // namespace sapwood::bindings
