// Normalises treebank trees for training and scoring parsers, as is usual for the Penn Treebank (Collins 1999, section
// 7.1): functional tags and indices are removed (NP-SBJ-1, NP=2 -> NP; -LRB- stays), traces (-NONE-) and the categories
// that they leave empty are removed, a category whose only child has the same label is merged with it, and the root is
// TOP.
#pragma once
#include "text/phrase_tree.hpp"

namespace sapwood {

constexpr std::string_view kRootLabel = "TOP";

// The result has no nodes if the tree contains only traces.
PhraseTree normalised(const PhraseTree& tree, Symbols& symbols);

// The normalised trees of a treebank, one line each, without those that contain only traces. Throws DataError, as
// read_trees and for a tree that could not be read again.
std::vector<std::string> normalised_trees(std::string_view bytes, const std::string& name);

}  // namespace sapwood
