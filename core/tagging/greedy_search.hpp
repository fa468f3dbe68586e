// From left to right, each token with the labels before it (search/greedy.hpp).
#pragma once
#include <utility>

#include "search/greedy.hpp"
#include "tagging/argmax_search.hpp"

namespace sapwood {

template <class S>
class GreedySearch {
  public:
    static constexpr LabelSearchTraits kTraits = {
        .name = "greedy", .about = "left to right", .before = 2, .takes_dictionary = true};
    template <class W>
    using Explainer = LabelExplainer<W>;

    explicit GreedySearch(const LabelSearchSizes& sizes) : alone_(sizes) {}

    template <ScoredSentence<S> Sentence>
    void decode(Sentence& sentence, std::vector<Label>& path) {
        const Label none = boundary_label(sentence.labels());
        scores_.resize(padded(sentence.labels()));
        path.resize(sentence.tokens());
        const auto score = [&](size_t i, Label l2, Label l1, S* scores) {
            sentence.score(i, {l2, l1, none, none}, scores);
        };
        greedy(sentence.labels(), scores_.data(), path, score, [&](size_t i) { return sentence.allowed(i); });
    }

    // The labels to the left are gold, or those that the weights alone give, before any cost and any update.
    template <LearnedSentence Sentence>
    void present(Sentence& sentence) {
        if (!sentence.joins_late()) return alone_.present(sentence);
        const Label none = boundary_label(sentence.labels());
        LabelContext<Label> context = {none, none, none, none};
        for (size_t i = 0; i < sentence.tokens(); ++i) {
            const std::span<const Label> allowed = sentence.allowed(i);
            const Label before = context.l1;
            if (allowed.size() == 1) {
                context.l1 = allowed[0];
            } else {
                sentence.score(i, context, sentence.scores());
                context.l1 = argmax(sentence.scores(), sentence.labels(), allowed);
                sentence.present_token(i);
            }
            context.l2 = before;
        }
    }

  private:
    ArgmaxSearch<S> alone_;
    AlignedVector<S> scores_;  // [padded(labels)] of one token
};

}  // namespace sapwood
