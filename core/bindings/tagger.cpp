#include "tagging/tagger.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <set>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "tagging/tagger_trainer.hpp"
#include "text/chunks.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using Lists = std::vector<WordList>;

Search search_of(const std::string& name) {
    if (name == "argmax") return Search::argmax;
    if (name == "greedy") return Search::greedy;
    if (name == "easiest-first") return Search::easiest_first;
    if (name == "viterbi") return Search::viterbi;
    throw OptionError("search is argmax, greedy, easiest-first or viterbi, not '" + name + "'");
}

void check_order(unsigned order) {
    if (order != 1 && order != 2) throw OptionError("order is 1 or 2, not " + std::to_string(order));
}

// With the template's lines that the search can use.
Extractor extractor(const SequenceSpec& spec, const Template& pattern, const Lists& lists) {
    return Extractor(pattern, lists, spec.reach(), spec.ahead());
}

// The labels that users see: the model may have learned BIO chunks as IOBES.
class BoundTagger {
  public:
    BoundTagger(const std::string& search, unsigned order, std::vector<std::string> labels, bool iobes,
                const Template& pattern, const Lists& lists, const std::vector<PackedTable>& tables,
                unsigned bits, double scale)
        : tagger_(spec(search, order, labels), extractor(spec(search, order, labels), pattern, lists), tables,
                  bits, scale) {
        for (std::string& label : labels) labels_.push_back(iobes ? iobes_to_bio(label) : std::move(label));
    }

    nb::list predict(const Columns& data, size_t threads) const {
        const std::vector<Label> guess = tag(data, threads);
        const std::vector<nb::object> names = python_labels();
        nb::list sentences;
        for (size_t s = 0; s < data.sentences(); ++s) {
            nb::list labels;
            for (size_t t = data.begin(s); t < data.end(s); ++t) labels.append(names[guess[t]]);
            sentences.append(labels);
        }
        return sentences;
    }

