// Explains why an easy-first parser gave a word its head: compares the attachment of the word with the best other
// attachment at that step that involves the word. That can be the word to its other neighbour, a neighbour to the word,
// or the same arc with another label.
#pragma once
#include <vector>

#include "parsing/easy_first_parser.hpp"
#include "parsing/explained_choice.hpp"

namespace sapwood {

template <class W>
class EasyFirstExplainer : EasyFirstParser<FrozenTable<W>> {
    using Base = EasyFirstParser<FrozenTable<W>>;
    using S = typename FrozenTable<W>::Score;

  public:
    EasyFirstExplainer(const Conjunctions& conjunctions, AttachmentOutputs outputs)
        : Base(conjunctions, outputs), features_(conjunctions, 0) {}

    // Parses the sentence into `tree`, and calls take(explanation) for the words that are asked about, in any order.
    void explain(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence, Tree& tree,
                 const TakeExplanation& take) {
        this->parse_with_scores(tables, sentence.words(), tree, [&](const PendingTrees& pending, const Action& chosen) {
            if (sentence.asks(this->arc(pending, chosen).modifier))
                explain_step(tables, sentence, pending, chosen, take);
        });
    }

  private:
    using Action = typename Base::Action;

    void explain_step(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence,
                      const PendingTrees& pending, const Action& chosen, const TakeExplanation& take) {
        const uint32_t m = this->arc(pending, chosen).modifier;
        const auto name = [&](const Action& action) {
            const auto a = this->arc(pending, action);
            return a.modifier == m ? sentence.arc(a.head, a.label) : sentence.arc_for(a.head, a.label, a.modifier);
        };
        const auto is_asked = [&](const Action& action) {
            const auto a = this->arc(pending, action);
            return a.modifier == m && sentence.asks_for(a.head, sentence.label(a.label));
        };
        if (is_asked(chosen)) return;
        const auto against = sentence.compared<Action, S>([&](auto&& offer) {
            this->each_rival(pending, chosen,
                             [&](const Action& action, S score) { offer(action, score, is_asked(action)); });
        });
        if (!against && sentence.asks_for_one()) return;
        Explanation explanation = sentence.about(m, "arc");
        explanation.chosen = name(chosen);
        if (against) {
            explanation.against = name(against->choice);
            explanation.margin = margin_of(this->score(chosen), against->score);
            features_.clear();
            look(tables[0], pending, chosen.point);
            features_.gold(chosen.output);
            look(tables[0], pending, against->choice.point);
            features_.guess(against->choice.output);
            features_.weigh(tables, sentence, explanation);
        }
        take(explanation);
    }

    void look(const FrozenTable<W>& table, const PendingTrees& pending, uint32_t point) {
        this->context_.look(pending, point, 1);
        features_.look(table, this->context_.values(0));
    }

    ContextFeatures features_;
};

}  // namespace sapwood
