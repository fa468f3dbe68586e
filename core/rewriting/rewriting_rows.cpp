#include "rewriting/rewriting_rows.hpp"

#include <array>

#include "rewriting/next_words.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

void add_lemma_row(const Conllu& data, size_t word, size_t end, Columns& rows) {
    static constexpr std::array fields = {Field::form, Field::upos, Field::xpos, Field::feats};
    const auto cell = [&](size_t w, size_t column) { return data.cell(w, fields[column]); };
    for (const Field field : fields) rows.add_cell(composed(data.cell(word, field)));
    const NextWords behind = is_clitic(cell(word, 0)) ? next_words(word, end, cell) : NextWords();
    rows.add_cell(behind.next);
    rows.add_cell(behind.tags);
}

Columns lemma_rows(const Conllu& data) {
    Columns rows(kLemmaColumns, data.name());
    rows.allow_gaps();
    for (size_t s = 0; s < data.sentences(); ++s) {
        for (size_t w = data.begin(s); w < data.end(s); ++w) add_lemma_row(data, w, data.end(s), rows);
        rows.end_sentence();
    }
    return rows;
}

TreebankTokens treebank_tokens(const Conllu& data) {
    TreebankTokens tokens;
    auto range = data.multiwords().begin();
    for (size_t s = 0; s < data.sentences(); ++s) {
        tokens.sentences.push_back(tokens.forms.size());
        for (size_t w = data.begin(s); w < data.end(s);) {
            const bool several = range != data.multiwords().end() && range->begin == w;
            tokens.forms.push_back(several ? data.cell(range->row, Field::form) : data.cell(w, Field::form));
            tokens.words.push_back(w);
            w = several ? (range++)->end : w + 1;
        }
    }
    tokens.sentences.push_back(tokens.forms.size());
    tokens.words.push_back(data.words());
    return tokens;
}

Columns token_rows(const Conllu& data) {
    const TreebankTokens tokens = treebank_tokens(data);
    Columns rows(1, data.name());
    for (size_t s = 0; s < data.sentences(); ++s) {
        for (size_t t = tokens.sentences[s]; t < tokens.sentences[s + 1]; ++t) rows.add_cell(tokens.forms[t]);
        rows.end_sentence();
    }
    return rows;
}

}  // namespace sapwood
