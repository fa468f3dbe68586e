// The text that clusters are learned from: its words with their counts, and which words follow each other.
//
// A line of tokenised text is a sentence, its tokens between spaces. Other text is cut into tokens as running text is
// (text/tokens.hpp), and an empty line ends what is read on through line ends. The boundary of sentences counts as a word.
//
// Words that are rarer than `min_count` are no words of their own. Such a word is counted as the form by which it will be
// looked up (features/word_clusters.hpp): its lower-cased form, if that is frequent, or the form with each digit replaced
// by 1, if all words of that form together are frequent. The others count as one unknown word.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sapwood {

// Counts of neighbours. The neighbours of word w stand at first[w] to first[w + 1] - 1.
struct Neighbours {
    std::vector<size_t> first;    // [words + 1]
    std::vector<uint32_t> word;   // ascending
    std::vector<uint32_t> count;  // of word beside w
};

struct ClusterText {
    static constexpr uint32_t kBoundary = 0, kUnknown = 1, kFirst = 2;  // the first word that is one

    std::vector<std::string> words;  // by number, the most frequent first from kFirst on; of equally frequent ones in
                                     // the order of their bytes
    std::vector<uint64_t> counts;    // [words]
    Neighbours before, after;        // bigrams, once by their second and once by their first word
    uint64_t tokens = 0;             // the boundaries counted
};

class ClusterCorpus {
  public:
    explicit ClusterCorpus(bool tokenised) : tokenised_(tokenised) {}

    // Adds lines of text, which begin at line `first_line` of `name`. Throws DataError if they are not text.
    void add(std::string_view lines, const std::string& name, size_t first_line);
    // Ends a text.
    void end();

    uint64_t tokens() const { return tokens_.size(); }

    // Throws DataError if no word is frequent enough.
    ClusterText text(uint64_t min_count) const;

  private:
    void add_token(std::string_view token);

    bool tokenised_;
    std::unordered_map<uint64_t, uint32_t> numbers_;  // of words, by their hashes
    std::vector<std::string> words_ = {""};           // the boundary, and the words in the order of first appearance
    std::vector<uint32_t> tokens_;                    // numbers of words; a text ends with a boundary
};

}  // namespace sapwood
