#include "text/conllu.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "base/errors.hpp"
#include "bindings/bindings.hpp"
#include "parsing/treebank.hpp"
#include "search/projective.hpp"
#include "text/doc.hpp"
#include "text/treebank_text.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

Field field_of(const std::string& name) {
    const auto at = std::find(kFieldNames.begin(), kFieldNames.end(), name);
    if (at == kFieldNames.end())
        throw OptionError("'" + name +
                          "' is no column of CoNLL-U; those are id, form, lemma, upos, xpos, feats, "
                          "head, deprel, deps and misc");
    return static_cast<Field>(at - kFieldNames.begin());
}

nb::tuple to_python(const Tree& tree, const LabelSet& labels) {
    nb::list heads, deprels;
    for (size_t m = 1; m <= tree.words(); ++m) {
        heads.append(tree.heads[m]);
        deprels.append(to_str(labels.name(tree.labels[m])));
    }
    return nb::make_tuple(heads, deprels);
}

namespace {

nb::list conllu_column(const Conllu& self, const std::string& name) {
    const Field field = field_of(name);
    return by_sentence(self, [&](size_t word) { return to_str(self.cell(word, field)); });
}

nb::list trees(const Conllu& self, bool single_root) {
    LabelSet labels;
    nb::list list;
    for (size_t s = 0; s < self.sentences(); ++s)
        list.append(to_python(read_tree(self, s, single_root, labels), labels));
    return list;
}

// The cells of a new column. What they point into is kept in `kept`: tuples, which nobody can change.
std::vector<std::string_view> new_cells(const Conllu& self, const std::string& name, nb::handle sentences,
                                        std::vector<nb::tuple>& kept) {
    const nb::tuple given(nb::borrow(sentences));
    if (given.size() != self.sentences())
        throw DataError(self.name() + ": column " + name + " has " + std::to_string(given.size()) +
                        " sentences, the file " + std::to_string(self.sentences()));
    std::vector<std::string_view> cells;
    cells.reserve(self.words());
    for (size_t s = 0; s < self.sentences(); ++s) {
        if (PyUnicode_Check(nb::object(given[s]).ptr()))
            throw DataError(self.where(self.begin(s)) + ": column " + name +
                            " has a string for this sentence, not a list of cells");
        const auto values = nb::tuple(nb::object(given[s]));
        const size_t words = self.end(s) - self.begin(s);
        if (values.size() != words)
            throw DataError(self.where(self.begin(s)) + ": column " + name + " has " + std::to_string(values.size()) +
                            " cells for the " + std::to_string(words) + " words of this sentence");
        for (size_t k = 0; k < words; ++k) {
            const auto cell = utf8_of(nb::object(values[k]));
            if (!cell)
                throw DataError(self.where(self.begin(s) + k) + ": the new cell of column " + name +
                                " is not a string of valid Unicode");
            cells.push_back(*cell);
        }
        kept.push_back(values);
    }
    return cells;
}

std::vector<Conllu::Replacement> replacements(const Conllu& self, const nb::dict& columns,
                                              std::vector<nb::tuple>& kept) {
    std::vector<Conllu::Replacement> found;
    for (const auto& [key, sentences] : columns) {
        const auto name = nb::cast<std::string>(key);
        found.push_back({field_of(name), new_cells(self, name, sentences, kept)});
    }
    return found;
}

nb::bytes replace(const Conllu& self, const nb::dict& columns) {
    std::vector<nb::tuple> kept;
    auto found = replacements(self, columns, kept);
    return to_bytes(interruptible([&] { return self.write(std::move(found)); }));
}

Conllu with_columns(const Conllu& self, const nb::dict& columns) {
    std::vector<nb::tuple> kept;
    auto found = replacements(self, columns, kept);
    const Interruptible work;
    return self.replaced(std::move(found));
}

// A treebank of columns, [sentences][words] each, with as many sentences and words as the forms.
Conllu build(const nb::dict& columns, const std::string& name) {
    if (!columns.contains("form")) throw DataError(name + ": its words have no forms");
    std::array<std::optional<nb::list>, kFields> given;
    for (const auto& [key, sentences] : columns)
        given[static_cast<size_t>(field_of(nb::cast<std::string>(key)))] = nb::list(nb::borrow(sentences));
    const auto& forms = *given[static_cast<size_t>(Field::form)];
    Conllu::Builder treebank(name);
    const SignalCheck check;
    for (size_t s = 0; s < forms.size(); ++s) {
        const std::string where = name + ": sentence " + std::to_string(s + 1);
        const size_t words = nb::len(nb::handle(forms[s]));
        if (words == 0) throw DataError(where + " is empty; a sentence is a list of words");
        for (size_t w = 0; w < words; ++w) {
            StopCheck::after(200);
            treebank.begin_row();
            treebank.add_cell(std::to_string(w + 1));
            for (size_t k = 1; k < kFields; ++k) {
                if (!given[k]) {
                    treebank.add_cell("_");
                    continue;
                }
                if (given[k]->size() != forms.size() || nb::len(nb::handle((*given[k])[s])) != words)
                    throw DataError(where + " has not as many words in the column " + std::string(kFieldNames[k]));
                const nb::object value = nb::object((*given[k])[s])[w];
                const auto cell = utf8_of(value);
                const std::string word = where + ", word " + std::to_string(w + 1);
                if (!cell && PyUnicode_Check(value.ptr())) throw DataError(name + ": a word is not valid Unicode");
                if (!cell || !fits_a_cell(*cell))
                    throw DataError(word + ": " + nb::cast<std::string>(nb::repr(value)) +
                                    " is no text that fits on a line");
                treebank.add_cell(*cell);
            }
            treebank.end_word();
        }
        treebank.end_sentence();
    }
    return treebank.take();
}

nb::tuple projectivise_lists(const std::vector<uint32_t>& heads, const std::vector<std::string>& deprels) {
    LabelSet labels;
    Tree tree = make_tree(heads, deprels, labels);
    for (const std::string& name : deprels)
        if (name.find(kLiftMark) != std::string::npos)
            throw DataError("the relation " + quoted(name) + " has the mark of a lifted word in it already");
    projectivise(tree, labels);
    return to_python(tree, labels);
}

nb::tuple deprojectivise_lists(const std::vector<uint32_t>& heads, const std::vector<std::string>& deprels) {
    LabelSet labels;
    Tree tree = make_tree(heads, deprels, labels);
    deprojectivise(tree, LiftedLabels(labels));
    return to_python(tree, labels);
}

nb::list multiword_list(const Conllu& self) {
    nb::list list;
    for (const Conllu::Multiword& token : self.multiwords())
        list.append(nb::make_tuple(token.begin, token.end, to_str(self.cell(token.row, Field::form))));
    return list;
}

TreebankText conllu_text(const Conllu& self, size_t width, bool apart) {
    const Interruptible work;
    return treebank_text(self, width, apart);
}

nb::list token_list(const TreebankText& self) {
    nb::list list;
    for (const auto& [begin, end] : self.tokens) list.append(nb::make_tuple(begin, end));
    return list;
}

std::vector<uint32_t> non_projective_lists(const std::vector<uint32_t>& heads) {
    LabelSet labels;
    return non_projective_words(make_tree(heads, std::vector<std::string>(heads.size()), labels));
}

}  // namespace

