// Features of whole phrase-structure trees, for reranking: what a parser's dynamic program cannot see (Collins 2000;
// Charniak & Johnson 2005). Each is counted over the tree.
//
//     rule            NP -> DT NN, alone, and with the category above
//     children        two neighbours below a category, with the boundary
//     ancestors       a word, and a tag, with the categories above it, up to three
//     heads           the head word of a category with that of the category above: the last word of a nominal, the first
//                     of any other
//     edges           a category with its first and last words and tags, and those before and behind it
//     size            a category with its length and its distance to the end, in buckets
//     right branch    nodes on the rightmost path, and off it
//     parallel        whether the categories beside a conjunction have the same children
#pragma once
#include "features/counted_features.hpp"
#include "text/phrase_tree.hpp"

namespace sapwood {

class TreeFeatures {
  public:
    // Hashes of labels and words are kept by number; `symbols` are those of the trees.
    explicit TreeFeatures(const Symbols& symbols) : symbols_(symbols) {}

    // Adds a tree's features to the row that is being built, with their counts.
    void add(const PhraseTree& tree, FeatureRows& rows);

  private:
    void gather(const PhraseTree& tree);
    void edges(const PhraseTree& tree, uint32_t node);

    uint64_t label(uint32_t number);
    uint64_t word(uint32_t number);

    const Symbols& symbols_;
    std::vector<uint64_t> labels_, words_;  // hashes by number
    CountedFeatures found_;
    std::vector<uint32_t> parent_, head_, tags_;  // of nodes, of nodes, of words
};

}  // namespace sapwood
