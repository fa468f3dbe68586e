#include "pipeline/pipeline.hpp"

#include <algorithm>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "making/row_tagger.hpp"
#include "pipeline/reasons.hpp"
#include "text/plain_text.hpp"
#include "text/utf8.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

using ColumnTagger = std::tuple<const making::RowTagger*, std::string, std::string, std::string>;
using Taggers = nb::typed<nb::tuple, ColumnTagger, nb::ellipsis>;  // a tuple, which keeps its taggers alive

void construct(Pipeline* self, const Segmenter* segmenter, const Splitter* splitter, const making::RowTagger* tagger,
               const making::RowTagger* morphology, const Rewriter* lemmatizer, const Parser* parser,
               const Taggers& others, bool tagged, const Familiarity* familiarity) {
    const auto core = [](const making::RowTagger* bound) { return bound ? &bound->tagger : nullptr; };
    std::vector<Pipeline::ColumnTagger> columns;
    for (const auto& [bound, name, item, nothing] : nb::cast<std::vector<ColumnTagger>>(others))
        columns.push_back({&bound->tagger, &bound->answers, name, item, nothing});
    new (self) Pipeline({segmenter, splitter, core(tagger), core(morphology), lemmatizer, parser, std::move(columns),
                         tagged, familiarity});
}

// How much of the bytes is text: UTF-8 without NUL.
size_t text_size(std::string_view bytes) {
    bytes = bytes.substr(0, bytes.find('\0'));
    return std::min(bytes.size(), find_invalid_utf8(bytes));
}

// The text may have any bytes: it is checked here, for everything that reads it. It begins at a byte of the input.
std::string_view checked(const nb::bytes& text, const std::string& name, size_t first_byte = 0) {
    const std::string_view bytes = view(text);
    if (const size_t at = text_size(bytes); at < bytes.size()) {
        throw DataError(name + ": byte " + std::to_string(first_byte + at) + ": " + flaw_of_text(bytes, at));
    }
    return bytes;
}

std::vector<Doc> read(const Pipeline& self, const nb::bytes& text, const std::string& name, size_t first_byte,
                      bool goes_on, bool continues, bool prompt, size_t threads, bool lines) {
    std::vector<Doc> docs;
    if (goes_on) {  // what stands before a bad byte is read first
        const std::string_view good = view(text).substr(0, text_size(view(text)));
        const Interruptible work;
        docs = self.read(good, threads, {continues, true, lines}, prompt);
    }
    if (!docs.empty()) return docs;
    const std::string_view bytes = checked(text, name, first_byte);
    if (goes_on) return docs;
    const Interruptible work;
    return self.read(bytes, threads, {continues, false, lines});
}

std::vector<Doc> read_texts(const Pipeline& self, const std::vector<nb::bytes>& texts, size_t threads) {
    std::vector<std::string_view> views;
    for (size_t k = 0; k < texts.size(); ++k) views.push_back(checked(texts[k], "text " + std::to_string(k + 1)));
    const Interruptible work;
    return self.read_each(views, threads);
}

Doc read_lines(const Pipeline& self, const nb::bytes& text, const std::string& name, size_t first_byte) {
    const std::string_view bytes = checked(text, name, first_byte);
    const Interruptible work;
    Doc doc = doc_of_lines(bytes, name);
    self.analyse(doc, Given::tokens);
    return doc;
}

Doc read_words(const Pipeline& self, const Conllu& treebank) {
    const Interruptible work;
    Doc doc = doc_of(treebank);
    self.analyse(doc, Given::words);
    return doc;
}

using Numbers = std::vector<double>;
using GivenPart =
    std::tuple<std::string, const making::RowTagger*, std::string, std::string, std::vector<Numbers>, Numbers>;
using GivenParts = nb::typed<nb::tuple, GivenPart, nb::ellipsis>;  // tuples, which keep their taggers alive

void construct_parts(DecidingParts* self, const GivenParts& given, const Segmenter* segmenter, const Splitter* splitter,
                     const Parser* parser) {
    std::vector<DecidingPart> parts;
    for (const nb::handle each : given) {
        GivenPart part;
        if (!nb::isinstance<nb::tuple>(each) || !nb::try_cast(each, part))
            throw nb::type_error("a part is a tuple of name, tagger, decision, chunks, curves and least confidences");
        const auto& [name, tagger, decision, chunks, curves, least] = part;
        parts.push_back({name, tagger ? &tagger->explainer : nullptr, decision, chunks,
                         std::vector<Curve>(curves.begin(), curves.end()), least});
    }
    new (self) DecidingParts(std::move(parts), segmenter, splitter, parser);
}

