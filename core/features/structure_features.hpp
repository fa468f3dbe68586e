// Features of whole label sequences and dependency trees, for reranking. They look further than the dynamic program of
// the base model can. Phrase-structure trees have theirs in tree_features.hpp.
//
//     chunks      three and four consecutive chunks, with their last words; a chunk's words, its tags alone and between
//                 the neighbouring tags, its first and last word, its length
//     labels      four consecutive labels; three with the word of the last one
//     arcs        a grandparent with head and modifier; the relation with head and modifier
//     heads       all modifiers of a head by tag and by relation, their number, and pairs of adjacent modifiers
#pragma once
#include <string>
#include <vector>

#include "features/counted_features.hpp"

namespace sapwood {

class StructureFeatures {
  public:
    // Sets the tokens of the structures that are added next, [tokens][columns]: the word, then its tag if there is one.
    void set_tokens(const std::vector<std::vector<std::string>>& tokens);

    // Each adds a row with the counted features of one structure. There is one label, or one head and relation, per
    // token. A head is a number from 0, the root, to the number of tokens.
    void add_chunks(const std::vector<std::string>& labels, FeatureRows& rows);
    void add_labels(const std::vector<std::string>& labels, FeatureRows& rows);
    void add_tree(const std::vector<uint32_t>& heads, const std::vector<std::string>& deprels, FeatureRows& rows);

  private:
    uint64_t word(size_t i) const { return i < words_.size() ? words_[i] : kBoundary; }
    uint64_t tag(size_t i) const { return i < tags_.size() ? tags_[i] : kBoundary; }

    std::vector<uint64_t> words_, tags_;  // [tokens] hashes of the lower-cased words and of the tags
    CountedFeatures found_;
};

}  // namespace sapwood
