// The best sequence of all, and the n best (search/viterbi.hpp).
#pragma once
#include <algorithm>

#include "search/viterbi.hpp"
#include "tagging/label_search.hpp"

namespace sapwood {

// One sentence of the training data, as a Decision (search/search.hpp): score, search, and name the positions and label
// n-grams that differ.
template <LearnedSentence Sentence>
struct PathChoice {
    Sentence& sentence;
    Viterbi<float>& viterbi;
    unsigned order;
    Lattice<float>* lattice = nullptr;
    std::span<const Label> gold = sentence.gold();
    std::vector<Label>& guess = sentence.path();
    float cost_of_guess = 0;  // if it is constant; otherwise the lattice has the costs

    bool search(float cost) {
        lattice = &sentence.lattice();
        if (sentence.learner().has_constant_cost()) {
            cost_of_guess = cost;
            viterbi.best_against(*lattice, order, gold, cost, guess);
            return !std::ranges::equal(guess, gold);
        }
        if (cost > 0)
            for (size_t i = 0; i < lattice->n; ++i)
                add_cost(lattice->emission.data() + i * lattice->stride, lattice->labels, gold[i], cost);
        viterbi.best(*lattice, order, guess);
        return !std::ranges::equal(guess, gold);
    }

    size_t mistakes() const {
        size_t wrong = 0;
        for (size_t i = 0; i < gold.size(); ++i) wrong += guess[i] != gold[i];
        return wrong;
    }

    double loss() const { return static_cast<double>(score(guess) + cost_of_guess - score(gold)); }

    template <class Violation>
    void differ(Violation& violation) const {
        sentence.differ(gold, guess, violation);
    }

  private:
    float score(std::span<const Label> path) const {
        float sum = 0;
        for (size_t i = 0; i < lattice->n; ++i) {
            sum +=
                lattice->emission[i * lattice->stride + path[i]] + lattice->bigram.at(i)[sentence.output(1, path, i)];
            if (order == 2) sum += lattice->trigram.at(i)[sentence.output(2, path, i)];
        }
        return sum;
    }
};

template <class S>
class ViterbiSearch {
  public:
    static constexpr LabelSearchTraits kTraits = {.name = "viterbi", .about = "the best sequence", .whole = true};
    template <class W>
    using Explainer = PathExplainer<W>;
    using Wide = typename Viterbi<S>::Wide;

    explicit ViterbiSearch(const LabelSearchSizes& sizes) : order_(sizes.order) {}

    template <ScoredSentence<S> Sentence>
    void decode(Sentence& sentence, std::vector<Label>& path) {
        viterbi_.best(sentence.lattice(), order_, path);
    }

    // The `count` best paths and their scores, best first.
    template <ScoredSentence<S> Sentence>
    void n_best(Sentence& sentence, size_t count, std::vector<std::vector<Label>>& paths, std::vector<Wide>& scores) {
        viterbi_.n_best(sentence.lattice(), order_, count, paths, scores);
    }

    template <LearnedSentence Sentence>
    void present(Sentence& sentence) {
        sentence.learner().present(PathChoice<Sentence>{sentence, viterbi_, order_});
    }

  private:
    unsigned order_;
    Viterbi<S> viterbi_;
};

}  // namespace sapwood
