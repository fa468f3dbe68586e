#include "ranking/ranker_trainer.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "bindings/bindings.hpp"
#include "features/structure_features.hpp"
#include "features/tree_features.hpp"
#include "text/chunks.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

std::string candidate(const std::string& name, size_t k) {
    return name + ": candidate " + std::to_string(k + 1);
}

// The features of trees, one row each, and, if there are any, the base model's scores among them.
FeatureRows tree_rows(const std::vector<std::string>& trees, const std::vector<double>& scores,
                      const std::string& name) {
    const uint64_t score = hash_bytes("score");
    FeatureRows rows;
    for (size_t k = 0; k < trees.size(); ++k) {
        Symbols symbols;  // of their own: numbers are not compared, and lists are long
        const auto read = read_trees(trees[k], candidate(name, k), 1, symbols);
        if (read.size() != 1) throw DataError(candidate(name, k) + ": a candidate is one tree in brackets");
        TreeFeatures(symbols).add(read[0], rows);
        if (!scores.empty()) rows.add_checked(score, scores.at(k), [&] { return candidate(name, k); });
        rows.end_row();
    }
    return rows;
}

using Tokens = std::vector<std::vector<std::vector<std::string>>>;  // [lists][tokens][columns]

// A row for each structure of each list, by add(features, structure, rows), and the base model's scores among them.
template <class Structure, class Add>
FeatureRows structure_rows(const Tokens& tokens, const std::vector<std::vector<Structure>>& lists,
                           const std::vector<double>& scores, const std::string& name, Add&& add) {
    const uint64_t score = hash_bytes("score");
    if (tokens.size() != lists.size()) throw DataError(name + ": as many sentences as lists are needed");
    StructureFeatures features;
    FeatureRows rows;
    for (size_t s = 0; s < lists.size(); ++s) {
        features.set_tokens(tokens[s]);
        for (const Structure& structure : lists[s]) {
            const size_t row = rows.size();
            rows.add_checked(score, scores.at(row), [&] { return candidate(name, row); });
            add(features, structure, rows);
        }
    }
    return rows;
}

FeatureRows label_rows(const Tokens& tokens, const std::vector<std::vector<std::vector<std::string>>>& lists,
                       const std::vector<double>& scores, const std::string& name) {
    using Labels = std::vector<std::string>;
    return structure_rows<Labels>(tokens, lists, scores, name,
                                  [](StructureFeatures& features, const Labels& labels, FeatureRows& rows) {
                                      spell_chunks(labels) ? features.add_chunks(labels, rows)
                                                           : features.add_labels(labels, rows);
                                  });
}

FeatureRows arc_rows(
    const Tokens& tokens,
    const std::vector<std::vector<std::pair<std::vector<uint32_t>, std::vector<std::string>>>>& lists,
    const std::vector<double>& scores, const std::string& name) {
    using Tree = std::pair<std::vector<uint32_t>, std::vector<std::string>>;
    return structure_rows<Tree>(
        tokens, lists, scores, name, [&](StructureFeatures& features, const Tree& tree, FeatureRows& rows) {
            const auto& [heads, deprels] = tree;
            const bool valid =
                heads.size() == deprels.size() && (heads.empty() || std::ranges::max(heads) <= heads.size());
            if (!valid) throw DataError(name + ": heads and deprels are not those of a tree");
            features.add_tree(heads, deprels, rows);
        });
}

// One tree as (label, begin, end) of each category, from the root down, and (tag, word) of each word.
nb::tuple read_tree(const std::string& text, const std::string& name) {
    Symbols symbols;
    const auto read = read_trees(text, name, 1, symbols);
    if (read.size() != 1) throw DataError(name + ": there is not one tree in brackets");
    nb::list categories, words;
    for (const PhraseTree::Node& node : read[0].nodes) {
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
          nb::call_guard<nb::gil_scoped_release>(),
          "The features of phrase-structure trees in brackets, one row each. Raises DataError with name and "
          "number.");

    m.def("label_rows", &label_rows, nb::arg("tokens"), nb::arg("labels"), nb::arg("scores"), nb::arg("name"),
          nb::call_guard<nb::gil_scoped_release>(),
          "The features of labellings, one row each: tokens [lists][tokens][columns], labels "
          "[lists][candidates][tokens], "
          "scores of all candidates. Raises DataError.");
    m.def("arc_rows", &arc_rows, nb::arg("tokens"), nb::arg("trees"), nb::arg("scores"), nb::arg("name"),
          nb::call_guard<nb::gil_scoped_release>(),
          "The same of dependency trees, [lists][candidates] of heads and deprels. Raises DataError.");

    m.def("read_tree", &read_tree, nb::arg("text"), nb::arg("name"),
          nb::sig("def read_tree(text: str, name: str) -> tuple[list[tuple[str, int, int]], list[tuple[str, "
                  "str]]]"),
          "Categories with their spans, and tagged words, of a tree in brackets. Raises DataError.");

    nb::class_<RankerTrainer>(m, "RankerTrainer", "The training loop of a reranker, a step at a time.")
        .def(
            "__init__",
            [](RankerTrainer* self, const std::string& update, double gamma, uint32_t min_updates,
               bool average, uint64_t seed, bool shuffled) {
                TrainingOptions training;
                training.learner = {update_of(update), static_cast<float>(gamma), min_updates, average};
                training.seed = seed;
                training.shuffled = shuffled;
                new (self) RankerTrainer(training);
            },
            nb::kw_only(), nb::arg("update"), nb::arg("gamma"), nb::arg("min_updates"), nb::arg("average"),
            nb::arg("seed"), nb::arg("shuffled"))
        .def("add", &RankerTrainer::add, nb::arg("rows"), nb::arg("starts"), nb::arg("losses"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Add lists of candidates: their features, the first row of each list and the end, each one's "
             "loss.")
        .def("prime", &RankerTrainer::prime, nb::arg("key"), nb::arg("weight"),
             "Set a weight before training.")
        .def("step", &RankerTrainer::step, nb::arg("tokens"), nb::call_guard<nb::gil_scoped_release>(),
             "Train on so many lists; true at the end of an epoch.")
        .def_prop_ro("progress", &RankerTrainer::progress)
        .def(
            "freeze",
            [](const RankerTrainer& t, unsigned bits, double shrink) { return t.freeze({bits, shrink}); },
            nb::arg("bits"), nb::arg("shrink"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace sapwood::bindings
