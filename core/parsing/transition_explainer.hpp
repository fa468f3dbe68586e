// Explains why a transition parser gave a word its head: at the step of the winning derivation at which the word left the
// stack, compares the transition with the best other transition.
#pragma once
#include <vector>

#include "parsing/explained_choice.hpp"
#include "parsing/transition_parser.hpp"

namespace sapwood {

template <class W>
class TransitionExplainer : TransitionParser<FrozenTable<W>> {
    using Base = TransitionParser<FrozenTable<W>>;
    using S = typename FrozenTable<W>::Score;

  public:
    TransitionExplainer(const Conjunctions& conjunctions, TransitionOutputs outputs, size_t beam, double gap)
        : Base(conjunctions, outputs, beam, gap), features_(conjunctions, 0) {}

    // Parses the sentence into `tree`, and calls take(explanation) for the words that are asked about, in any order.
    void explain(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence, Tree& tree,
                 const TakeExplanation& take) {
        this->parse(tables, sentence.words(), tree, [&](const ArcHybrid& c, uint32_t chosen) {
            if (sentence.asks(c.stack(0))) explain_step(tables, sentence, c, chosen, take);
        });
    }

  private:
    void explain_step(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence, const ArcHybrid& c,
                      uint32_t chosen, const TakeExplanation& take) {
        const auto name = [&](uint32_t y) {
            const auto [move, label] = this->outputs_.transition(y);
            return move == Move::shift ? std::string("shift") : sentence.arc(c.head_after(move), label);
        };
        const auto is_asked = [&](uint32_t y) {
            const auto [move, label] = this->outputs_.transition(y);
            return move == Move::shift ? sentence.asks_for(UINT32_MAX, "shift")
                                       : sentence.asks_for(c.head_after(move), sentence.label(label));
        };
        choices_.clear();
        this->outputs_.each(c, [&](uint32_t y) { choices_.push_back(y); });
        const auto* scores = this->scores(tables[0], sentence.words(), c);
        const uint64_t* values = this->context_.values(sentence.words());
        features_.explain(tables, sentence, {values, scores, choices_, chosen}, is_asked, name,
                          sentence.about(c.stack(0), "arc"), take);
    }

    ContextFeatures features_;
    std::vector<uint32_t> choices_;
};

}  // namespace sapwood
