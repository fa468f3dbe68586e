#include "rewriting/rewriting_examples.hpp"

#include <string_view>
#include <unordered_map>

#include "base/errors.hpp"
#include "rewriting/known_words.hpp"
#include "rewriting/next_words.hpp"
#include "rewriting/rewriting_rows.hpp"
#include "rewriting/splitter.hpp"
#include "text/normal_form.hpp"
#include "text/script_induction.hpp"

namespace sapwood {

Columns lemma_examples(const Conllu& data, size_t min_words) {
    const auto has_lemma = [&](size_t word) {
        return data.cell(word, Field::lemma) != "_" || data.cell(word, Field::form) == "_";
    };
    const auto is_word = [&](size_t word) { return data.cell(word, Field::upos) != "PUNCT"; };
    std::vector<Rewriting> examples;
    bool any_word = false, any_lemma = false;  // but of punctuation
    for (size_t w = 0; w < data.words(); ++w) {
        any_word |= is_word(w);
        any_lemma |= is_word(w) && has_lemma(w);
        if (has_lemma(w))
            examples.push_back({composed(data.cell(w, Field::form)), {composed(data.cell(w, Field::lemma))}});
    }
    if (examples.empty()) throw DataError(data.name() + ": no word has a lemma (column 3 is _ everywhere)");
    if (any_word && !any_lemma)
        throw DataError(data.name() + ": no word but punctuation has a lemma, so that there is nothing to learn");
    const std::vector<std::string> scripts = choose_scripts(examples);
    std::unordered_map<std::string_view, size_t> words;
    for (const std::string& script : scripts) ++words[script];
    const auto is_rare = [&](const std::string& script) {
        return words[script] < min_words && !EditScript(std::string_view(script)).keeps_letters();
    };
    Columns rows(kLemmaColumns + 1, data.name());
    rows.allow_gaps();
    for (size_t s = 0, k = 0; s < data.sentences(); ++s) {
        for (size_t w = data.begin(s); w < data.end(s); ++w) {
            if (!has_lemma(w) || is_rare(scripts[k++])) continue;
            add_lemma_row(data, w, data.end(s), rows);
            rows.add_cell(scripts[k - 1]);
        }
        rows.end_sentence();
    }
    return rows;
}

Columns split_examples(const Conllu& data, bool known) {
    const TreebankTokens tokens = treebank_tokens(data);
    std::vector<Rewriting> examples;
    for (size_t t = 0; t < tokens.forms.size(); ++t) {
        const bool plain = has_apostrophe(tokens.forms[t]);
        const auto read = [&](std::string_view form) { return plain ? with_plain_letters(form) : composed(form); };
        Rewriting& example = examples.emplace_back(read(tokens.forms[t]), std::vector<std::string>());
        for (size_t w = tokens.words[t]; w < tokens.words[t + 1]; ++w)
            example.words.push_back(read(data.cell(w, Field::form)));
    }
    const std::vector<std::string> scripts = choose_scripts(examples);
    const CountedWords words(data);
    Columns rows(3, data.name());
    for (size_t s = 0; s < data.sentences(); ++s) {
        for (size_t t = tokens.sentences[s]; t < tokens.sentences[s + 1]; ++t) {
            rows.add_cell(examples[t].form);
            std::vector<std::string> own;
            for (size_t w = tokens.words[t]; known && w < tokens.words[t + 1]; ++w)
                own.push_back(composed(data.cell(w, Field::form)));
            rows.add_cell(known ? words.parts(composed(tokens.forms[t]), own) : "_");
            rows.add_cell(scripts[t]);
        }
        rows.end_sentence();
    }
    return rows;
}

}  // namespace sapwood
