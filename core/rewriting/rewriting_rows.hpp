// The rows of a treebank that are rewritten: its words, for lemmas, and its tokens, for their words.
#pragma once
#include <string_view>
#include <vector>

#include "text/columns.hpp"
#include "text/conllu.hpp"

namespace sapwood {

// The words of a treebank: form, UPOS, XPOS, FEATS, and what stands behind clitics (next_words.hpp).
Columns lemma_rows(const Conllu& data);
// Adds the cells of such a row to others; `end` is the end of the word's sentence.
void add_lemma_row(const Conllu& data, size_t word, size_t end, Columns& rows);

// The tokens of a treebank by sentence, and the words of each.
struct TreebankTokens {
    std::vector<std::string_view> forms;  // parts of the treebank's bytes
    std::vector<size_t> words;            // [tokens + 1] first word of each token
    std::vector<size_t> sentences;        // [sentences + 1] first token of each sentence
};
TreebankTokens treebank_tokens(const Conllu& data);

// The tokens of a treebank: form.
Columns token_rows(const Conllu& data);

}  // namespace sapwood
