#include "pipeline/pipeline.hpp"

#include <algorithm>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "bindings/bound_tagger.hpp"
#include "text/utf8.hpp"

namespace sapwood::bindings {

namespace {

void construct(Pipeline* self, const Segmenter* segmenter, const Splitter* splitter, const BoundTagger* tagger,
               const BoundTagger* morphology, const Rewriter* lemmatizer, const Parser* parser,
               const BoundTagger* entities) {
    const auto core = [](const BoundTagger* bound) { return bound ? &bound->tagger() : nullptr; };
    new (self) Pipeline({segmenter, splitter, core(tagger), core(morphology), lemmatizer, parser, core(entities),
                         entities ? &entities->answers() : nullptr});
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
        const char* what = bytes[at] == '\0' ? "NUL: this is not a text" : "not UTF-8; see --errors replace";
        throw DataError(name + ": byte " + std::to_string(first_byte + at) + ": " + what);
    }
    return bytes;
}

std::vector<Doc> read(const Pipeline& self, const nb::bytes& text, const std::string& name, size_t first_byte,
                      bool goes_on, bool continues, bool prompt, size_t threads) {
    std::vector<Doc> docs;
    if (goes_on) {  // what stands before a bad byte is read first
        const std::string_view good = view(text).substr(0, text_size(view(text)));
        const nb::gil_scoped_release release;
        docs = self.read(good, threads, {continues, true}, prompt);
    }
    if (!docs.empty()) return docs;
    const std::string_view bytes = checked(text, name, first_byte);
    if (goes_on) return docs;
    const nb::gil_scoped_release release;
    return self.read(bytes, threads, {continues, false});
}

std::vector<Doc> read_each(const Pipeline& self, const std::vector<nb::bytes>& texts, size_t threads) {
    std::vector<std::string_view> views;
    for (size_t k = 0; k < texts.size(); ++k) views.push_back(checked(texts[k], "text " + std::to_string(k + 1)));
    const nb::gil_scoped_release release;
    return self.read_each(views, threads);
}

Doc read_lines(const Pipeline& self, const nb::bytes& text, const std::string& name) {
    const std::string_view bytes = checked(text, name);
    const nb::gil_scoped_release release;
    Doc doc = doc_of_lines(bytes, name);
    self.analyse(doc, false);
    return doc;
}

Doc read_words(const Pipeline& self, const Conllu& treebank) {
    const nb::gil_scoped_release release;
    Doc doc = doc_of(treebank);
    self.analyse(doc, true);
    return doc;
}

// One column as strings, equal ones once; None if no part has filled it.
nb::object column(const Doc& doc, const std::string& name) {
    const size_t words = doc.word_count();
    const auto strings = [&](auto&& cell) -> nb::object {
        nb::list values;
        for (size_t w = 0; w < words; ++w) values.append(to_str(cell(w)));
        return values;
    };
    const auto tags = [&](size_t which) -> nb::object {
        if (which >= doc.words.width()) return nb::none();
        return strings([&](size_t w) { return doc.cell(w, which); });
    };
    const auto extra = [&](const std::vector<Columns::Cell>& cells) -> nb::object {
        if (cells.empty() && words > 0) return nb::none();
        return strings([&](size_t w) { return doc.cell(cells, w); });
    };
    if (name == "form") return tags(Doc::kForm);
    if (name == "upos") return tags(Doc::kUpos);
    if (name == "xpos") return tags(Doc::kXpos);
    if (name == "feats") return tags(Doc::kFeats);
    if (name == "lemma") return extra(doc.lemmas);
    if (name == "deprel") return extra(doc.deprels);
    if (name == "entity") return extra(doc.entities);
    throw OptionError("a document has no column '" + name + "'");
}

// Begin and end of each token in characters.
nb::list tokens(const Doc& doc) {
    nb::list spans;
    size_t characters = 0, at = 0;
    const auto count = [&](size_t to) {
        for (; at < to; ++at) characters += (static_cast<unsigned char>(doc.text()[at]) & 0xC0) != 0x80;
        return characters;
    };
    for (size_t t = 0; t < doc.token_count(); ++t) {
        const size_t begin = count(doc.tokens[t].begin);
        spans.append(nb::make_tuple(begin, count(doc.tokens[t].end)));
    }
    return spans;
}

nb::list first_words(const Doc& doc) {
    nb::list words;
    for (const Doc::Token& token : doc.tokens) words.append(token.first_word);
    return words;
}

nb::list sentences(const Doc& doc) {
    nb::list found;
    for (const Doc::Sentence& s : doc.sentences)
        found.append(nb::make_tuple(s.first_token, s.first_word, s.begins_paragraph));
    return found;
}

void add_confidences(Doc& doc, std::string decision, std::vector<double> of) {
    if (of.size() != doc.word_count()) throw OptionError("a confidence for each word of the document is wanted");
    const bool named = !decision.empty() && std::ranges::all_of(decision, [](char c) { return c >= 'a' && c <= 'z'; });
    if (!named) throw OptionError("a decision is named by small letters");
    for (const double p : of)
        if (p < 0 || p > 1) throw OptionError("a confidence is between 0 and 1, or NaN where nothing was decided");
    doc.confidences.push_back({std::move(decision), std::move(of)});
}

nb::dict confidences(const Doc& doc) {
    nb::dict all;
    for (const Doc::Confidences& each : doc.confidences) all[each.decision.c_str()] = each.of;
    return all;
}

}  // namespace

