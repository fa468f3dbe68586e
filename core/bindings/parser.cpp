#include "parsing/parser.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "making/parts.hpp"
#include "model/freeze.hpp"
#include "parsing/parser_explainer.hpp"
#include "parsing/parser_trainer.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using Names = std::vector<std::string>;

void make_parser_trainer(ParserTrainer* self, const Conllu& data, nb::handle model, const Values& options,
                         nb::handle known) {
    auto spec = options_in<ParserSpec, ParserOptions>(options);
    const auto learning = options_in<ParserOptions, ParserSpec>(options);
    making::describe(without_weights(model), spec);
    if (!known.is_none()) making::set_labels(without_weights(known), spec);
    const Interruptible work;
    new (self) ParserTrainer(parser_trainer(data, std::move(spec), learning));
}

void make_parser(Parser* self, nb::handle model) {
    const file::ModelFile file = model_of(model);
    const Interruptible work;
    new (self) Parser(making::parser_of(file));
}

nb::bytes annotate(const Parser& self, const Conllu& data, size_t threads) {
    return to_bytes(interruptible([&] { return self.annotate(data, threads); }));
}

nb::list predict(const Parser& self, const Conllu& data, size_t threads) {
    nb::list list;
    for (const Tree& tree : interruptible([&] { return self.parse(data, threads); }))
        list.append(to_python(tree, self.labels()));
    return list;
}

nb::list n_best(const Parser& self, const Conllu& data, size_t count) {
    nb::list sentences;
    for (size_t s = 0; s < data.sentences(); ++s) {
        nb::list best;
        for (const auto& [tree, score] : interruptible([&] { return self.n_best(data, s, count); }))
            best.append(nb::make_tuple(to_python(tree, self.labels()), score));
        sentences.append(best);
    }
    return sentences;
}

nb::bytes explain(const Parser& self, const Conllu& data, const Question& question, size_t begin, size_t end,
                  size_t threads) {
    return to_bytes(interruptible([&] { return explain_parses(self, data, question, begin, end, threads); }));
}

nb::list outputs(const Parser& self) {
    nb::list tables;
    for (const auto& table : output_names(self.spec())) {
        nb::list outputs;
        for (const OutputName& output : table)
            outputs.append(
                nb::make_tuple(to_str(output.name), output.label ? nb::object(to_str(*output.label)) : nb::none()));
        tables.append(outputs);
    }
    return tables;
}

nb::tuple margins(const Parser& self, const Conllu& data, size_t threads) {
    const Parser::Margins found = interruptible([&] { return self.margins(data, threads); });
    const auto by_sentence = [&](const std::vector<double>& margins) {
        nb::list sentences;
        for (size_t s = 0; s < data.sentences(); ++s) {
            nb::list words;
            for (size_t w = data.begin(s); w < data.end(s); ++w) words.append(nb::float_(margins[w]));
            sentences.append(words);
        }
        return sentences;
    };
    if (found.relations.empty()) return nb::make_tuple(by_sentence(found.arcs));
    return nb::make_tuple(by_sentence(found.arcs), by_sentence(found.relations));
}

nb::list weights(const Parser& self) {
    nb::list all;
    for (const Weight& w : self.model().weights()) all.append(nb::make_tuple(w.table, w.feature, w.output, w.weight));
    return all;
}

template <std::vector<uint32_t> ParserSpec::* labels>
Names names_of(const ParserTrainer& trainer) {
    const ParserSpec& spec = trainer.problem().spec();
    Names names;
    for (uint32_t label : spec.*labels) names.push_back(spec.labels[label]);
    return names;
}

template <auto get>
auto of_problem(const ParserTrainer& trainer) {
    return (trainer.problem().*get)();
}

}  // namespace

