// Easy-first dependency parsing (Goldberg & Elhadad 2010). The same code parses with the weights in training and
// with a frozen model: `Table` is either.
//
// Training is guided (their Algorithm 3): an attachment is valid if its arc is in the gold tree and the modifier has
// all its gold children. Where the best invalid attachment, with gamma added, reaches the best valid one, the weights
// move from the one to the other, wherever in the sentence the two are; then the valid one is made. An invalid one is
// never made. The example, for the averaging clock, is the presented decision.
//
// They present a decision until it is right. Once is better here: repetitions lift features over `min_updates` that a
// single decision asks for, and on English Web Treebank cost up to half a point of accuracy.
#pragma once
#include <vector>

#include "parsing/decision_features.hpp"
#include "parsing/window_scores.hpp"
#include "search/easy_first.hpp"

namespace sapwood {

template <class Table>
class EasyFirstParser {
  public:
    using Score = typename Table::Score;

    EasyFirstParser(const Conjunctions& conjunctions, AttachmentOutputs outputs)
        : outputs_(std::move(outputs)),
          context_(outputs_.relations.hashes),
          scores_(conjunctions, outputs_.width()) {}

    void parse(const std::vector<Table>& tables, const Words& words, Tree& tree) {
        start(words);
        search_.parse(
            words.size(), outputs_,
            [&](const PendingTrees& pending, auto&& put) { rescore(tables[0], words, pending, put); }, tree);
    }

  protected:
    void start(const Words& words) {
        context_.start(words);
        scores_.start(words.size());
    }

    template <class Put>
    void rescore(const Table& table, const Words& words, const PendingTrees& pending, Put&& put) {
        if (const uint32_t head = pending.last_head(); head != pending.outside())
            context_.renew(pending, words, head);
        scores_.rescore(table, pending, context_, put);
    }

    AttachmentOutputs outputs_;
    EasyFirstContext context_;
    WindowScores<Score> scores_;
    EasyFirst<Score> search_;
};

class EasyFirstTrainer : EasyFirstParser<WeightTable> {
  public:
    EasyFirstTrainer(const Conjunctions& conjunctions, AttachmentOutputs outputs)
        : EasyFirstParser(conjunctions, std::move(outputs)), features_(conjunctions, 0) {}

    using EasyFirstParser::parse;

    // Learns from one sentence and its projective tree, as far as the search can build that; returns how many
    // decisions were wrong.
    size_t learn(Learner& learner, const Words& words, const Tree& gold, ParserNames* names);

  private:
    static constexpr uint32_t kNone = UINT32_MAX;

    struct Choice {
        uint32_t output = kNone;
        float score = 0;
    };

    // The valid attachments, or the invalid ones: the best at each point, and the points by their best.
    struct Choices {
        std::vector<Choice> best;  // [words + 1]
        BestFirst<float> agenda;

        void reset(size_t words) {
            best.resize(words + 1);
            agenda.reset(words + 1);
        }
        void put(uint32_t point, Choice choice) {
            best[point] = choice;
            if (choice.output == kNone)
                agenda.withdraw(point);
            else
                agenda.offer(point, choice.score);
        }
    };

    bool is_valid(const Tree& gold, uint32_t point, uint32_t output) const;

    // Scores the changed points.
    void look(const WeightTable& table, const Words& words, const Tree& gold);

    DecisionFeatures features_;
    Violation violation_;
    PendingTrees pending_;
    Choices valid_, invalid_;
    std::vector<uint32_t> missing_;  // [words + 1] gold children that are not attached
};

}  // namespace sapwood
