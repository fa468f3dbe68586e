#include "parsing/parser.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "parsing/parser_trainer.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

ParserSearch search_of(const std::string& name) {
    if (name == "eisner") return ParserSearch::eisner;
    if (name == "easy-first") return ParserSearch::easy_first;
    if (name == "beam") return ParserSearch::beam;
    throw OptionError("search is eisner, easy-first or beam, not '" + name + "'");
}

Labelling labelling_of(const std::string& name) {
    if (name == "joint") return Labelling::joint;
    if (name == "second-stage") return Labelling::second_stage;
    if (name == "none") return Labelling::none;
    throw OptionError("labels are joint, second-stage or none, not '" + name + "'");
}

ParserSpec spec_of(const std::string& search, unsigned order, size_t beam, bool single_root,
                   const std::string& labelling, std::string features, const std::vector<std::string>& tags) {
    ParserSpec spec{search_of(search),   order, beam, single_root, labelling_of(labelling),
                    std::move(features), {},    {},   {},          {}};
    for (const std::string& tag : tags) spec.tags.push_back(field_of(tag));
    return spec;
}

// The bytes that were read, with heads and relations.
nb::bytes annotate(const Parser& self, const Conllu& data, size_t threads) {
    std::string out;
    {
        nb::gil_scoped_release release;
        const std::vector<Tree> trees = self.parse(data, threads);
        std::vector<std::string> numbers;
        for (const Tree& tree : trees)
            while (numbers.size() <= tree.words()) numbers.push_back(std::to_string(numbers.size()));
        Conllu::Replacement heads{Field::head, {}}, deprels{Field::deprel, {}};
        heads.cells.reserve(data.words());
        deprels.cells.reserve(data.words());
        for (const Tree& tree : trees)
            for (size_t m = 1; m <= tree.words(); ++m) {
                heads.cells.push_back(numbers[tree.heads[m]]);
                deprels.cells.push_back(self.labels().name(tree.labels[m]));
            }
        std::vector<Conllu::Replacement> columns;
        columns.push_back(std::move(heads));
        columns.push_back(std::move(deprels));
        out = data.write(std::move(columns));
    }
    return to_bytes(out);
}

nb::list predict(const Parser& self, const Conllu& data, size_t threads) {
    std::vector<Tree> trees;
    {
        nb::gil_scoped_release release;
        trees = self.parse(data, threads);
    }
    nb::list list;
    for (const Tree& tree : trees) list.append(to_python(tree, self.labels()));
    return list;
}

nb::list n_best(const Parser& self, const Conllu& data, size_t count) {
    nb::list sentences;
    for (size_t s = 0; s < data.sentences(); ++s) {
        std::vector<Parser::Ranked> ranked;
        {
            nb::gil_scoped_release release;
            ranked = self.n_best(data, s, count);
        }
        nb::list best;
        for (const Parser::Ranked& r : ranked)
            best.append(nb::make_tuple(to_python(r.tree, self.labels()), r.score));
        sentences.append(best);
    }
    return sentences;
}

nb::list weights(const Parser& self) {
    nb::list all;
    for (const Weight& w : self.weights()) all.append(nb::make_tuple(w.table, w.feature, w.output, w.weight));
    return all;
}

std::vector<std::string> names_of(const ParserSpec& spec, const std::vector<uint32_t>& labels) {
    std::vector<std::string> names;
    for (uint32_t label : labels) names.push_back(spec.labels[label]);
    return names;
}

}  // namespace