    // The bytes that were read, with a label at the end of every row.
    nb::bytes annotate(const Columns& data, size_t threads) const {
        const std::vector<Label> guess = tag(data, threads);
        const std::string_view in = data.bytes();
        const char separator = data.width() == 1 ? '\t' : data.separator();
        size_t size = in.size() + data.tokens();
        for (Label y : guess) size += labels_[y].size();
        const bool ends = in.empty() || in.back() == '\n';
        auto out =
            nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(size + !ends)));
        if (!out.is_valid()) throw std::bad_alloc();
        char* to = PyBytes_AsString(out.ptr());
        const nb::gil_scoped_release release;
        size_t at = 0;
        for (size_t t = 0; t < data.tokens(); ++t) {
            const size_t end = data.row_end(t);
            const std::string& label = labels_[guess[t]];
            to = std::copy(in.data() + at, in.data() + end, to);
            *to++ = separator;
            to = std::copy(label.begin(), label.end(), to);
            at = end;
        }
        to = std::copy(in.data() + at, in.data() + in.size(), to);
        if (!ends) *to = '\n';
        return out;
    }

    nb::list n_best(const Columns& data, size_t count) const {
        const std::vector<nb::object> names = python_labels();
        nb::list sentences;
        for (size_t s = 0; s < data.sentences(); ++s) {
            std::vector<Tagger::Ranked> ranked;
            {
                nb::gil_scoped_release release;
                ranked = distinct_n_best(data, s, count);
            }
            nb::list best;
            for (const Tagger::Ranked& r : ranked) {
                nb::list labels;
                for (Label y : r.labels) labels.append(names[y]);
                best.append(nb::make_tuple(labels, r.score));
            }
            sentences.append(best);
        }
        return sentences;
    }

    // (table, row, outputs, weight) of every weight; outputs are label numbers, L the boundary.
    nb::list weights() const {
        nb::list all;
        const size_t L = labels_.size(), stride = tagger_.spec().stride();
        for (const Weight& w : tagger_.weights()) {
            nb::object outputs;
            if (w.table == 0)
                outputs = nb::make_tuple(w.output);
            else if (const size_t h = w.output / stride, y = w.output % stride; w.table == 1)
                outputs = nb::make_tuple(h, y);
            else
                outputs = nb::make_tuple(h / (L + 1), h % (L + 1), y);
            all.append(nb::make_tuple(w.table, w.feature, outputs, w.weight));
        }
        return all;
    }

    double gather(size_t count, size_t rows, uint64_t seed) const {
        nb::gil_scoped_release release;
        return tagger_.gather(count, rows, seed);
    }

    size_t bytes() const { return tagger_.bytes(); }
    const std::vector<std::string>& labels() const { return labels_; }

  private:
    static SequenceSpec spec(const std::string& search, unsigned order,
                             const std::vector<std::string>& labels) {
        check_order(order);
        return {search_of(search), order, labels};
    }

    std::vector<Label> tag(const Columns& data, size_t threads) const {
        nb::gil_scoped_release release;
        return tagger_.tag(data, threads);
    }

    // The n best as users see them: of sequences that are spelled the same, for IOBES labels are shown as BIO, the best
    // one counts. Few are lost to ties: sixteen times as many sequences are looked at, at most.
    std::vector<Tagger::Ranked> distinct_n_best(const Columns& data, size_t sentence, size_t count) const {
        LabelSet spelled;
        std::vector<uint32_t> spelling;  // [labels]
        for (const std::string& label : labels_) spelling.push_back(spelled.number(label));
        if (spelled.size() == labels_.size()) return tagger_.n_best(data, sentence, count);
        std::vector<Tagger::Ranked> kept;
        for (size_t asked = count;; asked *= 2) {
            std::vector<Tagger::Ranked> ranked = tagger_.n_best(data, sentence, asked);
            const bool last = ranked.size() < asked || asked / 16 >= count;
            std::set<std::vector<uint32_t>> seen;
            kept.clear();
            for (Tagger::Ranked& r : ranked) {
                std::vector<uint32_t> as_shown;
                for (const Label y : r.labels) as_shown.push_back(spelling[y]);
                if (kept.size() < count && seen.insert(std::move(as_shown)).second)
                    kept.push_back(std::move(r));
            }
            if (last || kept.size() == count) return kept;
        }
    }

    std::vector<nb::object> python_labels() const {
        std::vector<nb::object> names;
        for (const std::string& label : labels_) names.push_back(nb::str(label.data(), label.size()));
        return names;
    }

    Tagger tagger_;
    std::vector<std::string> labels_;
};

}  // namespace

Update update_of(const std::string& name) {
    if (name == "perceptron") return Update::perceptron;
    if (name == "margin") return Update::margin;
    if (name == "pa") return Update::passive_aggressive;
    throw OptionError("update is perceptron, margin or pa, not '" + name + "'");
}

