// A sentence for a parser: the hashed attributes of each word, one cache line per word.
//
//     w  form                 p  first five letters of a longer word (McDonald 2006)    t  tag
//     l  form, lower-cased    s  last three letters                                     c  second tag
//                                                                                       f  morphological features
//
// Position 0 is the root, and 1 to n are the words. Every other position holds a special word, the boundary. An
// attribute that is "_" in the treebank is missing and has the value 0.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "text/utf8.hpp"

namespace sapwood {

struct alignas(64) Word {
    static constexpr std::string_view kAttributes = "wlpstcf";
    std::array<uint64_t, 8> values{};  // hash of each attribute; the last is not used
};

class Words {
  public:
    void clear() {
        words_.assign(2, special("<root>"));
        words_[0] = special("<outside>");
    }

    void add(std::string_view form, std::string_view tag, std::string_view second_tag, std::string_view feats) {
        words_.push_back({});
        each_value(form, tag, second_tag, feats,
                   [&, k = size_t{0}](std::string_view, uint64_t value) mutable { words_.back().values[k++] = value; });
    }

    void end() { words_.push_back(words_[0]); }

    size_t size() const { return words_.size() - 3; }

    // Position 0 is the root, 1 to n are the words, n + 1 and -1 are the boundary.
    const Word& operator[](size_t position) const { return words_[position + 1]; }

    // Calls visit(text, value) for the attributes of a word, in their order.
    template <class Visit>
    void each_value(std::string_view form, std::string_view tag, std::string_view second_tag, std::string_view feats,
                    Visit&& visit) {
        lower_.clear();
        append_lower(lower_, form);
        for (std::string_view text : {form, std::string_view(lower_), prefix(lower_, 5), suffix(lower_, 3)})
            visit(text, hash_bytes(text));
        for (std::string_view cell : {tag, second_tag, feats}) visit(cell, cell == "_" ? 0 : hash_bytes(cell));
    }

  private:
    static Word special(std::string_view text) {
        Word word;
        word.values.fill(hash_bytes(text));
        return word;
    }

    std::vector<Word> words_ = {special("<outside>"), special("<root>")};
    std::string lower_;
};

}  // namespace sapwood
