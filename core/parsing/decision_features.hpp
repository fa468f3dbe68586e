// Features of a decision that is scored by the conjunctions that hold in its context, looked up in one weight table. To
// learn from it, the same conjunctions are interned and put into a violation.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "features/conjunctions.hpp"
#include "features/words.hpp"
#include "learner/feature_names.hpp"
#include "learner/learner.hpp"
#include "learner/scoring_table.hpp"
#include "search/tree.hpp"

namespace sapwood {

// How features are spelled, for those who want to read their model.
struct Spelling {
    FeatureNames& names;                           // where the texts go
    std::function<std::string(uint64_t)> text_of;  // the text of an atom's value
};

// A sentence to learn from, and the learner that it is presented to.
struct ParsingExample {
    Learner& learner;
    const Words& words;
    const Tree& gold;          // projective
    const Spelling* spelling;  // nullptr: features are not spelled
};

class DecisionFeatures {
  public:
    // The features are those of table `table` of the learner.
    DecisionFeatures(Conjunctions conjunctions, uint32_t table)
        : conjunctions_(std::move(conjunctions)),
          table_(table),
          keys_(conjunctions_.lines()),
          rows_(conjunctions_.lines()) {}

    // scores: [padded(width)]; values: of the context's atoms.
    template <ScoringTable Table>
    void score(const Table& table, const uint64_t* values, typename Table::Score* scores) {
        const size_t n = conjunctions_.keys(values, keys_.data());
        table.find_rows(keys_.data(), n, rows_.data());
        table.score(rows_.data(), n, scores);
    }

    // Interns a context's features, for the calls of gold() and guess() that follow.
    void intern(const ParsingExample& example, const uint64_t* values) {
        interned_ = conjunctions_.keys(values, keys_.data());
        example.learner.intern(table_, keys_.data(), interned_, rows_.data());
        if (example.spelling == nullptr) return;
        const auto& [names, text_of] = *example.spelling;
        for (size_t line = 0, k = 0; line < conjunctions_.lines(); ++line) {
            if (!conjunctions_.whole(line, values)) continue;
            names.add(table_, rows_[k++], [&] { return conjunctions_.text(line, values, text_of); });
        }
    }
    void gold(Violation& violation, uint32_t output) const {
        for (size_t k = 0; k < interned_; ++k) violation.gold(table_, rows_[k], output);
    }
    void guess(Violation& violation, uint32_t output) const {
        for (size_t k = 0; k < interned_; ++k) violation.guess(table_, rows_[k], output);
    }

  private:
    Conjunctions conjunctions_;
    uint32_t table_;
    std::vector<uint64_t> keys_;  // [lines]
    std::vector<uint32_t> rows_;  // [lines] rows, or numbers of the interned features
    size_t interned_ = 0;
};

}  // namespace sapwood