void bind_pipeline(nb::module_& m) {
    nb::class_<Doc>(m, "Doc", "A text and what was found in it.")
        .def_prop_ro("text", [](const Doc& doc) { return to_str(doc.text()); })
        .def_prop_ro("tokens", &tokens, nb::sig("def tokens(self) -> list[tuple[int, int]]"),
                     "Begin and end of each token, in characters.")
        .def_prop_ro("first_words", &first_words, nb::sig("def first_words(self) -> list[int]"),
                     "[tokens + 1] the first word of each token.")
        .def_prop_ro("sentences", &sentences, nb::sig("def sentences(self) -> list[tuple[int, int, bool]]"),
                     "[sentences + 1] first token, first word, and whether it begins a paragraph.")
        .def_ro("size", &Doc::text_size, "Bytes of the text in UTF-8.")
        .def_prop_ro(
            "within_paragraph", [](const Doc& doc) { return doc.end == Doc::End::within_paragraph; },
            "Whether the text ends within a paragraph, which goes on.")
        .def_prop_ro(
            "characters", [](const Doc& doc) { return nb::len(to_str(doc.text())); }, "Of the text.")
        .def_prop_ro("words", &Doc::word_count)
        .def_prop_ro("sentence_count", &Doc::sentence_count)
        .def("column", &column, nb::arg("name"), nb::sig("def column(self, name: str) -> list[str] | None"),
             "The values of all words: form, upos, xpos, feats, lemma, deprel, entity; None if no part gives them.")
        .def_prop_ro(
            "heads",
            [](const Doc& doc) -> nb::object {
                if (doc.heads.empty() && doc.word_count() > 0) return nb::none();
                return nb::cast(doc.heads);
            },
            nb::sig("def heads(self) -> list[int] | None"), "Counted from 1 in the sentence; 0 is the root.")
        .def_prop_ro(
            "rows", [](const Doc& doc) -> const Columns& { return doc.words; }, nb::rv_policy::reference_internal,
            "The forms of all words and, if there are tags, UPOS, XPOS and FEATS.")
        .def("add_confidences", &add_confidences, nb::arg("decision"), nb::arg("of"),
             nb::sig("def add_confidences(self, decision: str, of: list[float]) -> None"),
             "Keep how sure a decision about each word is, from 0 to 1, or NaN. Raises OptionError for other values.")
        .def_prop_ro("confidences", &confidences, nb::sig("def confidences(self) -> dict[str, list[float]]"),
                     "By decision, for all words; NaN where nothing was decided.")
        .def(
            "to_conllu", [](const Doc& doc, size_t first) { return to_bytes(to_conllu(doc, first)); },
            nb::arg("first_sentence"), "CoNLL-U; sentences are numbered from there.")
        .def(
            "to_json_lines", [](const Doc& doc, size_t first) { return to_bytes(to_json_lines(doc, first)); },
            nb::arg("first_character"), "A JSON object for each sentence, one a line.");

    nb::class_<Pipeline>(m, "Pipeline", "From text to documents; immutable, shared by threads.")
        .def("__init__", &construct, nb::arg("segmenter").none(), nb::arg("splitter").none(), nb::arg("tagger").none(),
             nb::arg("morphology").none(), nb::arg("lemmatizer").none(), nb::arg("parser").none(),
             nb::arg("entities").none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
             nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>(),
             "Raises ModelError for parts that do not go together.")
        .def("read", &read, nb::arg("text"), nb::arg("name"), nb::arg("first_byte") = 0, nb::arg("goes_on") = false,
             nb::arg("continues") = false, nb::arg("prompt") = false, nb::arg("threads") = 1,
             "The documents of a UTF-8 text, which is cut between paragraphs. If the text goes on (`goes_on`), the "
             "documents end where more text could change the result, and the list may be empty. Raises DataError with "
             "the byte's place in the input.")
        .def("read_each", &read_each, nb::arg("texts"), nb::arg("threads"),
             "A document for each UTF-8 text. Raises DataError.")
        .def("read_lines", &read_lines, nb::arg("text"), nb::arg("name"),
             "A document whose sentences are lines, their tokens between spaces. Raises DataError.")
        .def("read_words", &read_words, nb::arg("treebank"), "A document with the words of a treebank.");
}

}  // namespace sapwood::bindings
