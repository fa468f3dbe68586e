#include "segmenting/segmenter.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "making/parts.hpp"
#include "segmenting/place_explainer.hpp"
#include "text/normal_form.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

nb::tuple examples(const TreebankText& treebank, const nb::bytes& places) {
    SegmentExamples found = [&] {
        std::optional<SegmentChoices> choices;
        if (places.size() > 0) choices = SegmentChoices::from_text(view(places));
        const Interruptible work;
        return segment_examples(treebank, std::move(choices));
    }();
    return nb::make_tuple(to_bytes(found.choices.to_text()), std::move(found.rows));
}

// Tokens as (begin, end) and the first token of each sentence.
nb::tuple segment(const Segmenter& segmenter, const nb::bytes& text) {
    const auto found = [&] {
        const Interruptible work;
        return segmenter.segment(view(text));
    }();
    nb::list tokens, sentences;
    for (const Segments::Token& token : found.tokens) tokens.append(nb::make_tuple(token.begin, token.end));
    for (const Segments::Sentence& sentence : found.sentences) sentences.append(sentence.first_token);
    return nb::make_tuple(tokens, sentences);
}

}  // namespace

void bind_segmenter(nb::module_& m) {
    m.def(
        "composed", [](std::string_view text) { return composed(text); }, nb::arg("text"),
        "A text in Unicode's composed normal form (NFC), in which all keys are made.");
    m.def("decomposed", &to_decomposed, nb::arg("text"), "A text in the decomposed normal form (NFD).");
    m.def("segment_examples", &examples, nb::arg("treebank"), nb::arg("places"),
          nb::sig("def segment_examples(treebank: TreebankText, places: bytes) -> tuple[bytes, Columns]"),
          "The table of places of a treebank, or b\"\" for a new one, and labelled rows. Raises DataError.");
    m.def(
        "explain_places",
        [](const making::RowTagger& tagger, const Columns& rows, const Question& question, size_t begin, size_t end) {
            return to_bytes(
                interruptible([&] { return explain_places(tagger.explainer, rows, question, begin, end); }));
        },
        nb::arg("tagger"), nb::arg("rows"), nb::arg("question"), nb::arg("begin"), nb::arg("end"),
        "A line of JSON for each place that is asked about in the paragraphs begin..end - 1. Raises OptionError.");
    m.def(
        "shown_places",
        [](const Columns& rows) {
            return by_sentence(rows, [&](size_t place) { return to_str(shown_place(rows, place)); });
        },
        nb::arg("rows"), nb::sig("def shown_places(rows: Columns) -> list[list[str]]"),
        "Each place as one reads it, by paragraph: Dr. |Who.");
    nb::class_<Segmenter>(m, "Segmenter", "Cuts UTF-8 text into sentences and tokens; immutable, shared by threads.")
        .def(
            "__init__",
            [](Segmenter* self, nb::handle model, const making::RowTagger& tagger) {
                new (self) Segmenter(making::segmenter_of(without_weights(model), tagger));
            },
            nb::arg("model"), nb::arg("tagger"), nb::keep_alive<1, 3>(),
            "The segmenter in a ModelFile, with the tagger in it. Raises ModelError.")
        .def("segment", &segment, nb::arg("text"),
             nb::sig("def segment(self, text: bytes) -> tuple[list[tuple[int, int]], list[int]]"),
             "Begin and end of each token in bytes, and the first token of each sentence.")
        .def(
            "rows", [](const Segmenter& segmenter, const nb::bytes& text) { return segmenter.rows(view(text)); },
            nb::arg("text"), "What its tagger labels: a row for each place with a choice, by paragraph.")
        .def(
            "places", [](const Segmenter& segmenter, const nb::bytes& text) { return segmenter.places(view(text)); },
            nb::arg("text"), "The characters, counted from 0, that these places are before, by paragraph.");
}

}  // namespace sapwood::bindings
