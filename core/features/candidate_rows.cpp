#include "features/candidate_rows.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/stop_check.hpp"
#include "features/structure_features.hpp"
#include "features/tree_features.hpp"
#include "text/chunks.hpp"

namespace sapwood {

namespace {

constexpr size_t kCandidate = 1 << 14;  // steps, roughly (base/stop_check.hpp)

std::string place(const std::string& name, size_t k) {
    return name + ": candidate " + std::to_string(k + 1);
}

void add_score(double score, const std::string& name, FeatureRows& rows) {
    rows.add_checked(hash_bytes("score"), score, [&] { return place(name, rows.size()); });
}

// Calls add(features, structure, rows), which adds a row, for each structure of each list.
template <class Structure, class Add>
FeatureRows structure_rows(const Tokens& tokens, const std::vector<std::vector<Structure>>& lists,
                           const std::vector<double>& scores, const std::string& name, Add&& add) {
    if (tokens.size() != lists.size())
        throw DataError(name + ": there are " + std::to_string(tokens.size()) + " sentences for " +
                        std::to_string(lists.size()) + " lists; each list needs one");
    StructureFeatures features;
    FeatureRows rows;
    for (size_t s = 0; s < lists.size(); ++s) {
        features.set_tokens(tokens[s]);
        for (const Structure& structure : lists[s]) {
            add_score(scores.at(rows.size()), name, rows);
            add(features, structure, rows);
            StopCheck::after(kCandidate);
        }
    }
    return rows;
}

}  // namespace

FeatureRows tree_rows(const std::vector<std::string>& trees, const std::vector<double>& scores,
                      const std::string& name) {
    FeatureRows rows;
    for (size_t k = 0; k < trees.size(); ++k) {
        Symbols symbols;  // numbers of different candidates are never compared, and lists are long
        const PhraseTree tree = read_one_tree(trees[k], place(name, k), symbols);
        TreeFeatures(symbols).add(tree, rows);
        if (!scores.empty()) add_score(scores.at(k), name, rows);
        rows.end_row();
        StopCheck::after(kCandidate);
    }
    return rows;
}

FeatureRows label_rows(const Tokens& tokens, const std::vector<std::vector<Labels>>& lists,
                       const std::vector<double>& scores, const std::string& name) {
    return structure_rows(
        tokens, lists, scores, name, [](StructureFeatures& features, const Labels& labels, FeatureRows& rows) {
            spell_chunks(labels) ? features.add_chunks(labels, rows) : features.add_labels(labels, rows);
        });
}

FeatureRows arc_rows(const Tokens& tokens, const std::vector<std::vector<HeadsAndRelations>>& lists,
                     const std::vector<double>& scores, const std::string& name) {
    return structure_rows(tokens, lists, scores, name,
                          [&](StructureFeatures& features, const HeadsAndRelations& arcs, FeatureRows& rows) {
                              const auto& [heads, deprels] = arcs;
                              const bool valid = heads.size() == deprels.size() &&
                                                 (heads.empty() || std::ranges::max(heads) <= heads.size());
                              if (!valid) throw DataError(name + ": the heads and deprels do not form a tree");
                              features.add_tree(heads, deprels, rows);
                          });
}

}  // namespace sapwood
