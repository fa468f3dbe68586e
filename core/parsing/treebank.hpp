// Reads gold trees from CoNLL-U data and checks what a parser relies on: every word has one head, which is a word of
// the sentence or the root; there is no cycle; and, on request, exactly one word is attached to the root.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "search/tree.hpp"
#include "text/conllu.hpp"
#include "text/label_set.hpp"

namespace sapwood {

// Reads the tree of a sentence and numbers its relations by `labels`. Throws DataError, with the word's line and the
// sentence, if it is not a tree or if a relation contains the mark of lifted words (search/projective.hpp).
Tree read_tree(const Conllu& data, size_t sentence, bool single_root, LabelSet& labels);

// The tree of heads and relations, which are numbered by `labels`. Throws DataError if it is not a tree.
Tree make_tree(const std::vector<uint32_t>& heads, const std::vector<std::string>& deprels, LabelSet& labels);

// The first reason why heads are not a tree.
struct Flaw {
    size_t word;
    std::string what;
};
std::optional<Flaw> find_flaw(const std::vector<uint32_t>& heads, bool single_root);  // heads [n + 1]

}  // namespace sapwood
