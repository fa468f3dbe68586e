// What would change a decision about a tree, searched again: the fewest features that put the compared answer ahead need
// not change the decision of the whole search, where other decisions may depend on the same features. So the sentence is
// parsed without them. If the decision stays, the features that would change it then are taken, too, and so on. In the
// end, features that turn out not to be needed are put back. Of the set that is left, putting back any single feature would
// undo the change.
#pragma once
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "model/explanation.hpp"
#include "parsing/explained_sentence.hpp"

namespace sapwood {

// `Table` can leave features out (model/table_without.hpp). `Explainer` explains the decisions of one sentence by such tables.
template <class Table, class Explainer>
class ParseFlip {
  public:
    explicit ParseFlip(const ParserSpec& spec) : explainer_(spec) {}

    // Sets the flip of an explanation to one that was searched, or to none if none is found.
    //   plain   the same sentence, with a question that is against no answer
    void search(const std::vector<Table>& tables, const ExplainedSentence& sentence, const ExplainedSentence& plain,
                Explanation& explanation) {
        if (!explanation.flip) return;
        sentence_ = &sentence;
        plain_ = &plain;
        tables_ = tables;
        searches_ = 0;
        Flip flip = std::move(*explanation.flip);
        explanation.flip.reset();
        for (int round = 0;; ++round) {
            Decision now = decide(flip.ids, explanation);
            if (now.is_other) {
                flip.to = std::move(now.chosen);
                break;
            }
            if (!now.flip || round == kMostRounds) return;
            std::ranges::move(now.flip->ids, std::back_inserter(flip.ids));
            std::ranges::move(now.flip->features, std::back_inserter(flip.features));
        }
        put_back(explanation, flip);
        flip.is_searched = true;
        explanation.flip = std::move(flip);
    }

  private:
    struct Decision {
        bool is_other = false;  // whether it is another one than what is explained, or what is asked for
        std::string chosen;
        std::optional<Flip> flip;  // what would change it now
    };

    // What is decided about the word without some features.
    Decision decide(const std::vector<FeatureId>& gone, const Explanation& explained) {
        for (uint32_t t = 0; t < tables_.size(); ++t) {
            std::vector<uint32_t> rows;
            for (const auto& [table, row] : gone)
                if (table == t) rows.push_back(row);
            tables_[t].leave_out(std::move(rows));
        }
        ++searches_;
        const bool to_asked = sentence_->question().flip_to_against;
        Decision found;
        const auto same = [&](const Explanation& now) { return now.decision == explained.decision; };
        explainer_.explain(tables_, *plain_, [&](Explanation& now) {
            if (!same(now)) return;
            found = {to_asked ? sentence_->is_asked(now.chosen) : now.chosen != explained.chosen, now.chosen,
                     to_asked ? std::nullopt : std::move(now.flip)};
        });
        if (to_asked && !found.is_other)
            explainer_.explain(tables_, *sentence_, [&](Explanation& now) {
                if (same(now)) found.flip = std::move(now.flip);
            });
        return found;
    }

    void put_back(const Explanation& explained, Flip& flip) {
        for (size_t k = 0; flip.ids.size() > 1 && k < flip.ids.size() && searches_ < kMostSearches;) {
            std::vector<FeatureId> fewer = flip.ids;
            fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(k));
            Decision without = decide(fewer, explained);
            if (!without.is_other) {
                ++k;
                continue;
            }
            flip.ids = std::move(fewer);
            flip.features.erase(flip.features.begin() + static_cast<ptrdiff_t>(k));
            flip.to = std::move(without.chosen);
            k = 0;
        }
    }

    static constexpr int kMostRounds = 16;        // in which features are taken
    static constexpr size_t kMostSearches = 256;  // after which no more features are put back

    Explainer explainer_;
    const ExplainedSentence *sentence_ = nullptr, *plain_ = nullptr;
    std::vector<Table> tables_;
    size_t searches_ = 0;
};

}  // namespace sapwood
