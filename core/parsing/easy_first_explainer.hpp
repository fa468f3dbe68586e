// Explains why an easy-first parser gave a word its head: compares the attachment of the word with the best other
// attachment at that step that involves the word. That can be the word to its other neighbour, a neighbour to the word,
// or the same arc with another label.
#pragma once
#include <vector>

#include "parsing/easy_first_parser.hpp"
#include "parsing/explained_choice.hpp"

namespace sapwood {

template <class S>
class EasyFirstExplainer : EasyFirstParser<TableWithout<S>> {
    using Base = EasyFirstParser<TableWithout<S>>;

  public:
    EasyFirstExplainer(const Conjunctions& conjunctions, AttachmentOutputs outputs)
        : Base(conjunctions, outputs), features_(conjunctions, 0) {}

    // Parses the sentence into `tree`, and calls take(explanation) for the words that are asked about, in any order.
    void explain(const std::vector<TableWithout<S>>& tables, const ExplainedSentence& sentence, Tree& tree,
                 const TakeExplanation& take) {
        const size_t width = this->outputs_.width();
        scores_.resize((sentence.words().size() + 1) * width);
        const auto keep = [&](uint32_t point, const S* scores) { std::copy_n(scores, width, &scores_[point * width]); };
        this->parse(tables, sentence.words(), tree, keep,
                    [&](const PendingTrees& pending, uint32_t point, uint32_t output) {
                        if (sentence.asks(arc(pending, {point, output}).modifier))
                            explain_step(tables, sentence, pending, {point, output}, take);
                    });
    }

  private:
    struct Action {
        uint32_t point, output;
    };
    struct Arc {
        uint32_t head, modifier, label;
    };

    Arc arc(const PendingTrees& pending, const Action& a) const {
        const uint32_t next = pending.after(a.point);
        const Attachment attachment = this->outputs_.attachment(a.output);
        return attachment.side == Side::left ? Arc{a.point, next, attachment.label}
                                             : Arc{next, a.point, attachment.label};
    }
    S score(const Action& a) const { return scores_[a.point * this->outputs_.width() + a.output]; }

    void explain_step(const std::vector<TableWithout<S>>& tables, const ExplainedSentence& sentence,
                      const PendingTrees& pending, const Action& chosen, const TakeExplanation& take) {
        const uint32_t m = arc(pending, chosen).modifier;
        const auto name = [&](const Action& action) {
            const Arc a = arc(pending, action);
            return a.modifier == m ? sentence.arc(a.head, a.label) : sentence.arc_for(a.head, a.label, a.modifier);
        };
        const auto is_asked = [&](const Action& action) {
            const Arc a = arc(pending, action);
            return a.modifier == m && sentence.asks_for(a.head, sentence.label(a.label));
        };
        if (is_asked(chosen)) return;
        const auto against = sentence.runner_up<Action, S>([&](auto&& offer) {
            for (const uint32_t point : {pending.before(m), m}) {
                if (point == pending.outside() || !pending.is_point(point)) continue;
                this->outputs_.each(point, [&](uint32_t y) {
                    const Action action{point, y};
                    if (point != chosen.point || y != chosen.output) offer(action, score(action), is_asked(action));
                });
            }
        });
        if (!against && sentence.asks_for_one()) return;
        Explanation explanation = sentence.about(m, "arc");
        explanation.chosen = name(chosen);
        if (against) {
            explanation.against = name(*against);
            explanation.margin = static_cast<double>(score(chosen)) - static_cast<double>(score(*against));
            if (sentence.question().only_margins) return take(explanation);
            features_.clear();
            look(tables[0], pending, chosen.point);
            features_.gold(chosen.output);
            look(tables[0], pending, against->point);
            features_.guess(against->output);
            features_.weigh(tables, sentence, explanation);
            explanation.flip = flip_of(explanation);
        }
        take(explanation);
    }

    void look(const TableWithout<S>& table, const PendingTrees& pending, uint32_t point) {
        this->context_.look(pending, point, 1);
        features_.look(table, this->context_.values(0));
    }

    ContextFeatures features_;
    std::vector<S> scores_;  // [words + 1][width]
};

}  // namespace sapwood
