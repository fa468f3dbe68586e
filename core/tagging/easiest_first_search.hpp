// The surest token first, each with the labels given on both sides (search/easiest_first.hpp).
#pragma once
#include "search/easiest_first.hpp"
#include "tagging/label_search.hpp"

namespace sapwood {

template <class S>
class EasiestFirstSearch {
  public:
    static constexpr LabelSearchTraits kTraits = {
        .name = "easiest-first",
        .about = "the surest token first, seeing the labels given on both sides (Shen, Satta & Joshi 2007)",
        .before = 2,
        .after = 2,
        .joins_late = true,
        .repeats = true};
    template <class W>
    using Explainer = LabelExplainer<W>;

    explicit EasiestFirstSearch(const LabelSearchSizes& sizes) : search_(sizes.reach, sizes.ahead) {}

    template <ScoredSentence<S> Sentence>
    void decode(Sentence& sentence, std::vector<Label>& path) {
        const auto score = scorer(sentence);
        path.resize(sentence.tokens());
        search_.start(sentence.tokens(), sentence.labels(), score);
        while (!search_.done()) {
            const size_t i = search_.easiest();
            path[i] = search_.guess(i);
            search_.give(i, path[i], score);
        }
    }

    // Guided learning (Shen, Satta & Joshi 2007): if the best label of the chosen token is wrong, there is an update
    // towards that token's gold label, and no later decision rests on a wrong one. The paper then ranks the queue again,
    // until the best action of all is right, which `repeat` does, up to kPresentations times. Otherwise, and when that was
    // not enough, the token is given its gold label. The order is what the weights alone give: with a cost the least
    // certain token would come first.
    template <LearnedSentence Sentence>
    void present(Sentence& sentence) {
        const auto score = scorer(sentence);
        const auto score_again = [&](size_t i, Label, Label, Label, Label, float* scores) {
            sentence.rescore(i, scores);
        };
        search_.start(sentence.tokens(), sentence.labels(), score);
        for (size_t times = 0; !search_.done();) {
            const size_t i = search_.easiest();
            sentence.rescore(i, sentence.scores());
            const auto presented = sentence.present_token(i, {.repeated = times > 0});
            if (sentence.learner().again(presented, ++times)) {
                search_.rescore(score_again);
                continue;
            }
            times = 0;
            search_.give(i, sentence.gold()[i], score);
            if (presented.step > 0) search_.rescore(score_again);
        }
    }

  private:
    template <class Sentence>
    static auto scorer(Sentence& sentence) {
        return [&sentence](size_t i, Label l2, Label l1, Label r1, Label r2, S* scores) {
            sentence.score(i, {l2, l1, r1, r2}, scores);
        };
    }

    EasiestFirst<S> search_;
};

}  // namespace sapwood
