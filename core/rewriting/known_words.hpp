// The words of a treebank, for splitting tokens: what is left of a token when its first or last letters are cut off
// tells how it is to be split, if that is a word on its own (Hebrew: b-byt, "in a house"). A word is kept as 32 bits of
// its hash.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/conllu.hpp"

namespace sapwood {

class KnownWords {
  public:
    KnownWords() = default;
    explicit KnownWords(const Conllu& treebank);
    // From a model file. Throws ModelError if the hashes are not sorted.
    explicit KnownWords(std::vector<uint32_t> hashes);

    bool empty() const { return hashes_.empty(); }
    const std::vector<uint32_t>& hashes() const { return hashes_; }
    bool has(std::string_view word) const;

    // Which parts of a form are words, a letter each, y or n: all of it; all but the first letter, the first two, the
    // first three; all but the last two, the last one.
    std::string parts(std::string_view form) const;

  private:
    std::vector<uint32_t> hashes_;  // [words] sorted
};

// Known words for the tokens of the treebank itself, where a token's own words do not count as known.
class CountedWords {
  public:
    explicit CountedWords(const Conllu& treebank);
    std::string parts(std::string_view form, const std::vector<std::string>& own) const;

  private:
    std::unordered_map<std::string, size_t> counts_;
};

}  // namespace sapwood
