// Why the second stage gave an arc its label (arc_labeller.hpp): a choice among the labels of arcs of that direction.
#pragma once
#include <optional>
#include <vector>

#include "features/arc_label_features.hpp"
#include "learner/rows.hpp"
#include "parsing/explained_sentence.hpp"

namespace sapwood {

class ArcLabelExplainer {
  public:
    ArcLabelExplainer(const Conjunctions& conjunctions, Relations relations, uint32_t table)
        : relations_(std::move(relations)),
          table_(table),
          conjunctions_(conjunctions),
          features_(conjunctions, table) {}

    // Calls take(explanation) for the arcs of the words of a tree that are asked about.
    template <class Table, class Take>
    void explain(const std::vector<Table>& tables, const ExplainedSentence& sentence, const Tree& tree, Take&& take) {
        if (sentence.asks_for_head()) return;
        AlignedVector<typename Table::Score> scores(padded(relations_.size()));
        std::vector<uint64_t> keys(conjunctions_.lines());
        std::vector<uint32_t> rows(conjunctions_.lines());
        context_.look(tree);
        const Table& table = tables[table_];
        for (uint32_t m = 1; m <= tree.words(); ++m) {
            if (!sentence.asks(m)) continue;
            const uint64_t* values = context_.values(sentence.words(), m);
            const size_t n = conjunctions_.keys(values, keys.data());
            table.find_rows(keys.data(), n, rows.data());
            table.score(rows.data(), n, scores.data());
            const std::vector<uint32_t>& allowed = relations_.of(tree.heads[m], m);
            const auto better = [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; };
            uint32_t chosen = allowed[0];
            for (const uint32_t y : allowed)
                if (better(y, chosen)) chosen = y;
            if (sentence.asks_for(0, sentence.label(chosen))) continue;
            std::optional<uint32_t> against;
            for (const uint32_t y : allowed) {
                if (y == chosen || (sentence.asks_for_one() && !sentence.asks_for(0, sentence.label(y)))) continue;
                if (!against || better(y, *against)) against = y;
            }
            Explanation explanation = sentence.about(m, "relation");
            explanation.chosen = sentence.label(chosen);
            if (against) {
                explanation.against = sentence.label(*against);
                explanation.margin = static_cast<double>(scores[chosen]) - static_cast<double>(scores[*against]);
                features_.clear();
                features_.look(table, values);
                features_.gold(chosen);
                features_.guess(*against);
                features_.weigh(tables, sentence, explanation.reasons);
                features_.find_flip(
                    table, sentence, scores.data(), allowed, chosen,
                    sentence.question().flip_to_against ? against : std::nullopt,
                    [&](uint32_t y) { return sentence.label(y); }, explanation);
            } else if (sentence.asks_for_one()) {
                continue;
            }
            take(explanation);
        }
    }

  private:
    Relations relations_;
    uint32_t table_;
    Conjunctions conjunctions_;
    ArcLabelContext context_;
    ContextFeatures features_;
};

}  // namespace sapwood
