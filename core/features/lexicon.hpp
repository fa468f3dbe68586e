// A lexicon of tags: which parts of speech a word may have, such as NOUN and VERB for "walk".
//
// It is stored as a table of word clusters (word_clusters.hpp) whose classes are sets of tags. The bit string of a class
// has a bit for each tag, in the order of the tags, which is 1 if the tag is in the set. Words are looked up as in word
// clusters, and unknown words are mistaken for known ones as rarely. With 20 different sets a word takes 18 bits.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "features/word_clusters.hpp"

namespace sapwood {

class Lexicon {
  public:
    static constexpr size_t kMostTags = WordClusters::kLongestString;
    static constexpr char kJoint = '+';  // between the tags of a word

    // Takes the arrays of a model file. Throws ModelError if the table is not valid, if a set of tags is empty or does not
    // have a bit for each of `tags`, or if `tags` are not distinct, ascending and valid tags as described below.
    Lexicon(PackedClusters packed, std::vector<std::string> tags);

    // entries: words, each with a tag; a word with several tags has several entries. Throws DataError, whose message begins
    // with `name`, if there are no words, if a tag is empty or contains a + or a control character, or if there are too
    // many tags or sets of tags.
    Lexicon(const std::vector<std::pair<std::string, std::string>>& entries, const std::string& name);

    const WordClusters& words() const { return words_; }
    const std::vector<std::string>& tags() const { return tags_; }

    // The tags of a class, sorted and joined: "NOUN+VERB". For WordClusters::kNone it is "none".
    std::string_view text(uint32_t of_class) const {
        return of_class == WordClusters::kNone ? WordClusters::kNoCluster : std::string_view(texts_[of_class]);
    }

    // Whether some word has a tag, and whether a word has it.
    bool has(std::string_view tag) const { return number_of(tag) < tags_.size(); }
    bool has(std::string_view word, std::string_view tag) const;

  private:
    void write_texts();
    size_t number_of(std::string_view tag) const;  // tags_.size() if there is no such tag

    std::vector<std::string> tags_;  // ascending
    WordClusters words_;
    std::vector<std::string> texts_;  // [classes]
};

}  // namespace sapwood
