// The options of a tagger that its labels and features depend on.
#pragma once
#include "tagging/label_searches.hpp"

namespace sapwood {

inline constexpr const char* kEncodings[] = {"bio", "iobes"};

struct SequenceOptions {
    Search search = Search::viterbi;
    unsigned order = 1;  // of label n-grams, where whole sequences are ranked
    bool iobes = false;  // BIO chunks are learned as IOBES

    template <class Visit>
    void each(Visit&& visit) {
        visit("search", search, kSearches);
        visit("order", order);
        visit("encoding", iobes, kEncodings);
    }
};

}  // namespace sapwood
