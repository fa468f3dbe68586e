// Features of whole phrase-structure trees, for reranking. They look further than a parser's dynamic program can
// (Collins 2000; Charniak & Johnson 2005). Each feature is counted over the tree.
//
//     rule            NP -> DT NN, alone, and with the parent category
//     children        two adjacent children of a category, with the boundary
//     ancestors       a word, and a tag, with up to three categories above it
//     heads           the head word of a category with the head word of its parent; the head is the last word of a
//                     nominal and the first word of any other category
//     edges           a category with its first and last words and tags, and with the words and tags around it
//     size            a category with its length and its distance to the end of the sentence, in buckets
//     right branch    the number of nodes on the rightmost path, and of the others
//     parallel        whether the two conjuncts of a conjunction have the same label, number of children and length
#pragma once
#include "features/counted_features.hpp"
#include "text/phrase_tree.hpp"

namespace sapwood {

class TreeFeatures {
  public:
    // `symbols` are those of the trees.
    explicit TreeFeatures(const Symbols& symbols) : symbols_(symbols) {}

    // Adds a tree's features, with their counts, to the row being built.
    void add(const PhraseTree& tree, FeatureRows& rows);

  private:
    void gather(const PhraseTree& tree);
    void edges(const PhraseTree& tree, uint32_t node);

    uint64_t label(uint32_t number);
    uint64_t word(uint32_t number);

    const Symbols& symbols_;
    std::vector<uint64_t> labels_, words_;  // hashes of the names, by number
    CountedFeatures found_;
    std::vector<uint32_t> parent_, head_;  // [nodes] parent node; position of the head word
    std::vector<uint32_t> tags_;           // [words] node of the word's tag
};

}  // namespace sapwood
