// Rows of features for the candidates of a reranker. Each candidate becomes one row, with the features of its structure
// and with the score of the base model as the feature "score".
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "features/feature_rows.hpp"
#include "features/joined_keys.hpp"

namespace sapwood {

using Tokens = std::vector<std::vector<std::vector<std::string>>>;  // [lists][tokens][columns]
using Labels = std::vector<std::string>;                            // [tokens]
using HeadsAndRelations =
    std::pair<std::vector<uint32_t>, std::vector<std::string>>;  // heads and relations, [tokens] each

// Phrase-structure trees in brackets. `scores` has one score per candidate, or is empty. Throws DataError, with `name`
// and the number of the candidate, if a candidate is not one tree or if a score is not a usable value.
FeatureRows tree_rows(const std::vector<std::string>& trees, const std::vector<double>& scores,
                      const std::string& name);

// Label sequences, [lists][candidates]. `scores` has one score per candidate, counted over all lists. Throws DataError.
FeatureRows label_rows(const Tokens& tokens, const std::vector<std::vector<Labels>>& lists,
                       const std::vector<double>& scores, const std::string& name);

// The same for dependency trees.
FeatureRows arc_rows(const Tokens& tokens, const std::vector<std::vector<HeadsAndRelations>>& lists,
                     const std::vector<double>& scores, const std::string& name);

// Returns the texts of the candidates' features, by key. make() must make their rows, by one of the functions above.
template <class Make>
std::vector<std::pair<uint64_t, std::string>> candidate_names(Make&& make) {
    JoinTrace trace;
    trace.name(hash_bytes("score"), "score");
    const FeatureRows rows = make();
    std::vector<uint64_t> keys = rows.keys();
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<std::pair<uint64_t, std::string>> names;
    for (const uint64_t key : keys) names.emplace_back(key, trace.text(key));
    return names;
}

}  // namespace sapwood
