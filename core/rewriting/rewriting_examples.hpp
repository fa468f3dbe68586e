// The rows of a treebank from which a rewriter learns (rewriting_rows.hpp), with an edit script in the last column, chosen for
// all rows at once (text/script_induction.hpp).
#pragma once
#include "text/columns.hpp"
#include "text/conllu.hpp"

namespace sapwood {

// The words of a treebank with the scripts that make their lemmas. Words without a lemma ("_") are left out, and words whose
// script changes letters and is that of fewer than `min_words` words. Throws DataError if no word has a lemma.
Columns lemma_examples(const Conllu& data, size_t min_words = 1);

// The tokens of a treebank: the form; which parts of the token are words of other tokens (known_words.hpp), or "_" unless
// `known`; and the script that makes the token's words.
Columns split_examples(const Conllu& data, bool known);

}  // namespace sapwood
