// Why a parser chose one output in a context: the features of decisions whose scores are sums over the conjunctions of a
// context's atoms.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "features/conjunctions.hpp"
#include "model/frozen_table.hpp"
#include "parsing/explained_sentence.hpp"

namespace sapwood {

// A choice among the outputs of one context.
template <class S>
struct ContextChoice {
    const uint64_t* values;             // of the context's atoms
    const S* scores;                    // [padded(width)] of all outputs
    std::span<const uint32_t> outputs;  // those that could be chosen, ascending
    uint32_t chosen;
};

// Collects the features of decisions whose scores are sums over the conjunctions of a context's atoms in one table.
class ContextFeatures {
  public:
    using OutputName = std::function<std::string(uint32_t)>;

    ContextFeatures(const Conjunctions& conjunctions, uint32_t table)
        : conjunctions_(conjunctions), table_(table), keys_(conjunctions.lines()), lines_(conjunctions.lines()) {
        for (size_t line = 0; line < conjunctions.lines(); ++line)
            for (const uint16_t atom : conjunctions.atoms(line)) atoms_ = std::max<size_t>(atoms_, atom + 1);
    }

    // Forgets the contexts of the last decision.
    void clear() {
        contexts_.clear();
        difference_.clear();
    }

    // Looks up the features of a context. values: [atoms]. Calls of gold() and guess() are about the last context.
    template <class W>
    void look(const FrozenTable<W>& table, const uint64_t* values) {
        const auto context = static_cast<uint32_t>(contexts_.size());
        contexts_.emplace_back(values, values + atoms_);
        const size_t n = conjunctions_.keys(values, keys_.data(), lines_.data());
        rows_.resize(n);
        table.find_rows(keys_.data(), n, rows_.data());
        for (size_t k = 0; k < n; ++k) difference_.place(table_, rows_[k], {context, lines_[k]});
    }
    void gold(uint32_t output) {
        for (const uint32_t row : rows_) difference_.gold(table_, row, output);
    }
    void guess(uint32_t output) {
        for (const uint32_t row : rows_) difference_.guess(table_, row, output);
    }

    template <class W>
    void weigh(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence, Explanation& explanation) {
        difference_.weigh(
            tables, [&](const Place& p) { return text(p.context, p.line, sentence); },
            [&](uint32_t table, uint32_t output) { return sentence.output(table, output); }, explanation.features,
            explanation.reasons);
    }

    // Explains a choice in one context: fills in `explanation` and calls take(explanation). Does nothing if the question
    // asks to compare with the chosen output, or with one that was not among the outputs.
    //   is_asked(output)   whether the question asks to compare with an output
    //   name(output)       the name of an output
    template <class W>
    void explain(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence,
                 const ContextChoice<typename FrozenTable<W>::Score>& choice,
                 const std::function<bool(uint32_t)>& is_asked, const OutputName& name, Explanation explanation,
                 const TakeExplanation& take) {
        using S = typename FrozenTable<W>::Score;
        if (is_asked(choice.chosen)) return;
        const auto against = sentence.compared<uint32_t, S>([&](auto&& offer) {
            for (const uint32_t y : choice.outputs)
                if (y != choice.chosen) offer(y, choice.scores[y], is_asked(y));
        });
        if (!against && sentence.asks_for_one()) return;
        explanation.chosen = name(choice.chosen);
        if (against) {
            explanation.against = name(against->choice);
            explanation.margin = margin_of(choice.scores[choice.chosen], against->score);
            clear();
            look(tables[table_], choice.values);
            gold(choice.chosen);
            guess(against->choice);
            weigh(tables, sentence, explanation);
        }
        take(explanation);
    }

  private:
    struct Place {
        uint32_t context, line;
    };

    std::string text(size_t context, uint32_t line, const ExplainedSentence& sentence) const {
        return conjunctions_.text(line, contexts_[context].data(),
                                  [&](uint64_t value) { return sentence.text_of(value); });
    }

    Conjunctions conjunctions_;
    uint32_t table_;
    size_t atoms_ = 0;                             // whose values are looked at
    std::vector<std::vector<uint64_t>> contexts_;  // [contexts][atoms]
    std::vector<uint64_t> keys_;                   // [lines]
    std::vector<uint32_t> lines_, rows_;           // [features of the last context]
    Difference<Place> difference_;
};

}  // namespace sapwood
