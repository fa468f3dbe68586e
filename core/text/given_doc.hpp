// A document out of given parts, the inverse of what bindings show of one. Every part is checked, because it may come
// from another library.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "text/doc.hpp"

namespace sapwood {

struct GivenDoc {
    std::string text;                                         // UTF-8 without NUL
    std::vector<std::pair<size_t, size_t>> tokens;            // begin and end, in characters
    std::vector<size_t> first_words;                          // [tokens + 1]
    std::vector<std::tuple<size_t, size_t, bool>> sentences;  // [sentences + 1] first token, first word, new paragraph
    std::map<std::string, std::vector<std::string>> columns;  // [words] form, upos, xpos, feats, lemma, deprel, others
    // Of each of the others: its name in MISC, and the value of a word that has none.
    std::map<std::string, std::pair<std::string, std::string>> items;
    std::optional<std::vector<int64_t>> heads;  // [words] counted from 1 in the sentence, 0 the root
};

// Throws DataError if parts contradict each other, if there are tags of one kind and not of the others, or heads
// without relations, or if heads make a cycle.
Doc build_doc(const GivenDoc& given);

}  // namespace sapwood