void bind_parser(nb::module_& m) {
    nb::class_<ParserTrainer>(m, "ParserTrainer",
                              "The training loop of a dependency parser, a step at a time.")
        .def(
            "__init__",
            [](ParserTrainer* self, const Conllu& data, const std::string& search, unsigned order,
               size_t beam, bool single_root, const std::string& labelling, std::string features,
               const std::vector<std::string>& tags, const std::string& update, double gamma,
               uint32_t min_updates, bool average, bool early, size_t k_best, bool skip_non_projective,
               bool names, uint64_t seed) {
                ParserSpec spec =
                    spec_of(search, order, beam, single_root, labelling, std::move(features), tags);
                const ParserTrainerOptions options{
                    {update_of(update), static_cast<float>(gamma), min_updates, average},
                    early,
                    k_best,
                    skip_non_projective,
                    names,
                    seed};
                nb::gil_scoped_release release;
                new (self) ParserTrainer(data, std::move(spec), options);
            },
            nb::arg("data"), nb::kw_only(), nb::arg("search"), nb::arg("order"), nb::arg("beam"),
            nb::arg("single_root"), nb::arg("labelling"), nb::arg("template"), nb::arg("tags"),
            nb::arg("update"), nb::arg("gamma"), nb::arg("min_updates"), nb::arg("average"), nb::arg("early"),
            nb::arg("k_best"), nb::arg("skip_non_projective"), nb::arg("names"), nb::arg("seed"))
        .def("step", &ParserTrainer::step, nb::arg("tokens"), nb::call_guard<nb::gil_scoped_release>(),
             "Train on about so many words; true at the end of an epoch.")
        .def_prop_ro("progress", &ParserTrainer::progress)
        .def_prop_ro("bytes", &ParserTrainer::bytes, "Memory of the training set and the weights.")
        .def_prop_ro("labels", [](const ParserTrainer& t) { return t.spec().labels; })
        .def_prop_ro(
            "root_labels", [](const ParserTrainer& t) { return names_of(t.spec(), t.spec().root_labels); },
            "Labels that children of the root have.")
        .def_prop_ro(
            "left_labels", [](const ParserTrainer& t) { return names_of(t.spec(), t.spec().left_labels); },
            "Labels that words to the left of their heads have.")
        .def_prop_ro(
            "right_labels", [](const ParserTrainer& t) { return names_of(t.spec(), t.spec().right_labels); },
            "Labels that words to the right of their heads have.")
        .def_prop_ro("sentences", &ParserTrainer::sentences, "That it learns from.")
        .def_prop_ro("words", &ParserTrainer::words)
        .def_prop_ro("non_projective_sentences", &ParserTrainer::non_projective_sentences)
        .def_prop_ro("lifted_arcs", &ParserTrainer::lifted_arcs)
        .def(
            "freeze",
            [](const ParserTrainer& t, unsigned bits, double shrink) { return t.freeze({bits, shrink}); },
            nb::arg("bits"), nb::arg("shrink"), nb::call_guard<nb::gil_scoped_release>())
        .def("names", &ParserTrainer::names, nb::arg("model"), nb::call_guard<nb::gil_scoped_release>(),
             "Texts of the features, by table, in the model's order.");

    nb::class_<Parser>(m, "Parser", "A frozen dependency parser; immutable, shared by threads.")
        .def(
            "__init__",
            [](Parser* self, const std::string& search, unsigned order, size_t beam, bool single_root,
               const std::string& labelling, std::string features, const std::vector<std::string>& tags,
               const std::vector<std::string>& labels, const std::vector<std::string>& root_labels,
               const std::vector<std::string>& left_labels, const std::vector<std::string>& right_labels,
               const std::vector<PackedTable>& tables, unsigned bits, double scale) {
                ParserSpec spec =
                    spec_of(search, order, beam, single_root, labelling, std::move(features), tags);
                LabelSet set;
                for (const std::string& label : labels) set.number(label);
                spec.labels = set.names();
                const auto numbers = [&](const std::vector<std::string>& names) {
                    std::vector<uint32_t> result;
                    for (const std::string& name : names) {
                        const auto number = set.find(name);
                        if (!number || (!result.empty() && *number <= result.back()))
                            throw ModelError(
                                "its root, left or right labels are not some of its labels in their order");
                        result.push_back(*number);
                    }
                    return result;
                };
                spec.root_labels = numbers(root_labels);
                spec.left_labels = numbers(left_labels);
                spec.right_labels = numbers(right_labels);
                nb::gil_scoped_release release;
                new (self) Parser(std::move(spec), tables, bits, scale);
            },
            nb::kw_only(), nb::arg("search"), nb::arg("order"), nb::arg("beam"), nb::arg("single_root"),
            nb::arg("labelling"), nb::arg("template"), nb::arg("tags"), nb::arg("labels"),
            nb::arg("root_labels"), nb::arg("left_labels"), nb::arg("right_labels"), nb::arg("tables"),
            nb::arg("bits"), nb::arg("scale"))
        .def("predict", &predict, nb::arg("data"), nb::arg("threads"),
             nb::sig("def predict(self, data: Conllu, threads: int) -> list[tuple[list[int], list[str]]]"),
             "(heads, relations) of each sentence.")
        .def("annotate", &annotate, nb::arg("data"), nb::arg("threads"),
             "The bytes that were read, with heads and relations.")
        .def("n_best", &n_best, nb::arg("data"), nb::arg("count"),
             nb::sig("def n_best(self, data: Conllu, count: int) -> "
                     "list[list[tuple[tuple[list[int], list[str]], float]]]"),
             "The best trees of each sentence with their scores, best first.")
        .def("weights", &weights, nb::sig("def weights(self) -> list[tuple[int, int, int, float]]"),
             "(table, row, output, weight) of every weight that is not zero.")
        .def("rows_added", &Parser::rows_added, nb::arg("data"), nb::call_guard<nb::gil_scoped_release>(),
             "How many rows of each table are added up to parse the data; for benchmarks.")
        .def("gather", &Parser::gather, nb::arg("table"), nb::arg("count"), nb::arg("rows"), nb::arg("seed"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Add up `count` pseudo-random rows, `rows` at a time, as scoring does; for benchmarks.")
        .def_prop_ro("bytes", &Parser::bytes, "Memory of the weights.");
}

}  // namespace sapwood::bindings
