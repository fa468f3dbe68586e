#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "bindings/bindings.hpp"
#include "bindings/bound_tagger.hpp"
#include "rewriting/rewriter.hpp"
#include "rewriting/rewriting_examples.hpp"
#include "text/edit_script.hpp"
#include "text/script_induction.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

nb::list lemmas(const Rewriter& self, const Columns& rows, size_t threads) {
    const auto found = [&] {
        const nb::gil_scoped_release release;
        return self.first_words(rows, threads);
    }();
    std::vector<nb::object> texts;
    for (const std::string& text : found.texts) texts.push_back(to_str(text));
    return by_sentence(rows, [&](size_t row) { return texts[found.of[row]]; });
}

nb::list words(const Rewriter& self, const Columns& rows, size_t threads) {
    const auto found = [&] {
        const nb::gil_scoped_release release;
        return self.changed(rows, threads);
    }();
    return by_sentence(rows, [&, next = found.begin()](size_t row) mutable {
        nb::list result;
        if (next == found.end() || next->row != row)
            result.append(to_str(rows.cell(row, 0)));
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
        nb::arg("form"), nb::arg("words"), nb::call_guard<nb::gil_scoped_release>(),
        "Scripts that rewrite a form into words; the last has no slice of the form. Raises DataError if one is empty.");
    m.def(
        "choose_scripts",
        [](std::vector<std::pair<std::string, std::vector<std::string>>> given) {
            std::vector<Rewriting> examples;
            examples.reserve(given.size());
            for (auto& [form, words] : given) examples.push_back({std::move(form), std::move(words)});
            return choose_scripts(examples);
        },
        nb::arg("examples"), nb::call_guard<nb::gil_scoped_release>(),
        "A script for each (form, words): as few different ones as a greedy search finds. Raises DataError.");

    m.def(
        "lemma_rows", &lemma_rows, nb::arg("treebank"), nb::arg("labelled"), nb::call_guard<nb::gil_scoped_release>(),
        "Form, UPOS, XPOS and FEATS of each word; if labelled, of those that have a lemma, with the script that makes "
        "it. Raises DataError if no word has one.");
    m.def("token_rows", &token_rows, nb::arg("treebank"), nb::arg("labelled"), nb::call_guard<nb::gil_scoped_release>(),
          "Form of each token; if labelled, with the script that makes its words. Raises DataError.");
    m.def("token_words", &token_words, nb::arg("treebank"),
          nb::sig("def token_words(treebank: Conllu) -> list[list[list[str]]]"),
          "The forms of the words of each token, by sentence.");

    nb::class_<Rewriter>(m, "Rewriter", "Rewrites forms by the scripts that a tagger chooses; shared by threads.")
        .def(
            "__init__",
            [](Rewriter* self, const BoundTagger& tagger, size_t most_words) {
                new (self) Rewriter(tagger.tagger(), most_words);
            },
            nb::arg("tagger"), nb::arg("most_words"), nb::keep_alive<1, 2>(), "Raises ModelError.")
        .def("lemmas", &lemmas, nb::arg("rows"), nb::arg("threads"),
             nb::sig("def lemmas(self, rows: Columns, threads: int) -> list[list[str]]"),
             "The first word of each rewritten row, by sentence. Raises DataError.")
        .def("words", &words, nb::arg("rows"), nb::arg("threads"),
             nb::sig("def words(self, rows: Columns, threads: int) -> list[list[list[str]]]"),
             "The words of each rewritten row, by sentence. Raises DataError.");
}

}  // namespace sapwood::bindings
