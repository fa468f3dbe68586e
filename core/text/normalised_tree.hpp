// A treebank's trees as parsers are trained and scored on them, the usual way for the Penn Treebank (Collins 1999,
// section 7.1): functional tags and indices are cut off (NP-SBJ-1, NP=2 -> NP; -LRB- stays), traces (-NONE-) and what
// they leave empty are taken out, a category over nothing but itself is one, and the root is TOP.
#pragma once
#include "text/phrase_tree.hpp"

namespace sapwood {

constexpr std::string_view kRootLabel = "TOP";

// Without nodes if the tree had nothing but traces.
PhraseTree normalised(const PhraseTree& tree, Symbols& symbols);

}  // namespace sapwood
