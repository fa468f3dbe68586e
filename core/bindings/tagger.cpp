#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <set>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/bound_tagger.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "model/gather.hpp"
#include "tagging/tagger_trainer.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

TagDictionary unpack_dictionary(std::vector<size_t> columns, const nb::bytes& values, const nb::bytes& labels,
                                size_t label_count) {
    if (values.size() % sizeof(uint64_t) != 0 || labels.size() % sizeof(uint32_t) != 0)
        throw ModelError("its tag dictionary has the wrong length");
    return TagDictionary(std::move(columns), numbers_of<uint64_t>(values), numbers_of<uint32_t>(labels), label_count);
}

}  // namespace

void bind_tagger(nb::module_& m) {
    nb::class_<Template>(m, "Template", "A compiled feature template.")
        .def(
            "__init__",
            [](Template* self, const std::string& text, const std::string& name, std::vector<std::string> columns,
               size_t label, std::optional<std::vector<std::string>> fields) {
                const bool documents = fields.has_value();
                new (self) Template(text, name,
                                    Header{std::move(columns), label, documents,
                                           std::move(fields).value_or(std::vector<std::string>())});
            },
            nb::arg("text"), nb::arg("name"), nb::arg("columns"), nb::arg("label"),
            nb::arg("fields").none() = nb::none(),
            "For columns, or with `fields` for documents. Raises TemplateError with name and line.")
        .def_prop_ro("word_lists", &Template::list_names, "Names of the word lists that it asks for, in order.")
        .def_prop_ro(
            "uses_clusters", [](const Template& t) { return t.uses(Attribute::Kind::cluster); },
            "Whether a line has %cluster.")
        .def_prop_ro(
            "uses_lexicon", [](const Template& t) { return t.uses(Attribute::Kind::lexicon); },
            "Whether a line has %lexicon.")
        .def_prop_ro("columns_needed", &Template::columns_needed)
        .def_prop_ro(
            "columns_read",
            [](const Template& t) {
                std::set<size_t> columns;
                for (const Attribute& a : t.attributes())
                    if (a.kind != Attribute::Kind::field) columns.insert(a.column);
                return std::vector<size_t>(columns.begin(), columns.end());
            },
            "Numbers of the columns that its lines look at, ascending.")
        .def_prop_ro("lines", [](const Template& t) { return t.lines().size(); });

    nb::class_<Progress>(m, "Progress")
        .def_ro("epoch", &Progress::epoch)
        .def_ro("examples", &Progress::examples)
        .def_ro("mistakes", &Progress::mistakes)
        .def_ro("features", &Progress::features)
        .def_ro("updates", &Progress::updates)
        .def_ro("repeated", &Progress::repeated)
        .def_ro("given_up", &Progress::given_up);

    nb::class_<TagDictionary>(m, "TagDictionary", "The labels that training has with each value of a column.")
        .def(nb::init<>(), "One that allows every label.")
        .def_static("unpack", &unpack_dictionary, nb::arg("columns"), nb::arg("values"), nb::arg("labels"),
                    nb::arg("label_count"), "Raises ModelError.")
        .def_prop_ro(
            "values", [](const TagDictionary& d) { return bytes_of_numbers(d.values()); },
            "Sorted 64-bit hashes of the values.")
        .def_prop_ro(
            "labels", [](const TagDictionary& d) { return bytes_of_numbers(d.packed()); },
            "For each value the number of its labels, then the labels, in 32 bits each.");

    nb::class_<LabelSearchTraits>(m, "LabelSearch", "A search over label sequences.")
        .def_ro("about", &LabelSearchTraits::about, "How it searches, in a few words.")
        .def_prop_ro("joins", &LabelSearchTraits::joins, "Whether labels beside a token are part of its features.")
        .def_ro("joins_late", &LabelSearchTraits::joins_late, "Whether these are the search's own in training, always.")
        .def_ro("whole", &LabelSearchTraits::whole, "Whether it ranks whole sequences.")
        .def_ro("takes_dictionary", &LabelSearchTraits::takes_dictionary, "Whether a tag dictionary goes with it.")
        .def_ro("repeats", &LabelSearchTraits::repeats, "Whether guided learning may present a decision repeatedly.");
    m.def(
        "label_searches",
        [] {
            nb::typed<nb::dict, nb::str, LabelSearchTraits> by_name;
            for (const LabelSearchTraits& traits : kSearchTraits) by_name[traits.name] = traits;
            return by_name;
        },
        "The searches over label sequences, by name.");

    nb::class_<TaggerTrainer>(m, "TaggerTrainer", "The training loop, a step at a time.")
        .def(
            "__init__",
            [](TaggerTrainer* self, const Columns* data, size_t label, const Template& pattern, const Lists& lists,
               const Values& options, std::vector<size_t> dictionary, const Clusters& clusters,
               const SharedLexicon& lexicon, std::vector<std::string> known_labels,
               const TagDictionary* known_dictionary, std::string scratch) {
                auto all = options_in<TaggerOptions>(options);
                all.dictionary = std::move(dictionary);
                all.known_labels = std::move(known_labels);
                if (known_dictionary != nullptr) all.known_dictionary = *known_dictionary;
                all.scratch = std::move(scratch);
                const Interruptible work;
                Extractor features = extractor({all.search, all.order, {}}, pattern, lists, {clusters, lexicon});
                if (data == nullptr)
                    new (self) TaggerTrainer(label, std::move(features), all);
                else
                    new (self) TaggerTrainer(*data, label, std::move(features), all);
            },
            nb::arg("data").none(), nb::arg("label"), nb::arg("template"), nb::arg("word_lists"), nb::arg("options"),
            nb::arg("dictionary") = std::vector<size_t>(), nb::arg("clusters").none() = nb::none(),
            nb::arg("lexicon").none() = nb::none(), nb::arg("known_labels") = std::vector<std::string>(),
            nb::arg("known_dictionary").none() = nb::none(), nb::arg("scratch") = "", nb::keep_alive<1, 2>(),
            "dictionary: the columns of a tag dictionary. known_labels, known_dictionary: of a training from which "
            "this "
            "one goes on. scratch: a folder for files with the examples, which are in memory without one.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<TaggerOptions>(); },
            "The options that it takes, with the choices of each.")
        .def("add", &TaggerTrainer::add, nb::arg("data"), nb::call_guard<Interruptible>(),
             "Add a part of the data, if none were given to the constructor; after the last part call finish. Raises "
             "DataError.")
        .def("finish", &TaggerTrainer::finish, nb::call_guard<Interruptible>(),
             "To be called when all data are added. Raises DataError, OptionError.")
        .def_prop_ro("sentences", &TaggerTrainer::sentences)
        .def_prop_ro("tokens", &TaggerTrainer::tokens)
        .def("step", &TaggerTrainer::step, nb::arg("tokens"), nb::call_guard<Interruptible>(),
             "Train on about so many tokens; true at the end of an epoch.")
        .def_prop_ro("progress", &TaggerTrainer::progress)
        .def_prop_ro("bytes", &TaggerTrainer::bytes, "Memory of the training set and the weights.")
        .def_prop_ro("labels", [](const TaggerTrainer& t) { return t.spec().labels; })
        .def_prop_ro("dictionary", &TaggerTrainer::dictionary)
        .def(Stateful<TaggerTrainer>())
        .def(GoingOn<TaggerTrainer>())
        .def(Sharded<TaggerTrainer>())
        .def(Freezing<TaggerTrainer>())
        .def("names", &TaggerTrainer::names, nb::arg("model"), nb::call_guard<Interruptible>(),
             "Texts of the features, by table, in the model's order; only if they are kept.");

    nb::class_<BoundTagger>(m, "Tagger", "A frozen tagger; immutable, shared by threads.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<SequenceOptions>(); },
            "The options that it takes, with the choices of each.")
        .def(
            "__init__",
            [](BoundTagger* self, const Values& options, std::vector<std::string> labels, const Template& pattern,
               const Lists& lists, const TagDictionary& dictionary, const std::vector<PackedTable>& tables,
               unsigned bits, double scale, const Clusters& clusters, const SharedLexicon& lexicon) {
                const auto chosen = options_in<SequenceOptions>(options);
                const Interruptible work;
                new (self) BoundTagger({chosen.search, chosen.order, std::move(labels)}, chosen.iobes, pattern, lists,
                                       dictionary, tables, bits, scale, {clusters, lexicon});
            },
            nb::arg("options"), nb::arg("labels"), nb::arg("template"), nb::arg("word_lists"), nb::arg("dictionary"),
            nb::arg("tables"), nb::arg("bits"), nb::arg("scale"), nb::arg("clusters").none() = nb::none(),
            nb::arg("lexicon").none() = nb::none())
        .def("predict", &BoundTagger::predict, nb::arg("data"), nb::arg("threads"),
             nb::sig("def predict(self, data: Columns, threads: int) -> list[list[str]]"), "Labels by sentence.")
        .def("annotate", &BoundTagger::annotate, nb::arg("data"), nb::arg("threads"),
             "The bytes that were read, with a label at the end of every row.")
        .def("n_best", &BoundTagger::n_best, nb::arg("data"), nb::arg("count"),
             nb::sig("def n_best(self, data: Columns, count: int) -> list[list[tuple[list[str], float]]]"),
             "The best label sequences of each sentence with their scores, best first.")
        .def("explain", &BoundTagger::explain, nb::arg("data"), nb::arg("question"), nb::arg("begin"), nb::arg("end"),
             nb::arg("threads"), "A line of JSON for each token of the sentences begin..end - 1.")
        .def("margins", &BoundTagger::margins, nb::arg("data"), nb::arg("threads"),
             nb::sig("def margins(self, data: Columns, threads: int) -> list[list[float]]"),
             "How far each label is ahead of the best other one, by sentence; infinite where there is no other.")
        .def("gaps", &BoundTagger::gaps, nb::arg("data"), nb::arg("threads"),
             nb::sig("def gaps(self, data: Columns, threads: int) -> list[list[list[float]]]"),
             "How far the best sequence with each label is behind the best one, by sentence and token: at most 0.")
        .def("weights", &BoundTagger::weights,
             nb::sig("def weights(self) -> list[tuple[int, int, tuple[int, ...], float]]"),
             "(table, row, label numbers, weight) of every weight that is not zero.")
        .def(
            "gather",
            [](const BoundTagger& t, size_t count, size_t rows, uint64_t seed) {
                return gather(t.model(), 0, count, rows, seed);
            },
            nb::arg("count"), nb::arg("rows"), nb::arg("seed"), nb::call_guard<Interruptible>(),
            "Add up `count` pseudo-random rows, `rows` at a time, as scoring does; for benchmarks.")
        .def_prop_ro("labels", &BoundTagger::labels, "The labels that it gives, by number.")
        .def_prop_ro("bytes", [](const BoundTagger& t) { return t.model().bytes(); }, "Memory of the weights.");
}

}  // namespace sapwood::bindings
