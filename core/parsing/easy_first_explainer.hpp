// Why an easy-first parser gave a word its head: the step at which the word was attached, against the best other thing
// that could be done with the word there, which is to attach it to its other neighbour, one of the two to it, or with
// another label.
#pragma once
#include <optional>
#include <vector>

#include "parsing/easy_first_parser.hpp"
#include "parsing/explained_sentence.hpp"

namespace sapwood {

template <ScoringTable Table>
class EasyFirstExplainer : EasyFirstParser<Table> {
    using Base = EasyFirstParser<Table>;
    using Score = typename Table::Score;

  public:
    EasyFirstExplainer(const Conjunctions& conjunctions, AttachmentOutputs outputs)
        : Base(conjunctions, outputs),
          features_(conjunctions, 0),
          labelled_(this->outputs_.relations.hashes != Relations::unlabelled().hashes) {}

    // Calls take(explanation) for the words that are asked about, in any order, and finds the tree.
    template <class Take>
    void explain(const std::vector<Table>& tables, const ExplainedSentence& sentence, Tree& tree, Take&& take) {
        const size_t n = sentence.words().size(), width = this->outputs_.width();
        this->start(sentence.words());
        pending_.start(n, this->outputs_.single_root);
        agenda_.reset(n + 1);
        best_.resize(n + 1);
        scores_.resize((n + 1) * width);
        while (true) {
            this->rescore(tables[0], sentence.words(), pending_, [&](uint32_t point, const Score* scores) {
                std::copy_n(scores, width, &scores_[point * width]);
                std::optional<uint32_t> best;
                this->outputs_.each(point, [&](uint32_t y) {
                    if (!best || scores[y] > scores[*best]) best = y;
                });
                best_[point] = *best;
                agenda_.offer(point, scores[*best]);
            });
            if (agenda_.empty()) break;
            const Action chosen{static_cast<uint32_t>(agenda_.top()), best_[agenda_.top()]};
            if (sentence.asks(arc(chosen).modifier)) explain_step(tables, sentence, chosen, take);
            this->outputs_.apply(pending_, chosen.point, chosen.output);
            for (const uint32_t item : pending_.gone()) agenda_.withdraw(item);
        }
        pending_.tree(tree);
    }

  private:
    struct Action {
        uint32_t point, output;
    };
    struct Arc {
        uint32_t head, modifier, label;
    };

    Arc arc(const Action& a) const {
        const uint32_t next = pending_.after(a.point);
        const Attachment attachment = this->outputs_.attachment(a.output);
        return attachment.side == Side::left ? Arc{a.point, next, attachment.label}
                                             : Arc{next, a.point, attachment.label};
    }
    Score score(const Action& a) const { return scores_[a.point * this->outputs_.width() + a.output]; }

    template <class Take>
    void explain_step(const std::vector<Table>& tables, const ExplainedSentence& sentence, const Action& chosen,
                      Take&& take) {
        const uint32_t m = arc(chosen).modifier;
        const auto name = [&](const Action& action) {
            const Arc a = arc(action);
            return a.modifier == m ? sentence.arc(a.head, a.label, labelled_)
                                   : sentence.arc_for(a.head, a.label, labelled_, a.modifier);
        };
        const auto is_asked = [&](const Action& action) {
            const Arc a = arc(action);
            return a.modifier == m && sentence.asks_for(a.head, sentence.label(a.label));
        };
        if (is_asked(chosen)) return;
        std::optional<Action> against;
        for (const uint32_t point : {pending_.before(m), m}) {
            if (point == pending_.outside() || !pending_.is_point(point)) continue;
            this->outputs_.each(point, [&](uint32_t y) {
                const Action action{point, y};
                if ((point == chosen.point && y == chosen.output) || (sentence.asks_for_one() && !is_asked(action)))
                    return;
                if (!against || score(action) > score(*against)) against = action;
            });
        }
        Explanation explanation = sentence.about(m, "arc");
        explanation.chosen = name(chosen);
        if (against) {
            explanation.against = name(*against);
            explanation.margin = static_cast<double>(score(chosen)) - static_cast<double>(score(*against));
            features_.clear();
            look(tables[0], chosen.point);
            features_.gold(chosen.output);
            look(tables[0], against->point);
            features_.guess(against->output);
            features_.weigh(tables, sentence, explanation.reasons);
            explanation.flip = flip_of(explanation.reasons, explanation.margin, *explanation.against);
        } else if (sentence.asks_for_one()) {
            return;
        }
        take(explanation);
    }

    void look(const Table& table, uint32_t point) {
        this->context_.look(pending_, point, 1);
        features_.look(table, this->context_.values(0));
    }

    ContextFeatures features_;
    bool labelled_;
    PendingTrees pending_;
    BestFirst<Score> agenda_;
    std::vector<uint32_t> best_;  // [words + 1] best output at a point
    std::vector<Score> scores_;   // [words + 1][width]
};

}  // namespace sapwood