void bind_conllu(nb::module_& m) {
    nb::class_<Conllu> conllu(m, "Conllu", "A CoNLL-U or CoNLL-X file in memory, read without loss; the words of it.");
    bind_sentences(conllu)
        .def_static("read", &read_text<Conllu, size_t, const Conllu*>, nb::arg("data"), nb::arg("name"),
                    nb::arg("first_line") = 1, nb::arg("before").none() = nb::none(),
                    "Parse the bytes of a CoNLL-U or CoNLL-X file. Raises DataError with name, line and sentence.")
        .def_static("build", &build, nb::arg("columns"), nb::arg("name"),
                    nb::sig("def build(columns: dict[str, list[list[str]]], name: str) -> Conllu"),
                    "A treebank of columns by their names, 'form' among them, a list a sentence. Raises DataError.")
        .def_static("of_docs", &treebank_of, nb::arg("docs"), nb::arg("name"), nb::call_guard<Interruptible>(),
                    "The sentences of documents: what they write as CoNLL-U.")
        .def("column", &conllu_column, nb::arg("field"), nb::sig("def column(self, field: str) -> list[list[str]]"),
             "One column ('form', 'upos', ...) of all words, a list a sentence. Raises OptionError.")
        .def("trees", &trees, nb::arg("single_root"),
             nb::sig("def trees(self, single_root: bool) -> list[tuple[list[int], list[str]]]"),
             "(heads, relations) of each sentence; head 0 is the root. Raises DataError if one is not a tree.")
        .def_prop_ro(
            "multiwords", &multiword_list, nb::sig("def multiwords(self) -> list[tuple[int, int, str]]"),
            "Tokens of several words: their first word, the one after the last, counted in the file, the form.")
        .def_prop_ro(
            "sentence_ids",
            [](const Conllu& self) {
                nb::list ids;
                for (size_t s = 0; s < self.sentences(); ++s) ids.append(to_str(self.sent_id(s)));
                return ids;
            },
            nb::sig("def sentence_ids(self) -> list[str]"), "The sent_id of each sentence, '' where there is none.")
        .def_static("joined", &Conllu::joined, nb::arg("files"), nb::call_guard<Interruptible>(),
                    "The sentences of several files, which words know. Raises DataError if columns differ in number.")
        .def("text", &conllu_text, nb::arg("width") = 0, nb::arg("apart") = false,
             "The raw text, put together by SpaceAfter, SpacesAfter and SpacesBefore in MISC. "
             "`# newpar` and `# newdoc` begin a paragraph after an empty line. A `width` other than 0 "
             "wraps paragraphs at so many characters; `apart` puts a space between sentences that are "
             "`glued`, and takes spaces from `# text` where MISC never has them.")
        .def("with_columns", &with_columns, nb::arg("columns"),
             nb::sig("def with_columns(self, columns: dict[str, list[list[str]]]) -> Conllu"),
             "A treebank with new columns, a list of cells a sentence. Raises DataError, OptionError.")
        .def(
            "to_bytes", [](const Conllu& self) { return to_bytes(interruptible([&] { return self.write({}); })); },
            "The file's bytes.")
        .def("replace", &replace, nb::arg("columns"),
             nb::sig("def replace(self, columns: dict[str, list[list[str]]]) -> bytes"),
             "The file's bytes with new columns, a list of cells a sentence. Raises DataError, OptionError.")
        .def(
            "sentence_hashes", [](const Conllu& data) { return bytes_of_numbers(sentence_hashes(data)); },
            "[sentences] uint64 of the forms; 0: fewer than eight words, unless most of these come several times.")
        .def_prop_ro("other_columns", &Conllu::other_columns,
                     "Columns of CoNLL-U Plus that are none of CoNLL-U, with spaces between; None of other files.")
        .def_prop_ro(
            "padded", [](const Conllu& self) { return std::pair(self.padded(), self.first_padded()); },
            "How many cells have blanks at their edges, and the line of the first one.")
        .def("__getstate__", [](const Conllu& self) { return std::tuple(to_bytes(self.write({})), self.name()); })
        .def("__setstate__",
             [](Conllu& self, const std::tuple<nb::bytes, std::string>& sent) {
                 new (&self) Conllu(read_text<Conllu>(std::get<0>(sent), std::get<1>(sent)));
             })
        .def("where", &where<Conllu, &Conllu::words>, nb::arg("word"),
             "name:line of a word, and its sentence's sent_id; words count from 0 in the file.")
        .def_prop_ro("words", &Conllu::words);

    nb::class_<TreebankText>(m, "TreebankText", "The raw text of a treebank, and where in it the tokens stand.")
        .def_prop_ro(
            "text", [](const TreebankText& self) { return to_bytes(self.text); }, "The text in UTF-8.")
        .def_prop_ro("tokens", &token_list, nb::sig("def tokens(self) -> list[tuple[int, int]]"),
                     "Begin and end of each token, in bytes of the text: text[begin:end] is its form.")
        .def_ro("words", &TreebankText::words, "[tokens + 1] the first word of each token, counted in the file.")
        .def_ro("sentences", &TreebankText::sentences, "[sentences + 1] the first token of each sentence.")
        .def_ro("marked", &TreebankText::marked,
                "Tokens of which MISC says that no space, or another than one, follows.")
        .def_prop_ro(
            "told",
            [](const TreebankText& self) {
                constexpr std::array<std::string_view, 4> names = {"", "forms", "text", "misc"};
                return to_str(names[static_cast<size_t>(self.told)]);
            },
            nb::sig("def told(self) -> str"),
            "What tells where spaces are: '' (nothing), 'forms' with spaces inside, '# text' ('text') or 'misc'.")
        .def_ro("glued", &TreebankText::glued,
                "Sentences without a space behind them, if that is so of nearly all and their tokens have spaces.")
        .def_prop_ro(
            "unknown",
            [](const TreebankText& self) {
                nb::list list;
                for (const auto& [field, count, word] : self.unknown)
                    list.append(nb::make_tuple(to_str(field), count, word));
                return list;
            },
            nb::sig("def unknown(self) -> list[tuple[str, int, int]]"),
            "Fields of MISC about spaces that are not understood: the field, how often it comes, the first word.")
        .def_prop_ro(
            "misspelled",
            [](const TreebankText& self) { return std::tuple(self.misspelled, self.with_text, self.first_misspelled); },
            "Sentences whose `# text` is not what the words spell; those that have one; the number of the first.");

    m.def("projectivise", &projectivise_lists, nb::arg("heads"), nb::arg("deprels"),
          nb::sig("def projectivise(heads: Sequence[int], deprels: Sequence[str]) -> tuple[list[int], list[str]]"),
          "Lift the words of a tree until it is projective; lifted words' relations tell where they came from.\n\n"
          "Nivre & Nilsson (2005), encoding Head. heads[i] is the head of word i + 1, 0 the root. Raises DataError.");
    m.def("deprojectivise", &deprojectivise_lists, nb::arg("heads"), nb::arg("deprels"),
          nb::sig("def deprojectivise(heads: Sequence[int], deprels: Sequence[str]) -> tuple[list[int], "
                  "list[str]]"),
          "Put lifted words back where their relations say, and take the marks off. Raises DataError.");
    m.def("non_projective_words", &non_projective_lists, nb::arg("heads"),
          nb::sig("def non_projective_words(heads: Sequence[int]) -> list[int]"),
          "The words, counted from 1, whose arcs are not projective. Raises DataError.");
}

}  // namespace sapwood::bindings
