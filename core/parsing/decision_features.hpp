// What the parsers and their labeller have in common: a decision is scored by the conjunctions that hold in its
// context, looked up in one weight table; to learn, the same conjunctions are interned and put into a violation.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "features/conjunctions.hpp"
#include "learner/learner.hpp"

namespace sapwood {

// The texts of features, by table and number, for those who want to read their model.
class ParserNames {
  public:
    explicit ParserNames(std::function<std::string(uint64_t)> text_of) : text_of_(std::move(text_of)) {}

    void add(uint32_t table, uint32_t feature, const std::function<std::string()>& text) {
        if (names_.size() <= table) names_.resize(table + 1);
        if (names_[table].size() < feature) names_[table].resize(feature);
        if (std::string& name = names_[table][feature - 1]; name.empty()) name = text();
    }
    const std::string& operator()(uint32_t table, uint32_t feature) const {
        return names_[table][feature - 1];
    }
    const std::function<std::string(uint64_t)>& text_of() const { return text_of_; }

  private:
    std::function<std::string(uint64_t)> text_of_;  // of an atom's value
    std::vector<std::vector<std::string>> names_;   // [tables][features]
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
    template <class Table>
    void score(const Table& table, const uint64_t* values, typename Table::Score* scores) {
        const size_t n = conjunctions_.keys(values, keys_.data());
        table.find_rows(keys_.data(), n, rows_.data());
        table.score(rows_.data(), n, scores);
    }

    // Interns a context's features, for the calls of gold() and guess() that follow.
    void intern(Learner& learner, const uint64_t* values, ParserNames* names) {
        WeightTable& weights = learner.table(table_);
        interned_ = conjunctions_.keys(values, keys_.data());
        weights.prefetch_keys(keys_.data(), interned_);
        for (size_t k = 0; k < interned_; ++k) rows_[k] = weights.intern(keys_[k]);
        if (names == nullptr) return;
        for (size_t line = 0, k = 0; line < conjunctions_.lines(); ++line) {
            if (!conjunctions_.whole(line, values)) continue;
            names->add(table_, rows_[k++],
                       [&] { return conjunctions_.text(line, values, names->text_of()); });
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
