// Explains why a graph-based parser gave a word its head: compares the best tree with the best tree in which the word has
// another head. The reasons are about whole trees, which may differ in other arcs, too.
#pragma once
#include <optional>
#include <vector>

#include "parsing/eisner_parser.hpp"
#include "parsing/explained_sentence.hpp"
#include "parsing/tree_parts.hpp"

namespace sapwood {

template <class W>
class EisnerExplainer : EisnerParser<FrozenTable<W>> {
    using Base = EisnerParser<FrozenTable<W>>;

  public:
    using Base::Base;

    // Parses the sentence into `tree`, and calls take(explanation) for the words that are asked about, in any order.
    void explain(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence, Tree& tree,
                 const TakeExplanation& take) {
        tables_ = &tables;
        sentence_ = &sentence;
        const size_t n = sentence.words().size();
        const double best = this->parse_with_score(tables, sentence.words(), tree);
        if (sentence.asks_for_label()) return;  // this search gives arcs no labels
        for (uint32_t m = 1; m <= n; ++m)
            if (sentence.asks(m)) explain_arc(tree, best, m, take);
    }

  private:
    void explain_arc(const Tree& tree, double best, uint32_t m, const TakeExplanation& take) {
        const auto is_asked = [&](uint32_t h) { return sentence_->asks_for(h, ""); };
        const uint32_t head = tree.heads[m];
        if (is_asked(head)) return;
        const bool asks = sentence_->asks_for_one();
        const auto other =
            this->search_with(*tables_, tree.words(), m, [&](uint32_t h) { return asks ? is_asked(h) : h != head; });
        // If no tree has another head that is asked about, there is nothing to compare with.
        if (!other && asks) return;
        Explanation explanation = sentence_->about(m, "arc");
        explanation.chosen = sentence_->arc(head, 0);
        if (other) {
            explanation.against = sentence_->arc(this->other_.heads[m], 0);
            explanation.margin = best - *other;
            add_parts(tree, this->other_, [&](uint32_t t, uint32_t row_, uint32_t y) { difference_.gold(t, row_, y); });
            add_parts(this->other_, tree,
                      [&](uint32_t t, uint32_t row_, uint32_t y) { difference_.guess(t, row_, y); });
            difference_.weigh(
                *tables_, [&](const Place& p) { return text_of(p); },
                [&](uint32_t table, uint32_t output) { return sentence_->output(table, output); }, explanation.features,
                explanation.reasons);
        }
        take(explanation);
    }

    struct Place {
        uint32_t table, h, m, line, third;
    };

    // Calls visit(table, row, output) for the features of the parts that only the first of two trees has.
    template <class Visit>
    void add_parts(const Tree& tree, const Tree& other, Visit&& visit) {
        const auto add = [&](uint32_t t, uint32_t h, uint32_t m, uint32_t output) {
            this->keys_.resize(std::max(this->keys_.size(), found_.size()));
            this->rows_.resize(std::max(this->rows_.size(), found_.size()));
            for (size_t k = 0; k < found_.size(); ++k) this->keys_[k] = found_[k].key;
            (*tables_)[t].find_rows(this->keys_.data(), found_.size(), this->rows_.data());
            for (size_t k = 0; k < found_.size(); ++k) {
                difference_.place(t, this->rows_[k], {t, h, m, found_[k].line, found_[k].third});
                for (const uint32_t y : {0u, output}) visit(t, this->rows_[k], y);
            }
        };
        each_own_part(
            tree, other, this->siblings_.has_value(),
            [&](uint32_t h, uint32_t m) {
                found_.clear();
                this->arcs_.add_arc(h, m, found_);
                add(0, h, m, distance_output(h, m));
            },
            [&](uint32_t h, uint32_t s, uint32_t m) {
                found_.clear();
                this->siblings_->add_triple(h, s, m, found_);
                add(1, h, m, Base::sibling_output(h, s, m, tree.words()));
            });
    }

    std::string text_of(const Place& p) const {
        const ArcFeatures& features = p.table == 0 ? this->arcs_ : *this->siblings_;
        return features.text({0, p.line, p.third}, sentence_->words(), p.h, p.m,
                             [&](uint64_t value) { return sentence_->text_of(value); });
    }

    const std::vector<FrozenTable<W>>* tables_ = nullptr;
    const ExplainedSentence* sentence_ = nullptr;
    std::vector<ArcFeatures::Found> found_;
    Difference<Place> difference_;
};

}  // namespace sapwood
