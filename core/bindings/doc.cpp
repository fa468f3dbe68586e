#include "text/doc.hpp"

#include <algorithm>

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "pipeline/pipeline.hpp"
#include "text/given_doc.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

nb::object heads(const Doc& doc) {
    if (doc.heads.empty() && doc.word_count() > 0) return nb::none();
    return nb::cast(doc.heads);
}

// One column as strings, of heads as numbers; None if no part has filled it.
nb::object doc_column(const Doc& doc, const std::string& name) {
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
    if (name == "form") return tags(Doc::kForm);
    if (name == "upos") return tags(Doc::kUpos);
    if (name == "xpos") return tags(Doc::kXpos);
    if (name == "feats") return tags(Doc::kFeats);
    if (name == "head") return heads(doc);
    const Doc::Column* column = doc.column(name);
    if (column == nullptr && words > 0) return nb::none();
    return strings([&](size_t w) { return doc.cell(*column, w); });
}

using Items = std::map<std::string, std::pair<std::string, std::string>>;

Items items(const Doc& doc) {
    Items found;
    for (const Doc::Column& column : doc.columns)
        if (!column.item.empty()) found[column.name] = {column.item, column.nothing};
    return found;
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
    const auto known = std::ranges::find(doc.confidences, decision, &Doc::Confidences::decision);
    if (known != doc.confidences.end())
        known->of = std::move(of);
    else
        doc.confidences.push_back({std::move(decision), std::move(of)});
}

std::vector<std::pair<uint64_t, uint64_t>> familiar(const Doc& doc) {
    std::vector<std::pair<uint64_t, uint64_t>> pairs;
    for (const FamiliarWords& each : doc.familiar) pairs.emplace_back(each.words, each.known);
    return pairs;
}

nb::dict confidences(const Doc& doc) {
    nb::dict all;
    for (const Doc::Confidences& each : doc.confidences) all[each.decision.c_str()] = each.of;
    return all;
}

Doc built_of(std::string text, std::vector<std::pair<size_t, size_t>> tokens, std::vector<size_t> first_words,
             std::vector<std::tuple<size_t, size_t, bool>> sentences,
             std::map<std::string, std::vector<std::string>> columns, std::optional<std::vector<int64_t>> heads,
             Items items) {
    return build_doc({std::move(text), std::move(tokens), std::move(first_words), std::move(sentences),
                      std::move(columns), std::move(items), std::move(heads)});
}

// What a document is made of, for pickle: the arguments of `build`, confidences, familiar words, where the text ends, and
// whether its lines are sentences.
nb::tuple state(const Doc& doc) {
    nb::dict columns;
    for (const char* name : {"form", "upos", "xpos", "feats"})
        if (nb::object values = doc_column(doc, name); !values.is_none()) columns[name] = values;
    for (const Doc::Column& column : doc.columns) columns[column.name.c_str()] = doc_column(doc, column.name);
    nb::list sure;  // in the order in which they are written
    for (const Doc::Confidences& each : doc.confidences) sure.append(nb::make_tuple(each.decision, each.of));
    return nb::make_tuple(to_str(doc.text()), tokens(doc), first_words(doc), sentences(doc), columns,
                          doc.column("deprel") ? heads(doc) : nb::none(), sure, familiar(doc),
                          static_cast<int>(doc.end), items(doc), doc.of_lines);
}

using State = std::tuple<std::string, std::vector<std::pair<size_t, size_t>>, std::vector<size_t>,
                         std::vector<std::tuple<size_t, size_t, bool>>, std::map<std::string, std::vector<std::string>>,
                         std::optional<std::vector<int64_t>>, std::vector<std::pair<std::string, std::vector<double>>>,
                         std::vector<std::pair<uint64_t, uint64_t>>, int, Items, bool>;

void restore(Doc* self, const State& state) {
    const auto& [text, tokens, first_words, sentences, columns, heads, confidences, familiar, end, items, of_lines] =
        state;
    Doc doc = built_of(text, tokens, first_words, sentences, columns, heads, items);
    for (const auto& [decision, of] : confidences) add_confidences(doc, decision, of);
    if (!familiar.empty() && familiar.size() != doc.sentence_count())
        throw DataError("document: familiar words are not counted for each of its sentences");
    for (const auto& [words, known] : familiar) doc.familiar.push_back({words, known});
    if (end < 0 || end > static_cast<int>(Doc::End::within_paragraph))
        throw DataError("document: it does not say where its text ends");
    doc.end = static_cast<Doc::End>(end);
    doc.of_lines = of_lines;
    new (self) Doc(std::move(doc));
}

}  // namespace

void bind_doc(nb::module_& m) {
    nb::class_<Doc>(m, "Doc", "A text and what was found in it.")
        .def_static("build", &built_of, nb::arg("text"), nb::arg("tokens"), nb::arg("first_words"),
                    nb::arg("sentences"), nb::arg("columns"), nb::arg("heads").none(), nb::arg("items") = Items(),
                    "A document of what the properties of another have; columns by their names. `items`: of columns "
                    "that CoNLL-U has in MISC, their names there and the values of words that have none. Raises "
                    "DataError.")
        .def_static("of_words", &sapwood::doc_of, nb::arg("treebank"),
                    "A document with the text, tokens and words of a treebank, and nothing else of it.")
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
        .def("column", &doc_column, nb::arg("name"), nb::sig("def column(self, name: str) -> list[Any] | None"),
             "The values of all words in a column, such as form or lemma; None if no part gives them. Heads are "
             "numbers.")
        .def_prop_ro("items", &items, "Of columns that CoNLL-U has in MISC: their names there, and values for nothing.")
        .def(
            "treebank", [](const Doc& doc, const std::string& name) { return treebank_of({&doc}, name); },
            nb::arg("name") = "document", nb::call_guard<Interruptible>(), "What `to_conllu` writes, as a treebank.")
        .def_prop_ro("heads", &heads, nb::sig("def heads(self) -> list[int] | None"),
                     "Counted from 1 in the sentence; 0 is the root.")
        .def_prop_ro("familiar", &familiar,
                     "For each sentence its words, and how many of them the model knows; or nothing.")
        .def_prop_ro(
            "rows", [](const Doc& doc) -> const Columns& { return doc.words; }, nb::rv_policy::reference_internal,
            "The forms of all words and, if there are tags, UPOS, XPOS and FEATS.")
        .def("add_confidences", &add_confidences, nb::arg("decision"), nb::arg("of"),
             nb::sig("def add_confidences(self, decision: str, of: list[float]) -> None"),
             "Keep how sure a decision about each word is, from 0 to 1, or NaN. Raises OptionError for other values.")
        .def_prop_ro("confidences", &confidences, nb::sig("def confidences(self) -> dict[str, list[float]]"),
                     "By decision, for all words; NaN where nothing was decided.")
        .def(
            "to_conllu",
            [](const Doc& doc, size_t first) { return to_bytes(interruptible([&] { return to_conllu(doc, first); })); },
            nb::arg("first_sentence"), "CoNLL-U; sentences are numbered from there.")
        .def(
            "to_json_lines",
            [](const Doc& doc, size_t first) {
                return to_bytes(interruptible([&] { return to_json_lines(doc, first); }));
            },
            nb::arg("first_character"), "A JSON object for each sentence, one a line.")
        .def("__getstate__", &state, nb::sig("def __getstate__(self) -> object"))
        .def("__setstate__", &restore);
}

}  // namespace sapwood::bindings
