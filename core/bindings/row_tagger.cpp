#include "making/row_tagger.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <new>

#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "model/gather.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

using making::RowTagger;

namespace {

std::vector<nb::object> python_labels(const RowTagger& self) {
    std::vector<nb::object> names;
    for (const std::string& label : self.answers.labels()) names.push_back(to_str(label));
    return names;
}

std::vector<Label> labels_of(const RowTagger& self, const Columns& data, size_t threads) {
    return interruptible([&] { return self.tagger.tag(data, threads); });
}

nb::list predict_labels(const RowTagger& self, const Columns& data, size_t threads) {
    const std::vector<Label> guess = labels_of(self, data, threads);
    const std::vector<nb::object> names = python_labels(self);
    return by_sentence(data, [&](size_t t) { return names[guess[t]]; });
}

nb::bytes annotate_rows(const RowTagger& self, const Columns& data, size_t threads) {
    const std::vector<Label> guess = labels_of(self, data, threads);
    const auto size = static_cast<Py_ssize_t>(self.answers.annotated_size(data, guess));
    auto out = nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, size));
    if (!out.is_valid()) throw std::bad_alloc();
    char* to = PyBytes_AsString(out.ptr());
    const Interruptible work;
    self.answers.annotate(data, guess, to);
    return out;
}

nb::list best_labels(const RowTagger& self, const Columns& data, size_t count) {
    const std::vector<nb::object> names = python_labels(self);
    nb::list sentences;
    for (size_t s = 0; s < data.sentences(); ++s) {
        nb::list best;
        for (const Tagger::Ranked& r :
             interruptible([&] { return self.answers.n_best(self.tagger, data, s, count); })) {
            nb::list labels;
            for (Label y : r.labels) labels.append(names[y]);
            best.append(nb::make_tuple(labels, r.score));
        }
        sentences.append(best);
    }
    return sentences;
}

// How far each label is ahead of the best other one, by sentence.
nb::list label_margins(const RowTagger& self, const Columns& data, size_t threads) {
    const std::vector<double> found = interruptible([&] { return self.explainer.margins(data, threads); });
    return by_sentence(data, [&](size_t t) { return nb::float_(found[t]); });
}

// How far each label of each token is behind the one that is given, by sentence.
nb::list label_gaps(const RowTagger& self, const Columns& data, size_t threads) {
    const std::vector<double> found = interruptible([&] { return self.explainer.gaps(data, threads); });
    const size_t L = self.answers.labels().size();
    return by_sentence(data, [&](size_t t) {
        nb::list of_labels;
        for (size_t y = 0; y < L; ++y) of_labels.append(found[t * L + y]);
        return of_labels;
    });
}

// A line of JSON for each token that is asked about in the sentences begin..end - 1.
nb::bytes explain_labels(const RowTagger& self, const Columns& data, const Question& question, size_t begin, size_t end,
                         size_t threads) {
    return to_bytes(interruptible([&] { return self.explainer.explain(data, question, begin, end, threads); }));
}

// (table, row, outputs, weight) of every weight; outputs are label numbers, L the boundary.
nb::list label_weights(const RowTagger& self) {
    nb::list all;
    const size_t L = self.answers.labels().size(), stride = self.tagger.spec().stride();
    for (const Weight& w : self.tagger.model().weights()) {
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

}  // namespace

void bind_row_tagger(nb::module_& m) {
    nb::class_<RowTagger>(m, "Tagger", "A frozen tagger; immutable, shared by threads.")
        .def(
            "__init__",
            [](RowTagger* self, nb::handle model) {
                const file::ModelFile file = model_of(model);
                const Interruptible work;
                new (self) RowTagger(file);
            },
            nb::arg("model"), "The tagger in a ModelFile. Raises ModelError, TemplateError.")
        .def("predict", &predict_labels, nb::arg("data"), nb::arg("threads"),
             nb::sig("def predict(self, data: Columns, threads: int) -> list[list[str]]"), "Labels by sentence.")
        .def("annotate", &annotate_rows, nb::arg("data"), nb::arg("threads"),
             "The bytes that were read, with a label at the end of every row.")
        .def("n_best", &best_labels, nb::arg("data"), nb::arg("count"),
             nb::sig("def n_best(self, data: Columns, count: int) -> list[list[tuple[list[str], float]]]"),
             "The best label sequences of each sentence with their scores, best first.")
        .def("explain", &explain_labels, nb::arg("data"), nb::arg("question"), nb::arg("begin"), nb::arg("end"),
             nb::arg("threads"), "A line of JSON for each token of the sentences begin..end - 1.")
        .def("margins", &label_margins, nb::arg("data"), nb::arg("threads"),
             nb::sig("def margins(self, data: Columns, threads: int) -> list[list[float]]"),
             "How far each label is ahead of the best other one, by sentence; infinite where there is no other.")
        .def("gaps", &label_gaps, nb::arg("data"), nb::arg("threads"),
             nb::sig("def gaps(self, data: Columns, threads: int) -> list[list[list[float]]]"),
             "How far the best sequence with each label is behind the best one, by sentence and token: at most 0.")
        .def("weights", &label_weights, nb::sig("def weights(self) -> list[tuple[int, int, tuple[int, ...], float]]"),
             "(table, row, label numbers, weight) of every weight that is not zero.")
        .def(
            "gather",
            [](const RowTagger& t, size_t count, size_t rows, uint64_t seed) {
                return gather(t.tagger.model(), 0, count, rows, seed);
            },
            nb::arg("count"), nb::arg("rows"), nb::arg("seed"), nb::call_guard<Interruptible>(),
            "Add up `count` pseudo-random rows, `rows` at a time, as scoring does; for benchmarks.")
        .def_prop_ro(
            "labels", [](const RowTagger& t) { return t.answers.labels(); }, "The labels that it gives, by number.");
}

}  // namespace sapwood::bindings
