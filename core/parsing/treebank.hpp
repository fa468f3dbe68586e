// Gold trees out of a CoNLL-U file, checked for what a parser takes for granted: every word has one head that
// is a word of the sentence or the root, there is no cycle, and, where the treebank promises it, one root.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "search/tree.hpp"
#include "text/conllu.hpp"
#include "text/label_set.hpp"

namespace sapwood {

// The tree of a sentence; its relations get numbers in `labels`. Throws DataError with the word's line and the
// sentence. A relation with the mark of lifted words (search/projective.hpp) is refused.
Tree read_tree(const Conllu& data, size_t sentence, bool single_root, LabelSet& labels);

// What keeps the heads from being a tree.
struct Flaw {
    size_t word;
    std::string what;
};
std::optional<Flaw> find_flaw(const std::vector<uint32_t>& heads, bool single_root);  // heads [n + 1]

}  // namespace sapwood
