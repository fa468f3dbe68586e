// The words behind a clitic, by which its lemma is chosen: in "she's been" it is have, in "she's here" be.
//
// Rows of form, UPOS, XPOS and FEATS get two columns more, which are empty for all words but clitics:
//
//     4  next   the next word in small letters, where adverbs, particles and pronouns are passed over; <> behind the last
//     5  tags   XPOS of that word and of the one behind it: "VBN DT"
#pragma once
#include <string>
#include <string_view>

#include "text/columns.hpp"

namespace sapwood {

constexpr size_t kWordColumns = 4, kLemmaColumns = 6;  // without and with the words behind

struct NextWords {
    std::string next, tags;
};

// Whether a word begins with an apostrophe, and goes on.
bool is_clitic(std::string_view form);

// The words behind word `w` of a sentence that ends at `end`; cell(word, column) gives form, UPOS (1) and XPOS (2).
template <class Cell>
NextWords next_words(size_t w, size_t end, Cell&& cell) {
    constexpr size_t most_passed = 3;
    const auto is_passed = [](std::string_view upos) { return upos == "ADV" || upos == "PART" || upos == "PRON"; };
    size_t at = w + 1;
    while (at < end && at <= w + most_passed && is_passed(cell(at, 1))) ++at;
    const auto tag = [&](size_t word) { return word < end ? cell(word, 2) : std::string_view("<>"); };
    NextWords found{"<>", std::string(tag(at)) + ' ' + std::string(tag(at + 1))};
    if (at < end) {
        found.next = cell(at, 0);
        for (char& c : found.next)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    }
    return found;
}

// Rows of kWordColumns with the two columns more.
Columns with_next_words(const Columns& words);

}  // namespace sapwood
