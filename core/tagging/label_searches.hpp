// The searches over label sequences (label_search.hpp). A new one is a word in Search and a class in LabelSearches.
#pragma once
#include <array>
#include <variant>

#include "tagging/argmax_search.hpp"
#include "tagging/easiest_first_search.hpp"
#include "tagging/greedy_search.hpp"
#include "tagging/viterbi_search.hpp"

namespace sapwood {

enum class Search { argmax, greedy, easiest_first, viterbi };
template <class S>
using LabelSearches = std::variant<ArgmaxSearch<S>, GreedySearch<S>, EasiestFirstSearch<S>, ViterbiSearch<S>>;

template <class... Searches>
constexpr std::array<LabelSearchTraits, sizeof...(Searches)> traits_of(const std::variant<Searches...>*) {
    return {Searches::kTraits...};
}

inline constexpr auto kSearchTraits = traits_of(static_cast<LabelSearches<float>*>(nullptr));  // by Search
inline constexpr auto kSearches = [] {
    std::array<const char*, kSearchTraits.size()> names;
    for (size_t k = 0; k < names.size(); ++k) names[k] = kSearchTraits[k].name;
    return names;
}();

template <class S, size_t k = 0>
LabelSearches<S> label_search(Search search, const LabelSearchSizes& sizes) {
    if constexpr (k + 1 < kSearches.size())
        if (static_cast<size_t>(search) != k) return label_search<S, k + 1>(search, sizes);
    return LabelSearches<S>(std::in_place_index<k>, sizes);
}

}  // namespace sapwood
