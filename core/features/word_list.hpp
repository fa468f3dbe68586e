// A word list (gazetteer) with one word or phrase per line; the words of a phrase are separated by spaces.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/long_sort.hpp"
#include "base/stop_check.hpp"
#include "text/normal_form.hpp"
#include "text/plain_text.hpp"
#include "text/tokens.hpp"
#include "text/utf8.hpp"

namespace sapwood {

struct WordList {
    std::vector<uint64_t> phrases;  // sorted keys: word hashes combined from left to right
    size_t longest = 0;             // words in the longest phrase

    // Takes keys from a model file. Throws ModelError if they are not sorted or if `longest` is more than 64.
    WordList(std::vector<uint64_t> keys, size_t longest_phrase) : phrases(std::move(keys)), longest(longest_phrase) {
        if (!std::is_sorted(phrases.begin(), phrases.end())) throw ModelError("a word list is not sorted");
        if (longest > 64) throw ModelError("a word list has phrases of more than 64 words");
    }

    // Reads text, for texts that are read with_plain_apostrophes if that is said. Throws DataError if a phrase has more than 64 words.
    explicit WordList(std::string_view text, bool plain_apostrophes = false) {
        if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
        std::string scratch, plain;
        text = composed(text, scratch);
        if (plain_apostrophes && find_invalid_utf8(text) == std::string_view::npos)
            text = with_plain_apostrophes(text, plain);
        for (size_t at = 0; at < text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            uint64_t phrase = 0;
            size_t words = 0;
            while (at < end) {
                const size_t stop = std::min(text.find_first_of(" \t\r\n", at), end);
                if (stop > at) {
                    const uint64_t word = hash_bytes(text.substr(at, stop - at));
                    phrase = words++ == 0 ? word : combine(phrase, word);
                }
                at = stop + 1;
            }
            StopCheck::after(end + 1 - at);
            at = end + 1;
            if (words > 0) phrases.push_back(phrase);
            longest = std::max(longest, words);
        }
        if (longest > 64) throw DataError("a phrase has more than 64 words; one word or phrase goes on a line");
        long_sort(phrases);
        phrases.erase(std::unique(phrases.begin(), phrases.end()), phrases.end());
    }

    // The number of words of the longest phrase that starts at words[at], 0 if there is none.
    size_t match(const std::vector<uint64_t>& words, size_t at) const {
        size_t best = 0;
        uint64_t phrase = 0;
        for (size_t k = 0; k < longest && at + k < words.size(); ++k) {
            phrase = k == 0 ? words[at] : combine(phrase, words[at + k]);
            if (std::binary_search(phrases.begin(), phrases.end(), phrase)) best = k + 1;
        }
        return best;
    }
};

}  // namespace sapwood