std::optional<nb::bytes> next_reasons(PipelineReasons& self, size_t threads) {
    const std::optional<std::string> lines = interruptible([&] { return self.next(threads); });
    return lines ? std::optional(to_bytes(*lines)) : std::nullopt;
}

Doc complete(const Pipeline& self, const Doc& given) {
    const Interruptible work;
    Doc doc = given;
    self.analyse(doc, Given::words);
    return doc;
}

}  // namespace

void bind_pipeline(nb::module_& m) {
    nb::class_<Pipeline>(m, "Pipeline", "From text to documents; immutable, shared by threads.")
        .def("__init__", &construct, nb::arg("segmenter").none() = nb::none(), nb::arg("splitter").none() = nb::none(),
             nb::arg("tagger").none() = nb::none(), nb::arg("morphology").none() = nb::none(),
             nb::arg("lemmatizer").none() = nb::none(), nb::arg("parser").none() = nb::none(),
             nb::arg("others") = nb::tuple(), nb::arg("tagged") = false, nb::arg("familiarity").none() = nb::none(),
             nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(),
             nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>(), nb::keep_alive<1, 10>(),
             "`others`: taggers of forms and tags, each with its column's name, the name in MISC and the value of a "
             "word that has none. `tagged`: documents have tags when they come. Raises ModelError for parts that do "
             "not go "
             "together.")
        .def("read", &read, nb::arg("text"), nb::arg("name"), nb::arg("first_byte") = 0, nb::arg("goes_on") = false,
             nb::arg("continues") = false, nb::arg("prompt") = false, nb::arg("threads") = 1, nb::arg("lines") = false,
             "The documents of a UTF-8 text, which is cut between paragraphs. If the text goes on (`goes_on`), the "
             "documents end where more text could change the result, and the list may be empty. With `lines` each line "
             "is a sentence. Raises DataError with the byte's place in the input.")
        .def("read_each", &read_texts, nb::arg("texts"), nb::arg("threads"),
             "A document for each UTF-8 text. Raises DataError.")
        .def("read_lines", &read_lines, nb::arg("text"), nb::arg("name"), nb::arg("first_byte") = 0,
             "A document whose sentences are lines, their tokens between spaces. Raises DataError.")
        .def("complete", &complete, nb::arg("doc"),
             "A copy of a document with what the parts add to it. Raises DataError if it lacks tags that they need.")
        .def("read_words", &read_words, nb::arg("treebank"), "A document with the words of a treebank.");

    nb::class_<DecidingParts>(m, "DecidingParts", "Parts of a pipeline, with the confidences in their decisions.")
        .def("__init__", &construct_parts, nb::arg("parts"), nb::arg("segmenter").none(), nb::arg("splitter").none(),
             nb::arg("parser").none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
             nb::keep_alive<1, 5>(),
             "parts, in the order in which they work: the name of each, its tagger (None: the parser), the name of its "
             "decisions if they have confidences, that of the column of its chunks if it has any, the curves of its "
             "calibration, and the least confidence of what it gives. Raises ModelError.")
        .def_prop_ro("calibrated", &DecidingParts::is_calibrated, "Whether a part has confidences.")
        .def("check", &DecidingParts::check, "Raise ModelError if no part is calibrated.")
        .def("add_confidences", &DecidingParts::add_confidences, nb::arg("doc"), nb::arg("threads"),
             nb::call_guard<Interruptible>(),
             "Keep with a document the confidence of each calibrated part in its words. Raises ModelError if there is "
             "none.")
        .def("abstain", &DecidingParts::abstain, nb::arg("doc"), nb::arg("threads"), nb::call_guard<Interruptible>(),
             "Put chunks of which a part is not sure enough into a column of their own, `abstained`.");

    nb::class_<PipelineReasons>(m, "PipelineReasons", "Explanations of the decisions of a pipeline's parts.")
        .def(nb::init<const DecidingParts&, Question, const std::string&, bool>(), nb::arg("parts"),
             nb::arg("question"), nb::arg("part"), nb::arg("of_text"), nb::keep_alive<1, 2>(),
             "part: the one that is asked, by whose own numbers the question is; empty: all, and numbers are those of "
             "words. of_text: the words were found in a text, else they were given. Raises OptionError for a part that "
             "cannot be asked.")
        .def(
            "begin",
            [](PipelineReasons& self, const Conllu& words, const nb::bytes& text) { self.begin(words, view(text)); },
            nb::arg("words"), nb::arg("text"), nb::keep_alive<1, 2>(), "Begin with the words found in a text.")
        .def("next", &next_reasons, nb::arg("threads"),
             "The next explanations, as lines of JSON with the name of a part; None at the end. Raises OptionError at "
             "the end if no part could answer.");
}

}  // namespace sapwood::bindings
