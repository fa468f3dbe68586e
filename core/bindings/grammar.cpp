#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "parsing/phrase_parser.hpp"
#include "text/normalised_tree.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

nb::list parse(const PhraseParser& parser, const std::vector<std::vector<std::string>>& sentences, size_t n,
               size_t threads) {
    nb::list result;
    for (const auto& list : interruptible([&] { return parser.parse_all(sentences, n, threads); })) {
        nb::list best;
        for (const auto& [tree, score] : list) best.append(nb::make_tuple(tree, score));
        result.append(best);
    }
    return result;
}

}  // namespace

void bind_grammar(nb::module_& m) {
    m.def("normalised_trees", &read_by<&normalised_trees, std::string>, nb::arg("text"), nb::arg("name"),
          "The trees of a treebank's bytes as parsers are trained on them, a line each: no functional tags, no "
          "traces, the root TOP. Raises DataError with name and line.");

    nb::class_<TreebankGrammar>(m, "TreebankGrammar", "Counts of the rules and words of normalised trees.")
        .def_static("of_trees", &TreebankGrammar::of_trees, nb::arg("trees"), nb::arg("vertical"),
                    nb::arg("horizontal"), nb::call_guard<Interruptible>(),
                    "Raises DataError with the number of a tree.")
        .def_static(
            "of_text", [](const nb::bytes& text) { return TreebankGrammar::of_text(view(text)); }, nb::arg("text"),
            "From what to_text gave. Raises ModelError.")
        .def(
            "to_text", [](const TreebankGrammar& g) { return to_bytes(g.to_text()); },
            nb::sig("def to_text(self) -> bytes"));

    nb::class_<PhraseParser>(m, "PhraseParser", "A grammar with probabilities, immutable.")
        .def(nb::init<const TreebankGrammar&>(), nb::arg("counts"), "Raises ModelError.")
        .def("parse", &parse, nb::arg("sentences"), nb::arg("n"), nb::arg("threads"),
             nb::sig("def parse(self, sentences: Sequence[Sequence[str]], n: int, threads: int) -> "
                     "list[list[tuple[str, float]]]"),
             "The n best trees of each sentence with their log probabilities.")
        .def_prop_ro("labels", &PhraseParser::labels, "What the nodes of trees are called.")
        .def_prop_ro("states", &PhraseParser::states)
        .def_prop_ro("rules", &PhraseParser::rules);
}

}  // namespace sapwood::bindings
