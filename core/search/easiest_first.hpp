// Easiest first: the labels are given in the order of the model's confidence, not from left to right (Shen, Satta &
// Joshi, "Guided learning for bidirectional sequence classification", 2007, with a beam of one). It labels tokens;
// easy_first.hpp builds trees (Goldberg & Elhadad 2010). There the best valid attachment of the whole sentence competes
// with the best invalid one; here the gold label of the surest token competes with that token's other labels.
//
// Each step takes the (token, label) pair of highest score among the tokens without a label. Its label then becomes a
// feature of the tokens on both sides, so the hard tokens are decided last, when most labels around them are known.
//
// Ties go to the lowest token, then to the lowest label. Tagging a sentence is
//
//     search.start(n, L, score);
//     while (!search.done()) search.give(search.easiest(), search.guess(search.easiest()), score);
//
// and training presents the token to the learner in between (tagging/tagger_presenting.cpp).
// A step scores the tokens again whose features include the new label, at most four, so a sentence takes O(n log n). In
// training an update changes all scores, which is O(n) a mistake.
#pragma once
#include "search/argmax.hpp"
#include "search/best_first.hpp"

namespace sapwood {

template <class S>
class EasiestFirst {
  public:
    // How many labels to the left and to the right the scores depend on: 0, 1 or 2.
    EasiestFirst(unsigned reach, unsigned ahead) : reach_(reach), ahead_(ahead) {}

    // Begins a sentence of n tokens. score(i, l2, l1, r1, r2, scores) fills the scores of token i, given the
    // labels two and one before it and one and two after it, as far as they are known.
    template <class Score>
    void start(size_t n, size_t labels, Score&& score) {
        labels_ = labels;
        guess_.resize(n);
        scores_.resize(padded(labels));
        given_.assign(n + 4, unknown_label(labels));
        given_[0] = given_[1] = boundary_label(labels);
        given_[n + 2] = given_[n + 3] = end_label(labels);
        rescore(score);
    }

    bool done() { return agenda_.empty(); }
    size_t easiest() { return agenda_.top(); }         // the token whose turn it is
    Label guess(size_t i) const { return guess_[i]; }  // its best label

    // Gives token i its label, and scores the tokens beside it that see it.
    template <class Score>
    void give(size_t i, Label y, Score&& score) {
        given_[i + 2] = y;
        agenda_.withdraw(i);
        const size_t first = i - std::min<size_t>(i, ahead_), last = std::min<size_t>(i + reach_, guess_.size() - 1);
        for (size_t k = first; k <= last; ++k) offer(k, score);
    }

    // Scores all tokens again: the weights have changed.
    template <class Score>
    void rescore(Score&& score) {
        agenda_.reset(guess_.size());
        for (size_t i = 0; i < guess_.size(); ++i) offer(i, score);
    }

  private:
    template <class Score>
    void offer(size_t i, Score&& score) {
        const Label* y = given_.data() + i + 2;
        if (*y != unknown_label(labels_)) return;
        score(i, y[-2], y[-1], y[1], y[2], scores_.data());
        guess_[i] = argmax(scores_.data(), labels_);
        agenda_.offer(i, scores_[guess_[i]]);
    }

    unsigned reach_, ahead_;
    size_t labels_ = 0;
    std::vector<Label> given_;  // [2 + n + 2] the labels, and the boundaries around them
    std::vector<Label> guess_;  // [n] the best label of each token
    AlignedVector<S> scores_;   // [padded(L)] of one token
    BestFirst<S> agenda_;
};

}  // namespace sapwood
