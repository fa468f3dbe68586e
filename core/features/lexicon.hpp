// A lexicon of tags: which parts of speech a word may have, such as NOUN and VERB for "walk".
//
// It is a table of word clusters (word_clusters.hpp) whose classes are sets of tags. The string of a class has a bit for
// each tag, in the tags' order, which is 1 if the tag is in the set. Words are looked up as there, too, and a word that is
// not in the lexicon is as rarely taken for one that is. With 20 different sets a word takes 18 bits.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "features/word_clusters.hpp"

namespace sapwood {

class Lexicon {
  public:
    static constexpr size_t kMostTags = WordClusters::kLongestString;
    static constexpr char kJoint = '+';  // between the tags of a word

    // Takes what stands in a model file. Throws ModelError if the table is not one, if a set of tags is empty or has
    // another length than `tags`, or if these are not distinct, ascending, and as below.
    Lexicon(PackedClusters packed, std::vector<std::string> tags);

    // entries: words, each with a tag; a word with several tags is there several times. Throws DataError, which begins
    // with `name`, if there is no word, if a tag is empty or has a + or a control character in it, or if there are too
    // many tags or sets of them.
    Lexicon(const std::vector<std::pair<std::string, std::string>>& entries, const std::string& name);

    const WordClusters& words() const { return words_; }
    const std::vector<std::string>& tags() const { return tags_; }

    // The tags of a class, sorted and joined: "NOUN+VERB". The class may be WordClusters::kNone: "none".
    std::string_view text(uint32_t of_class) const {
        return of_class == WordClusters::kNone ? WordClusters::kNoCluster : std::string_view(texts_[of_class]);
    }

  private:
    void write_texts();

    std::vector<std::string> tags_;  // ascending
    WordClusters words_;
    std::vector<std::string> texts_;  // [classes]
};

}  // namespace sapwood
