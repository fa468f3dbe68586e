#include "parsing/parser.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "model/freeze.hpp"
#include "parsing/parser_explainer.hpp"
#include "parsing/parser_trainer.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using Names = std::vector<std::string>;

ParserSearch parser_search(const std::string& name) {
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

// What the trainer and the parser are both told. The labels come later.
ParserSpec spec_of(Keywords& given) {
    ParserSpec spec;
    spec.search = parser_search(given.take<std::string>("search"));
    spec.order = given.take<unsigned>("order");
    spec.beam = given.take<size_t>("beam");
    spec.single_root = given.take<bool>("single_root");
    spec.labelling = labelling_of(given.take<std::string>("labelling"));
    spec.features = given.take<std::string>("template");
    spec.clusters = given.take<Clusters>("clusters", nullptr);
    for (const std::string& tag : given.take<Names>("tags")) spec.tags.push_back(field_of(tag));
    return spec;
}

void make_trainer(ParserTrainer* self, const Conllu& data, const nb::kwargs& arguments) {
    Keywords given(arguments);
    ParserSpec spec = spec_of(given);
    ParserOptions options;
    options.training = training_options(given, given.take<std::string>("update"));
    options.early = given.take<bool>("early");
    options.k_best = given.take<size_t>("k_best");
    options.skip_non_projective = given.take<bool>("skip_non_projective");
    const auto labels = given.take<Names>("labels", {}), root = given.take<Names>("root_labels", {}),
               left = given.take<Names>("left_labels", {}), right = given.take<Names>("right_labels", {});
    spec.set_labels(labels, root, left, right);
    given.finish();
    const Interruptible work;
    new (self) ParserTrainer(parser_trainer(data, std::move(spec), options));
}

void make_parser(Parser* self, const std::vector<PackedTable>& tables, const nb::kwargs& arguments) {
    Keywords given(arguments);
    ParserSpec spec = spec_of(given);
    const auto labels = given.take<Names>("labels"), root = given.take<Names>("root_labels"),
               left = given.take<Names>("left_labels"), right = given.take<Names>("right_labels");
    const auto bits = given.take<unsigned>("bits");
    const auto scale = given.take<double>("scale");
    given.finish();
    const Interruptible work;
    spec.set_labels(labels, root, left, right);
    new (self) Parser(std::move(spec), tables, bits, scale);
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

nb::bytes explain(const Parser& self, const OutputNames& outputs, const Conllu& data, const Question& question,
                  size_t begin, size_t end, size_t threads) {
    return to_bytes(interruptible([&] { return explain_parses(self, outputs, data, question, begin, end, threads); }));
}

nb::tuple margins(const Parser& self, const Conllu& data, size_t threads) {
    const ParseMargins found = interruptible([&] { return parse_margins(self, data, threads); });
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
        .def("__init__", &make_trainer, nb::arg("data"), nb::arg("options"),
             nb::sig("def __init__(self, data: Conllu, *, search: str, order: int, beam: int, "
                     "single_root: bool, labelling: str, template: str, tags: Sequence[str], update: str, "
                     "gamma: float, min_updates: int, batch: int = 1, batch_threads: int = 1, mixings: int = 1, "
                     "average: bool, "
                     "false_matches: float = ..., early: "
                     "bool, k_best: int, "
                     "skip_non_projective: bool, names: bool, seed: int, clusters: WordClusters | None = None, labels: "
                     "Sequence[str] = (), root_labels: Sequence[str] = (), left_labels: Sequence[str] = (), "
                     "right_labels: Sequence[str] = ()) -> None"))
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
        .def("__init__", &make_parser, nb::arg("tables"), nb::arg("options"),
             nb::sig(
                 "def __init__(self, tables: Sequence[PackedTable], *, search: str, order: int, "
                 "beam: int, single_root: bool, labelling: str, template: str, tags: Sequence[str], "
                 "labels: Sequence[str], root_labels: Sequence[str], left_labels: Sequence[str], "
                 "right_labels: Sequence[str], bits: int, scale: float, clusters: WordClusters | None = None) -> None"))
        .def("predict", &predict, nb::arg("data"), nb::arg("threads"),
             nb::sig("def predict(self, data: Conllu, threads: int) -> list[tuple[list[int], list[str]]]"),
             "(heads, relations) of each sentence.")
        .def("annotate", &annotate, nb::arg("data"), nb::arg("threads"),
             "The bytes that were read, with heads and relations.")
        .def("n_best", &n_best, nb::arg("data"), nb::arg("count"),
             nb::sig("def n_best(self, data: Conllu, count: int) -> "
                     "list[list[tuple[tuple[list[int], list[str]], float]]]"),
             "The best trees of each sentence with their scores, best first.")
        .def("explain", &explain, nb::arg("outputs"), nb::arg("data"), nb::arg("question"), nb::arg("begin"),
             nb::arg("end"), nb::arg("threads"),
             "A line of JSON for each decision about the sentences begin..end - 1; `outputs` are the names of each "
             "table's.")
        .def("margins", &margins, nb::arg("data"), nb::arg("threads"),
             nb::sig("def margins(self, data: Conllu, threads: int) -> tuple[list[list[float]], ...]"),
             "How far arcs and, where they come from a second stage, relations are ahead of the best other ones.")
        .def("weights", &weights, nb::sig("def weights(self) -> list[tuple[int, int, int, float]]"),
             "(table, row, output, weight) of every weight that is not zero.");
    m.def("looks_at_clusters", &ParserSpec::looks_at_clusters, nb::arg("template"),
          "Whether a line of a parser's template looks at the cluster of a word.");
    m.def(
        "slow_sentence",
        [](const Conllu& data, const std::string& search, unsigned order) {
            return slow_sentence(data, parser_search(search), order);
        },
        nb::arg("data"), nb::arg("search"), nb::arg("order"),
        "A warning about the longest sentence if a parser needs more than a few seconds for it; otherwise empty.");
}

}  // namespace sapwood::bindings
