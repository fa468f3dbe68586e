// Easy-first dependency parsing (Goldberg & Elhadad 2010). The same code parses with the weights in training and
// with a frozen model: `Table` is either.
//
// Training is guided (their Algorithm 3): an attachment is valid if its arc is in the gold tree and the modifier has
// all its gold children. The decision is between the best valid and the best invalid attachment, wherever in the
// sentence the two are. Easiest-first tagging (search/easiest_first.hpp, Shen, Satta & Joshi 2007) is guided, too, but
// chooses among the labels of one token. The averaging clock ticks once a presentation.
//
// Goldberg & Elhadad present a decision until the valid attachment wins, which `repeat` does, up to kPresentations
// times. Otherwise the valid one is made after one presentation, whichever won. Repetitions lift features over
// `min_updates` that a single decision asks for; docs/measurements.md has what each costs and gains.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "parsing/decision_features.hpp"
#include "parsing/runner_up.hpp"
#include "parsing/window_scores.hpp"
#include "search/contest.hpp"
#include "search/easy_first.hpp"

namespace sapwood {

template <ScoringTable Table>
class EasyFirstParser {
  public:
    using Score = typename Table::Score;

    EasyFirstParser(const Conjunctions& conjunctions, AttachmentOutputs outputs)
        : outputs_(std::move(outputs)), context_(outputs_.relations.hashes), scores_(conjunctions, outputs_.width()) {}

    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        parse(tables, words, tree, [](uint32_t, const Score*) {}, [](const PendingTrees&, uint32_t, uint32_t) {});
    }

    // The same, and calls take(m, margin) for the words whose arcs had a rival. The margin is that of the attachment over
    // the best of its rivals.
    template <class Take>
    void parse_with_margins(const std::vector<Table>& tables, const Words& words, Tree& tree, Take&& take) {
        parse_with_scores(tables, words, tree, [&](const PendingTrees& pending, const Action& chosen) {
            const auto against = runner_up<Action, Score>([&](auto&& offer) { each_rival(pending, chosen, offer); });
            if (against) take(arc(pending, chosen).modifier, margin_of(score(chosen), against->score));
        });
    }

  protected:
    struct Action {
        uint32_t point, output;
    };
    struct Arc {
        uint32_t head, modifier, label;
    };

    Arc arc(const PendingTrees& pending, const Action& a) const {
        const uint32_t next = pending.after(a.point);
        const Attachment attachment = outputs_.attachment(a.output);
        return attachment.side == Side::left ? Arc{a.point, next, attachment.label}
                                             : Arc{next, a.point, attachment.label};
    }

    // Parses, and calls visit(pending, action) before each attachment, while score() and each_rival() are about its step.
    template <class Visit>
    void parse_with_scores(const std::vector<Table>& tables, const Words& words, Tree& tree, Visit&& visit) {
        const size_t width = outputs_.width();
        step_scores_.resize((words.size() + 1) * width);
        parse(
            tables, words, tree,
            [&](uint32_t point, const Score* scores) { std::copy_n(scores, width, &step_scores_[point * width]); },
            [&](const PendingTrees& pending, uint32_t point, uint32_t output) {
                visit(pending, Action{point, output});
            });
    }

    Score score(const Action& a) const { return step_scores_[a.point * outputs_.width() + a.output]; }

    // Calls offer(action, score) for the other attachments at this step that involve the word that the chosen one gives a
    // head.
    template <class Offer>
    void each_rival(const PendingTrees& pending, const Action& chosen, Offer&& offer) const {
        const uint32_t m = arc(pending, chosen).modifier;
        for (const uint32_t point : {pending.before(m), m}) {
            if (point == pending.outside() || !pending.is_point(point)) continue;
            outputs_.each(point, [&](uint32_t y) {
                const Action action{point, y};
                if (point != chosen.point || y != chosen.output) offer(action, score(action));
            });
        }
    }

    // Calls see(point, scores) for all points whose scores are new, and visit(pending, point, output) before each
    // attachment.
    template <class See, class Visit>
    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree, See&& see, Visit&& visit) {
        start(words);
        search_.parse(
            words.size(), outputs_,
            [&](const PendingTrees& pending, auto&& put) {
                rescore(tables[0], words, pending, [&](uint32_t point, const Score* scores) {
                    see(point, scores);
                    put(point, scores);
                });
            },
            tree, visit);
    }

    void start(const Words& words) {
        context_.start(words);
        scores_.start(words.size());
    }

    template <class Put>
    void rescore(const Table& table, const Words& words, const PendingTrees& pending, Put&& put) {
        if (const uint32_t head = pending.last_head(); head != pending.outside()) context_.renew(pending, words, head);
        scores_.rescore(table, pending, context_, put);
    }

    AttachmentOutputs outputs_;
    EasyFirstContext context_;
    WindowScores<Score> scores_;
    EasyFirst<Score> search_;
    std::vector<Score> step_scores_;  // [words + 1][width] of the points
};

class EasyFirstTrainer : EasyFirstParser<WeightTable> {
  public:
    EasyFirstTrainer(const Conjunctions& conjunctions, AttachmentOutputs outputs)
        : EasyFirstParser(conjunctions, std::move(outputs)), features_(conjunctions, 0) {}

    using EasyFirstParser::parse;

    // Presents the attachments of a sentence, as far as the search can build its tree.
    void present(const ParsingExample& example);

  private:
    // The valid attachments, or the invalid ones: the best at each point, and the points by their best.
    class Choices {
      public:
        void start(size_t words) {
            best_.resize(words + 1);
            agenda_.reset(words + 1);
        }
        void put(uint32_t point, const std::optional<Choice>& choice) {
            if (!choice) return withdraw(point);
            best_[point] = *choice;
            agenda_.offer(point, choice->score);
        }
        void withdraw(uint32_t point) { agenda_.withdraw(point); }
        std::optional<Choice> best() { return agenda_.empty() ? std::nullopt : std::optional(best_[agenda_.top()]); }

      private:
        std::vector<Choice> best_;  // [words + 1]
        BestFirst<float> agenda_;
    };

    bool is_valid(const Tree& gold, uint32_t point, uint32_t output) const;

    // Scores the changed points.
    void look(const ParsingExample& example);

    DecisionFeatures features_;
    PendingTrees pending_;
    Choices valid_, invalid_;
    std::vector<uint32_t> missing_;  // [words + 1] gold children that are not attached
};

}  // namespace sapwood
