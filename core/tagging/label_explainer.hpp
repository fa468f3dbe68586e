// Explains label by label: a token's label is compared with the best other label at the step that labelled the token, given
// the labels that its neighbours had at that step.
#pragma once
#include "tagging/explained_labels.hpp"
#include "tagging/label_searches.hpp"

namespace sapwood {

template <class W>
class LabelExplainer {
  public:
    using S = typename FrozenTable<W>::Score;

    // The sentence must outlive this object.
    explicit LabelExplainer(ExplainedLabels<W>& sentence)
        : sentence_(sentence),
          search_(label_search<S>(sentence.spec.search, sentence.spec.sizes(sentence.extractor))),
          scores_(sentence.spec.stride()) {}

    // Labels the sentence that was read.
    void search() {
        std::visit([&](auto& search) { search.decode(sentence_, sentence_.path); }, search_);
    }

    // Makes score_at(i, ...) known.
    void score(size_t i) { sentence_.scorer.score(sentence_.features, i, sentence_.contexts[i], scores_.data()); }
    double score_at(size_t, Label y) const { return static_cast<double>(scores_[y]); }

    void explain(size_t i) {
        ExplainedLabels<W>& s = sentence_;
        if (s.allowed(i).size() == 1) return;
        s.scorer.score(s.features, i, scores_.data());
        const std::optional<Label> against = s.runner_up(i, [&](Label y) { return scores_[y]; });
        if (!against) return;
        s.explanation.against = s.shown.names()[*against];
        s.explanation.margin = static_cast<double>(scores_[s.path[i]]) - static_cast<double>(scores_[*against]);
        output_difference(0, s.placed_rows(i), s.features.values(i), s.path[i], *against, s.difference);
        s.weigh(s.explanation.features, s.explanation.reasons);
    }

  private:
    ExplainedLabels<W>& sentence_;
    LabelSearches<S> search_;
    AlignedVector<S> scores_;  // [stride] of one token
};

}  // namespace sapwood
