// Each token by itself (search/argmax.hpp).
#pragma once
#include "search/argmax.hpp"
#include "tagging/label_search.hpp"

namespace sapwood {

template <class S>
class ArgmaxSearch {
  public:
    static constexpr LabelSearchTraits kTraits = {
        .name = "argmax", .about = "each token alone", .takes_dictionary = true};
    template <class W>
    using Explainer = LabelExplainer<W>;

    explicit ArgmaxSearch(const LabelSearchSizes&) {}

    template <ScoredSentence<S> Sentence>
    void decode(Sentence& sentence, std::vector<Label>& path) {
        const Label none = boundary_label(sentence.labels());
        scores_.resize(padded(sentence.labels()));
        path.resize(sentence.tokens());
        for (size_t i = 0; i < path.size(); ++i) {
            const std::span<const Label> allowed = sentence.allowed(i);
            if (allowed.size() != 1) sentence.score(i, {none, none, none, none}, scores_.data());
            path[i] = allowed.size() == 1 ? allowed[0] : argmax(scores_.data(), sentence.labels(), allowed);
        }
    }

    // Presents each token that has a choice.
    template <LearnedSentence Sentence>
    void present(Sentence& sentence) {
        for (size_t i = 0; i < sentence.tokens(); ++i) {
            if (sentence.allowed(i).size() == 1) continue;
            sentence.rescore(i, sentence.scores());
            sentence.present_token(i);
        }
    }

  private:
    AlignedVector<S> scores_;  // [padded(labels)] of one token
};

}  // namespace sapwood
