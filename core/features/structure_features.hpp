// Features of whole labellings and dependency trees, for reranking: what the base model's dynamic program cannot see.
// Phrase-structure trees have theirs in tree_features.hpp.
//
//     chunks      three and four neighbours, with their last words; a chunk's words, its tags, alone and between their
//                 neighbours, its first and last word, its length
//     labels      four neighbours; three with the word of the last
//     arcs        a grandparent with head and modifier; the relation with head and modifier
//     heads       all modifiers of a head by tag and by relation, their number, and pairs of neighbours
#pragma once
#include <string>
#include <vector>

#include "features/counted_features.hpp"

namespace sapwood {

class StructureFeatures {
  public:
    // The tokens of the structures to come, [tokens][columns]: the word first, a tag second if there is one.
    void set_tokens(const std::vector<std::vector<std::string>>& tokens);

    // Each adds a row with the features of one structure and their counts; labels, heads and deprels are one for each
    // token, a head from 0, the root, to the number of tokens.
    void add_chunks(const std::vector<std::string>& labels, FeatureRows& rows);
    void add_labels(const std::vector<std::string>& labels, FeatureRows& rows);
    void add_tree(const std::vector<uint32_t>& heads, const std::vector<std::string>& deprels,
                  FeatureRows& rows);

  private:
    uint64_t word(size_t i) const { return i < words_.size() ? words_[i] : kBoundary; }
    uint64_t tag(size_t i) const { return i < tags_.size() ? tags_[i] : kBoundary; }

    std::vector<uint64_t> words_, tags_;  // [tokens] hashes; of words in lower case
    CountedFeatures found_;
};

}  // namespace sapwood
