#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "bindings/bindings.hpp"
#include "parsing/phrase_parser.hpp"
#include "text/normalised_tree.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using Scored = std::pair<std::string, double>;

std::vector<std::string> normalised_trees(const nb::bytes& text, const std::string& name) {
    const std::string_view bytes = view(text);
    nb::gil_scoped_release release;
    Symbols symbols;
    std::vector<std::string> trees;
    for (const PhraseTree& tree : read_trees(bytes, name, 1, symbols)) {
        const PhraseTree result = normalised(tree, symbols);
        if (result.depth() > kDeepestTree)  // it could not be read again
            throw DataError(name + ":" + std::to_string(result.line) +
                            ": a tree of more than 1,000 levels, its root " + std::string(kRootLabel) +
                            " included");
        if (!result.nodes.empty()) trees.push_back(to_text(result, symbols));
    }
    return trees;
}

TreebankGrammar grammar_of(const std::vector<std::string>& trees, size_t vertical, size_t horizontal) {
    TreebankGrammar grammar(vertical, horizontal);
    for (size_t k = 0; k < trees.size(); ++k) {
        Symbols symbols;
        for (const PhraseTree& tree : read_trees(trees[k], "trees", k + 1, symbols))
            grammar.add(tree, symbols);
    }
    return grammar;
}

std::vector<std::vector<Scored>> parse(const PhraseParser& parser,
                                       const std::vector<std::vector<std::string>>& sentences, size_t n,
                                       size_t threads) {
    std::vector<std::vector<Scored>> lists(sentences.size());
    const auto make = [&] {
        return [&, workspace = PhraseParser::Workspace(parser)](size_t s) mutable {
            for (auto& [tree, score] : parser.parse(sentences[s], n, workspace))
                lists[s].emplace_back(std::move(tree), score);
        };
    };
    for_each_sentence(sentences.size(), threads, make, 1);
    return lists;
}

}  // namespace

void bind_grammar(nb::module_& m) {
    m.def("normalised_trees", &normalised_trees, nb::arg("text"), nb::arg("name"),
          "The trees of a treebank's bytes as parsers are trained on them, a line each: no functional tags, "
          "no traces, "
          "the root TOP. Raises DataError with name and line.");

    nb::class_<TreebankGrammar>(m, "TreebankGrammar", "Counts of the rules and words of normalised trees.")
        .def_static("of_trees", &grammar_of, nb::arg("trees"), nb::arg("vertical"), nb::arg("horizontal"),
                    nb::call_guard<nb::gil_scoped_release>(), "Raises DataError with the number of a tree.")
        .def_static(
            "of_text", [](const nb::bytes& text) { return TreebankGrammar::of_text(view(text)); },
            nb::arg("text"), "From what to_text gave. Raises ModelError.")
        .def(
            "to_text", [](const TreebankGrammar& g) { return to_bytes(g.to_text()); },
            nb::sig("def to_text(self) -> bytes"));

    nb::class_<PhraseParser>(m, "PhraseParser", "A grammar with probabilities, immutable.")
        .def(nb::init<const TreebankGrammar&>(), nb::arg("counts"), "Raises ModelError.")
        .def("parse", &parse, nb::arg("sentences"), nb::arg("n"), nb::arg("threads"),
             nb::call_guard<nb::gil_scoped_release>(),
             "The n best trees of each sentence with their log probabilities.")
        .def_prop_ro("labels", &PhraseParser::labels, "What the nodes of trees are called.")
        .def_prop_ro("states", &PhraseParser::states)
        .def_prop_ro("rules", &PhraseParser::rules);
}

}  // namespace sapwood::bindings