void bind_parser(nb::module_& m) {
    nb::class_<ParserTrainer>(m, "ParserTrainer", "The training loop of a dependency parser, a step at a time.")
        .def("__init__", &make_parser_trainer, nb::arg("data"), nb::arg("model"), nb::arg("options"),
             nb::arg("known").none() = nb::none(),
             "model: the ModelFile that it trains, without weights and labels. known: that of an earlier training that "
             "this one continues.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<ParserOptions, ParserSpec>(); },
            "The options that it takes, with the choices of each.")
        .def("step", &ParserTrainer::step, nb::arg("tokens"), nb::call_guard<Interruptible>(),
             "Train on about so many words; true at the end of an epoch.")
        .def_prop_ro("progress", &ParserTrainer::progress)
        .def_prop_ro("labels", [](const ParserTrainer& t) { return t.problem().spec().labels; })
        .def_prop_ro("root_labels", &names_of<&ParserSpec::root_labels>, "Labels that children of the root have.")
        .def_prop_ro("left_labels", &names_of<&ParserSpec::left_labels>,
                     "Labels that words to the left of their heads have.")
        .def_prop_ro("right_labels", &names_of<&ParserSpec::right_labels>,
                     "Labels that words to the right of their heads have.")
        .def_prop_ro("sentences", &of_problem<&ParserProblem::examples>, "That it learns from.")
        .def_prop_ro("words", &of_problem<&ParserProblem::words>)
        .def_prop_ro("non_projective_sentences", &of_problem<&ParserProblem::non_projective_sentences>)
        .def_prop_ro("lifted_arcs", &of_problem<&ParserProblem::lifted_arcs>)
        .def(Stateful<ParserTrainer>())
        .def(GoingOn<ParserTrainer>())
        .def(Sharded<ParserTrainer>())
        .def(Freezing<ParserTrainer>())
        .def("names", &feature_names<ParserProblem>, nb::arg("model"), nb::call_guard<Interruptible>(),
             "Texts of the features, by table, in the model's order.");

    nb::class_<Parser>(m, "Parser", "A frozen dependency parser; immutable, shared by threads.")
        .def("__init__", &make_parser, nb::arg("model"), "The parser in a ModelFile. Raises ModelError, TemplateError.")
        .def("predict", &predict, nb::arg("data"), nb::arg("threads"),
             nb::sig("def predict(self, data: Conllu, threads: int) -> list[tuple[list[int], list[str]]]"),
             "(heads, relations) of each sentence.")
        .def("annotate", &annotate, nb::arg("data"), nb::arg("threads"),
             "The bytes that were read, with heads and relations.")
        .def("n_best", &n_best, nb::arg("data"), nb::arg("count"),
             nb::sig("def n_best(self, data: Conllu, count: int) -> "
                     "list[list[tuple[tuple[list[int], list[str]], float]]]"),
             "The best trees of each sentence with their scores, best first.")
        .def("explain", &explain, nb::arg("data"), nb::arg("question"), nb::arg("begin"), nb::arg("end"),
             nb::arg("threads"), "A line of JSON for each decision about the sentences begin..end - 1.")
        .def_prop_ro("outputs", &outputs, nb::sig("def outputs(self) -> list[list[tuple[str, str | None]]]"),
                     "The outputs of each table: their names and, of those that make arcs with one, the label.")
        .def("margins", &margins, nb::arg("data"), nb::arg("threads"),
             nb::sig("def margins(self, data: Conllu, threads: int) -> tuple[list[list[float]], ...]"),
             "How far arcs and, where they come from a second stage, relations are ahead of the best other ones.")
        .def(
            "gaps",
            [](const Parser& self, const Conllu& data, size_t threads) {
                return interruptible([&] { return self.gaps(data, threads); });
            },
            nb::arg("data"), nb::arg("threads"),
            "For each sentence the least gap with which a beam parser gives it the same tree, as far as that can be "
            "told.")
        .def("weights", &weights, nb::sig("def weights(self) -> list[tuple[int, int, int, float]]"),
             "(table, row, output, weight) of every weight that is not zero.");
    m.def("looks_at_clusters", &ParserSpec::looks_at_clusters, nb::arg("template"),
          "Whether a line of a parser's template looks at the cluster of a word.");
    m.def(
        "slow_sentence",
        [](const Conllu& data, const Values& options) {
            return slow_sentence(data, options_in<ParserSpec, ParserOptions>(options));
        },
        nb::arg("data"), nb::arg("options"),
        "A warning about the longest sentence if a parser needs more than a few seconds for it; otherwise empty.");
}

}  // namespace sapwood::bindings
