// The rows of a treebank that are rewritten: its words, for lemmas, and its tokens, for their words. In training the
// last column is an edit script, chosen for all rows at once (text/script_induction.hpp).
#pragma once
#include <string>
#include <vector>

#include "text/columns.hpp"
#include "text/conllu.hpp"

namespace sapwood {

// The words of a treebank: form, UPOS, XPOS, FEATS, and what stands behind clitics (next_words.hpp). `labelled` rows
// have the script that makes the lemma. Words without a lemma ("_") are left out of them, and words whose script changes
// letters and is that of fewer than `min_words` words. Throws DataError if no word has a lemma.
Columns lemma_rows(const Conllu& data, bool labelled, size_t min_words = 1);

// The tokens of a treebank by sentence, and the words of each.
struct TreebankTokens {
    std::vector<std::string_view> forms;  // parts of the treebank's bytes
    std::vector<size_t> words;            // [tokens + 1] first word of each token
    std::vector<size_t> sentences;        // [sentences + 1] first token of each sentence
};
TreebankTokens treebank_tokens(const Conllu& data);

// The tokens of a treebank: form.
Columns token_rows(const Conllu& data);

// The tokens of a treebank, for training. Columns: the form; which parts of the token are words of
// other tokens (known_words.hpp), or "_" unless `known`; and the script that makes the token's words.
Columns split_examples(const Conllu& data, bool known);

}  // namespace sapwood