void bind_tagger(nb::module_& m) {
    nb::class_<Template>(m, "Template", "A compiled feature template.")
        .def(
            "__init__",
            [](Template* self, const std::string& text, const std::string& name,
               std::vector<std::string> columns, size_t label,
               std::optional<std::vector<std::string>> fields) {
                const bool documents = fields.has_value();
                new (self) Template(text, name,
                                    Header{std::move(columns), label, documents,
                                           std::move(fields).value_or(std::vector<std::string>())});
            },
            nb::arg("text"), nb::arg("name"), nb::arg("columns"), nb::arg("label"),
            nb::arg("fields").none() = nb::none(),
            "For columns, or with `fields` for documents. Raises TemplateError with name and line.")
        .def_prop_ro("word_lists", &Template::list_names,
                     "Names of the word lists that it asks for, in order.")
        .def_prop_ro("columns_needed", &Template::columns_needed)
        .def_prop_ro("lines", [](const Template& t) { return t.lines().size(); });

    nb::class_<Progress>(m, "Progress")
        .def_ro("epoch", &Progress::epoch)
        .def_ro("examples", &Progress::examples)
        .def_ro("mistakes", &Progress::mistakes)
        .def_ro("features", &Progress::features)
        .def_ro("updates", &Progress::updates);

    nb::class_<TaggerTrainer>(m, "TaggerTrainer", "The training loop, a step at a time.")
        .def(
            "__init__",
            [](TaggerTrainer* self, const Columns& data, size_t label, const Template& pattern,
               const Lists& lists, const std::string& search, unsigned order, const std::string& update,
               double gamma, uint32_t min_updates, bool average, uint32_t prune_below, uint64_t seed,
               bool own_history, bool iobes) {
                check_order(order);
                TrainerOptions options{search_of(search),
                                       order,
                                       {update_of(update), static_cast<float>(gamma), min_updates, average},
                                       prune_below,
                                       seed,
                                       own_history,
                                       iobes};
                nb::gil_scoped_release release;
                new (self) TaggerTrainer(data, label, extractor({options.search, order, {}}, pattern, lists),
                                         options);
            },
            nb::arg("data"), nb::arg("label"), nb::arg("template"), nb::arg("word_lists"), nb::kw_only(),
            nb::arg("search"), nb::arg("order"), nb::arg("update"), nb::arg("gamma"), nb::arg("min_updates"),
            nb::arg("average"), nb::arg("prune_below"), nb::arg("seed"), nb::arg("own_history"),
            nb::arg("iobes"))
        .def("step", &TaggerTrainer::step, nb::arg("tokens"), nb::call_guard<nb::gil_scoped_release>(),
             "Train on about so many tokens; true at the end of an epoch.")
        .def_prop_ro("progress", &TaggerTrainer::progress)
        .def_prop_ro("bytes", &TaggerTrainer::bytes, "Memory of the training set and the weights.")
        .def_prop_ro("labels", [](const TaggerTrainer& t) { return t.spec().labels; })
        .def(
            "freeze",
            [](const TaggerTrainer& t, unsigned bits, double shrink) { return t.freeze({bits, shrink}); },
            nb::arg("bits"), nb::arg("shrink"), nb::call_guard<nb::gil_scoped_release>())
        .def("names", &TaggerTrainer::names, nb::arg("model"), nb::arg("data"),
             nb::call_guard<nb::gil_scoped_release>(),
             "Texts of the features, by table, in the model's order.");

    nb::class_<BoundTagger>(m, "Tagger", "A frozen tagger; immutable, shared by threads.")
        .def(nb::init<const std::string&, unsigned, std::vector<std::string>, bool, const Template&,
                      const Lists&, const std::vector<PackedTable>&, unsigned, double>(),
             nb::arg("search"), nb::arg("order"), nb::arg("labels"), nb::arg("iobes"), nb::arg("template"),
             nb::arg("word_lists"), nb::arg("tables"), nb::arg("bits"), nb::arg("scale"),
             nb::call_guard<nb::gil_scoped_release>())
        .def("predict", &BoundTagger::predict, nb::arg("data"), nb::arg("threads"),
             nb::sig("def predict(self, data: Columns, threads: int) -> list[list[str]]"),
             "Labels by sentence.")
        .def("annotate", &BoundTagger::annotate, nb::arg("data"), nb::arg("threads"),
             "The bytes that were read, with a label at the end of every row.")
        .def("n_best", &BoundTagger::n_best, nb::arg("data"), nb::arg("count"),
             nb::sig("def n_best(self, data: Columns, count: int) -> list[list[tuple[list[str], float]]]"),
             "The best label sequences of each sentence with their scores, best first.")
        .def("weights", &BoundTagger::weights,
             nb::sig("def weights(self) -> list[tuple[int, int, tuple[int, ...], float]]"),
             "(table, row, label numbers, weight) of every weight that is not zero.")
        .def("gather", &BoundTagger::gather, nb::arg("count"), nb::arg("rows"), nb::arg("seed"),
             "Add up `count` pseudo-random rows, `rows` at a time, as scoring does; for benchmarks.")
        .def_prop_ro("labels", &BoundTagger::labels, "The labels that it gives, by number.")
        .def_prop_ro("bytes", &BoundTagger::bytes, "Memory of the weights.");
}

}  // namespace sapwood::bindings
