#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/model_file.hpp"
#include "making/parts.hpp"
#include "rewriting/lemma_lexicon.hpp"
#include "rewriting/rewriting_examples.hpp"
#include "rewriting/rewriting_rows.hpp"
#include "rewriting/script_guard.hpp"
#include "rewriting/splitter.hpp"
#include "text/edit_script.hpp"
#include "text/script_induction.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

nb::list lemmas(const Rewriter& self, const Columns& rows, size_t threads) {
    const auto found = [&] {
        const Interruptible work;
        return self.first_words(rows, threads);
    }();
    std::vector<nb::object> texts;
    for (const std::string& text : found.texts) texts.push_back(to_str(text));
    return by_sentence(rows, [&](size_t row) { return texts[found.of[row]]; });
}

nb::list split(const Splitter& self, const Columns& tokens, size_t threads) {
    const auto found = [&] {
        const Interruptible work;
        return self.split(tokens, threads);
    }();
    return by_sentence(tokens, [&, next = found.begin()](size_t token) mutable {
        nb::list result;
        if (next == found.end() || next->row != token)
            result.append(to_str(tokens.cell(token, 0)));
        else
            for (const std::string& word : (next++)->words) result.append(to_str(word));
        return result;
    });
}

nb::list token_words(const Conllu& data) {
    const TreebankTokens tokens = treebank_tokens(data);
    nb::list sentences;
    for (size_t s = 0; s < data.sentences(); ++s) {
        nb::list sentence;
        for (size_t t = tokens.sentences[s]; t < tokens.sentences[s + 1]; ++t) {
            nb::list forms;
            for (size_t w = tokens.words[t]; w < tokens.words[t + 1]; ++w)
                forms.append(to_str(data.cell(w, Field::form)));
            sentence.append(forms);
        }
        sentences.append(sentence);
    }
    return sentences;
}

}  // namespace

void bind_rewriter(nb::module_& m) {
    nb::class_<EditScript>(m, "EditScript", "Text with slices of a form in brackets: cities -> city is '[:-3]y'.")
        .def(nb::init<std::string_view>(), nb::arg("text"), "Raises ModelError for text that is not a script.")
        .def("apply", &EditScript::apply, nb::arg("form"),
             "The words that the script makes of a form; None if the form is too short for it.")
        .def_prop_ro("text", &EditScript::text)
        .def_prop_ro("words", &EditScript::words, "The number of words that it makes.")
        .def_prop_ro("shortest", &EditScript::shortest, "Letters of the shortest form that it fits.");

    m.def(
        "scripts_for",
        [](std::string form, std::vector<std::string> words) {
            return scripts_for({std::move(form), std::move(words)});
        },
        nb::arg("form"), nb::arg("words"), nb::call_guard<Interruptible>(),
        "Scripts that rewrite a form into words; the last has no slice of the form. Raises DataError if one is empty.");
    m.def(
        "choose_scripts",
        [](std::vector<std::pair<std::string, std::vector<std::string>>> given) {
            std::vector<Rewriting> examples;
            examples.reserve(given.size());
            for (auto& [form, words] : given) examples.push_back({std::move(form), std::move(words)});
            return choose_scripts(examples);
        },
        nb::arg("examples"), nb::call_guard<Interruptible>(),
        "A script for each (form, words): as few different ones as a greedy search finds. Raises DataError.");

    m.def(
        "lemma_rows",
        [](const Conllu& treebank, bool labelled, size_t min_words) {
            return labelled ? lemma_examples(treebank, min_words) : lemma_rows(treebank);
        },
        nb::arg("treebank"), nb::arg("labelled"), nb::arg("min_words") = 1, nb::call_guard<Interruptible>(),
        "Form, UPOS, XPOS and FEATS of each word; if labelled, of those that have a lemma, with the script that makes "
        "it, unless fewer than `min_words` words have that script and it changes letters. Raises DataError if no word "
        "has one.");
    m.def("token_rows", &token_rows, nb::arg("treebank"), nb::call_guard<Interruptible>(), "Form of each token.");
    m.def("split_examples", &split_examples, nb::arg("treebank"), nb::arg("known"), nb::call_guard<Interruptible>(),
          "Form of each token, which parts of it are words of other tokens (if `known`, else '_'), and the script that "
          "makes its words. Raises DataError.");
    m.def("token_words", &token_words, nb::arg("treebank"),
          nb::sig("def token_words(treebank: Conllu) -> list[list[list[str]]]"),
          "The forms of the words of each token, by sentence.");

    m.def(
        "lemma_lexicon",
        [](const std::vector<std::tuple<std::string, std::string, Label>>& given) {
            std::vector<LemmaLexicon::Entry> entries;
            for (const auto& [form, tag, script] : given) entries.push_back({form, tag, script});
            const LemmaLexicon lexicon(entries);
            const std::vector<uint16_t> scripts(lexicon.scripts().begin(), lexicon.scripts().end());
            return nb::make_tuple(bytes_of_numbers(lexicon.keys()), bytes_of_numbers(scripts));
        },
        nb::arg("entries"),
        nb::sig("def lemma_lexicon(entries: collections.abc.Sequence[tuple[str, str, int]]) -> tuple[bytes, bytes]"),
        "A lexicon of (form, tag, number of the script): sorted hashes of 32 bits, and scripts in 16 bits.");

    m.def(
        "script_lists", &ScriptGuard::learn, nb::arg("rows"), nb::arg("labels"), nb::arg("known"),
        nb::call_guard<nb::gil_scoped_release>(),
        "Which forms the scripts in the last column of `rows` may rewrite: a line for each of the labels that changes "
        "letters. `known` are the lists of a model from which training goes on.");
    nb::class_<Rewriter>(m, "Lemmatizer", "Makes lemmas by the scripts that a tagger chooses; shared by threads.")
        .def(
            "__init__",
            [](Rewriter* self, nb::handle model, const making::RowTagger& tagger) {
                new (self) Rewriter(making::lemmatizer_of(without_weights(model), tagger));
            },
            nb::arg("model"), nb::arg("tagger"), nb::keep_alive<1, 3>(),
            "The lemmatizer in a ModelFile, with the tagger in it. Raises ModelError.")
        .def("lemmas", &lemmas, nb::arg("rows"), nb::arg("threads"),
             nb::sig("def lemmas(self, rows: Columns, threads: int) -> list[list[str]]"),
             "The lemma of each row, by sentence. Raises DataError.");

    m.def(
        "known_words", [](const Conllu& treebank) { return bytes_of_numbers(KnownWords(treebank).hashes()); },
        nb::arg("treebank"), "Sorted hashes of the words of a treebank, of 32 bits.");
    nb::class_<Splitter>(m, "Splitter", "Splits tokens by the scripts that a tagger chooses; shared by threads.")
        .def(
            "__init__",
            [](Splitter* self, nb::handle model, const making::RowTagger& tagger) {
                new (self) Splitter(making::splitter_of(without_weights(model), tagger));
            },
            nb::arg("model"), nb::arg("tagger"), nb::keep_alive<1, 3>(),
            "The splitter in a ModelFile, with the tagger in it. Raises ModelError.")
        .def("words", &split, nb::arg("tokens"), nb::arg("threads"),
             nb::sig("def words(self, tokens: Columns, threads: int) -> list[list[list[str]]]"),
             "The words of each token, by sentence. Raises DataError.")
        .def("rows", &Splitter::rows, nb::arg("tokens"), nb::call_guard<Interruptible>(),
             "What its tagger labels: form and, if words are known, which parts of it are words.");
}

}  // namespace sapwood::bindings
