#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <set>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "bindings/options.hpp"
#include "bindings/state.hpp"
#include "making/row_tagger.hpp"
#include "tagging/tagger_trainer.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

void make_tagger_trainer(TaggerTrainer* self, nb::handle model, const Values& options, nb::handle known,
                         std::string scratch) {
    auto all = options_in<TaggerOptions>(options);
    all.scratch = std::move(scratch);
    const file::ModelFile file = without_weights(model);
    try {
        all.dictionary = making::dictionary_columns(file);
    } catch (const ModelError& error) {
        throw OptionError(error.what());
    }
    if (!known.is_none()) {
        const file::ModelFile before = without_weights(known);
        all.known_labels = before.labels;
        all.known_dictionary = making::dictionary_of(before);
    }
    const Interruptible work;
    new (self) TaggerTrainer(file.label, making::extractor_of(file, {all.search, all.order, {}}), all);
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
        .def("__init__", &make_tagger_trainer, nb::arg("model"), nb::arg("options"),
             nb::arg("known").none() = nb::none(), nb::arg("scratch") = "",
             "model: the ModelFile that it trains, without weights and labels. known: that of a training from which "
             "this one goes on. scratch: a folder for files with the examples, which are in memory without one. Raises "
             "OptionError.")
        .def_prop_ro_static(
            "options", [](nb::handle) { return option_choices<TaggerOptions>(); },
            "The options that it takes, with the choices of each.")
        .def("add", &TaggerTrainer::add, nb::arg("data"), nb::call_guard<Interruptible>(),
             "Add a part of the data; after the last part call finish. Raises DataError.")
        .def("finish", &TaggerTrainer::finish, nb::call_guard<Interruptible>(),
             "To be called when all data are added. Raises DataError, OptionError.")
        .def_prop_ro("sentences", &TaggerTrainer::sentences)
        .def_prop_ro("tokens", &TaggerTrainer::tokens)
        .def("step", &TaggerTrainer::step, nb::arg("tokens"), nb::call_guard<Interruptible>(),
             "Train on about so many tokens; true at the end of an epoch.")
        .def_prop_ro("progress", &TaggerTrainer::progress)
        .def_prop_ro("labels", [](const TaggerTrainer& t) { return t.spec().labels; })
        .def_prop_ro(
            "dictionary",
            [](const TaggerTrainer& t) {
                return nb::make_tuple(bytes_of_numbers(t.dictionary().values()),
                                      bytes_of_numbers(t.dictionary().packed()));
            },
            nb::sig("def dictionary(self) -> tuple[bytes, bytes]"),
            "The tag dictionary: sorted 64-bit hashes of the values, and for each value the number of its labels, then "
            "the labels, in 32 bits each.")
        .def(Stateful<TaggerTrainer>())
        .def(GoingOn<TaggerTrainer>())
        .def(Sharded<TaggerTrainer>())
        .def(Freezing<TaggerTrainer>())
        .def("names", &TaggerTrainer::names, nb::arg("model"), nb::call_guard<Interruptible>(),
             "Texts of the features, by table, in the model's order; only if they are kept.");
}

}  // namespace sapwood::bindings
