// Why a transition parser gave a word its head: the step at which the word left the stack, in the derivation that won.
// The reasons are those of the transition that was made, against the best other one there. With a beam it may have
// been behind: what came later made up for it, and the margin is negative.
#pragma once
#include <optional>
#include <vector>

#include "parsing/explained_sentence.hpp"
#include "parsing/transition_parser.hpp"

namespace sapwood {

template <ScoringTable Table>
class TransitionExplainer : TransitionParser<Table> {
    using Base = TransitionParser<Table>;

  public:
    TransitionExplainer(const Conjunctions& conjunctions, TransitionOutputs outputs, size_t beam)
        : Base(conjunctions, outputs, beam),
          features_(conjunctions, 0),
          labelled_(this->outputs_.relations().hashes != Relations::unlabelled().hashes) {}

    // Calls take(explanation) for the words that are asked about, in any order, and finds the tree.
    template <class Take>
    void explain(const std::vector<Table>& tables, const ExplainedSentence& sentence, Tree& tree, Take&& take) {
        this->parse(tables, sentence.words(), tree);
        this->beam_.derivation(this->beam_[0].link, path_);
        ArcHybrid c;
        c.start(sentence.words().size());
        for (const uint32_t chosen : path_) {
            if (this->outputs_.transition(chosen).move != Move::shift && sentence.asks(c.stack(0)))
                explain_step(tables, sentence, c, chosen, take);
            this->outputs_.apply(c, chosen);
        }
    }

  private:
    template <class Take>
    void explain_step(const std::vector<Table>& tables, const ExplainedSentence& sentence, const ArcHybrid& c,
                      uint32_t chosen, Take&& take) {
        const auto* scores = this->scores(tables[0], sentence.words(), c);
        const auto head = [&](uint32_t y) {
            const Move move = this->outputs_.transition(y).move;
            return move == Move::shift ? UINT32_MAX : c.head_after(move);
        };
        const auto name = [&](uint32_t y) {
            return head(y) == UINT32_MAX ? std::string("shift")
                                         : sentence.arc(head(y), this->outputs_.transition(y).label, labelled_);
        };
        const auto is_asked = [&](uint32_t y) {
            return sentence.asks_for(head(y), head(y) == UINT32_MAX
                                                  ? std::string_view("shift")
                                                  : sentence.label(this->outputs_.transition(y).label));
        };
        if (is_asked(chosen)) return;
        Explanation explanation = sentence.about(c.stack(0), "arc");
        explanation.chosen = name(chosen);
        std::optional<uint32_t> against;
        choices_.clear();
        this->outputs_.each(c, [&](uint32_t y) {
            choices_.push_back(y);
            if (y == chosen || (sentence.asks_for_one() && !is_asked(y))) return;
            if (!against || scores[y] > scores[*against]) against = y;
        });
        if (against) {
            explanation.against = name(*against);
            explanation.margin = static_cast<double>(scores[chosen]) - static_cast<double>(scores[*against]);
            features_.clear();
            features_.look(tables[0], this->context_.values(sentence.words()));
            features_.gold(chosen);
            features_.guess(*against);
            features_.weigh(tables, sentence, explanation.reasons);
            features_.find_flip(tables[0], sentence, scores, choices_, chosen,
                                sentence.question().flip_to_against ? against : std::nullopt, name, explanation);
        } else if (sentence.asks_for_one()) {
            return;
        }
        take(explanation);
    }

    ContextFeatures features_;
    bool labelled_;
    std::vector<uint32_t> path_, choices_;
};

}  // namespace sapwood
