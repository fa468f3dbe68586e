// The best label sequence with a given label at a given token, for all tokens and labels at once: the max-marginals of
// a lattice (lattice.hpp), by Viterbi's recurrence forwards and backwards.
//
//     alpha_i[g][y]   score of the best sequence up to token i that ends with the labels g, y at the tokens i - 1, i
//     beta_i[g][y]    score of the best continuation after token i, given these two labels
//     marginal_i[y] = max over g of (alpha_i[g][y] + beta_i[g][y])
//
// In order 1 there is no g. The best marginal of a token minus its second best marginal says how sure the search is of
// the token's label. The sequence of the second best marginal is the best one in which the token has another label.
//
// Sums are computed in double, so sums of integer scores are exact. Ties go to the lowest labels.
#pragma once
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "search/lattice.hpp"

namespace sapwood {

template <class S>
class MaxMarginals {
  public:
    // The lattice's transitions must be filled up to `order`.
    void run(Lattice<S>& lattice, unsigned order) {
        lattice_ = &lattice;
        order_ = order;
        labels_ = lattice.labels;
        histories_ = order == 1 ? 1 : labels_ + 1;
        states_ = histories_ * labels_;
        alpha_.assign(lattice.n * states_, kNever);
        beta_.assign(lattice.n * states_, kNever);
        for (size_t i = 0; i < lattice.n; ++i) forward(i);
        std::fill_n(beta_.end() - static_cast<ptrdiff_t>(states_), states_, 0.0);
        for (size_t i = lattice.n - 1; i > 0; --i) backward(i);
        marginal_.assign(lattice.n * labels_, kNever);
        for (size_t i = 0; i < lattice.n; ++i)
            for (size_t g = 0; g < histories_; ++g)
                for (size_t y = 0; y < labels_; ++y) {
                    double& most = marginal_[i * labels_ + y];
                    most = std::max(most, alpha_[at(i, g, y)] + beta_[at(i, g, y)]);
                }
    }

    // Score of the best sequence with label y at token i.
    double operator()(size_t i, Label y) const { return marginal_[i * labels_ + y]; }

    // Fills `path` with the best sequence with label y at token i. `best` is the best sequence of all: from the token on
    // where both have the same history, `path` is a copy of it.
    void path(size_t i, Label y, const std::vector<Label>& best, std::vector<Label>& path) {
        path = best;
        size_t g = best_of(histories_, [&](size_t h) { return alpha_[at(i, h, y)] + beta_[at(i, h, y)]; });
        path[i] = y;
        Label left_g = static_cast<Label>(g), left_y = y;
        for (size_t k = i; k > 0; --k) {
            if (left_y == best[k] && (order_ == 1 || left_g == best[k - 1])) break;
            if (order_ == 1) {
                const S* B = lattice_->bigram.at(k);
                left_y = static_cast<Label>(best_of(labels_, [&](size_t h) {
                    return alpha_[at(k - 1, 0, h)] + static_cast<double>(B[h * lattice_->stride + left_y]);
                }));
            } else {
                const S* T = lattice_->trigram.at(k);
                const size_t h_best = best_of(histories_, [&](size_t h) {
                    return alpha_[at(k - 1, h, left_g)] +
                           static_cast<double>(T[(h * (labels_ + 1) + left_g) * lattice_->stride + left_y]);
                });
                left_y = left_g;
                left_g = static_cast<Label>(h_best);
            }
            path[k - 1] = left_y;
        }
        for (size_t k = i + 1; k < lattice_->n; ++k) {
            const Label before = path[k - 1];
            if (before == best[k - 1] && (order_ == 1 || (k > 1 && g == best[k - 2]))) break;
            const Into into(*this, k);
            path[k] = static_cast<Label>(best_of(labels_, [&](size_t next) {
                return into.score(g, before, next) + beta_[at(k, order_ == 1 ? 0 : before, next)];
            }));
            g = before;
        }
    }

  private:
    static constexpr double kNever = -std::numeric_limits<double>::infinity();

    // The scores that token k adds, given the labels before it.
    struct Into {
        const MaxMarginals& owner;
        const S *emission, *bigram, *trigram;

        Into(const MaxMarginals& marginals, size_t k)
            : owner(marginals),
              emission(marginals.lattice_->emission.data() + k * marginals.lattice_->stride),
              bigram(marginals.lattice_->bigram.at(k)),
              trigram(marginals.order_ == 1 ? nullptr : marginals.lattice_->trigram.at(k)) {}

        // y after g, and in order 2 after h and g.
        double score(size_t h, size_t g, size_t y) const {
            const size_t stride = owner.lattice_->stride;
            double sum = static_cast<double>(emission[y]) + static_cast<double>(bigram[g * stride + y]);
            if (trigram != nullptr) sum += static_cast<double>(trigram[(h * (owner.labels_ + 1) + g) * stride + y]);
            return sum;
        }
    };

    // The number of the largest of score(0), ..., score(count - 1), the first of those that are equal.
    template <class Score>
    static size_t best_of(size_t count, Score&& score) {
        size_t best = 0;
        double most = score(0);
        for (size_t k = 1; k < count; ++k)
            if (const double s = score(k); s > most) best = k, most = s;
        return best;
    }

    size_t at(size_t i, size_t g, size_t y) const { return i * states_ + g * labels_ + y; }

    // The labels that token i - k can have: only the boundary before the sentence.
    size_t first(size_t i, size_t k) const { return i < k ? labels_ : 0; }
    size_t end(size_t i, size_t k) const { return i < k ? labels_ + 1 : labels_; }

    void forward(size_t i) {
        const Into into(*this, i);
        for (size_t g = first(i, 1); g < end(i, 1); ++g) {
            double* to = &alpha_[at(i, order_ == 1 ? 0 : g, 0)];
            for (size_t h = order_ == 1 ? 0 : first(i, 2); h < (order_ == 1 ? 1 : end(i, 2)); ++h) {
                StopCheck::after(labels_);
                const double before = i == 0 ? 0.0 : alpha_[order_ == 1 ? at(i - 1, 0, g) : at(i - 1, h, g)];
                for (size_t y = 0; y < labels_; ++y) to[y] = std::max(to[y], before + into.score(h, g, y));
            }
        }
    }

    // Fills beta of token i - 1 from that of token i.
    void backward(size_t i) {
        const Into into(*this, i);
        for (size_t g = 0; g < labels_; ++g) {
            const double* after = &beta_[at(i, order_ == 1 ? 0 : g, 0)];
            for (size_t h = order_ == 1 ? 0 : first(i, 2); h < (order_ == 1 ? 1 : end(i, 2)); ++h) {
                StopCheck::after(labels_);
                double& to = beta_[order_ == 1 ? at(i - 1, 0, g) : at(i - 1, h, g)];
                for (size_t y = 0; y < labels_; ++y) to = std::max(to, into.score(h, g, y) + after[y]);
            }
        }
    }

    Lattice<S>* lattice_ = nullptr;
    unsigned order_ = 1;
    size_t labels_ = 0, histories_ = 1, states_ = 0;
    std::vector<double> alpha_, beta_;  // [n][histories][labels]
    std::vector<double> marginal_;      // [n][labels]
};

// score(path) - score(other), summed up where their labels differ.
template <class S>
double path_distance(Lattice<S>& lattice, unsigned order, std::span<const Label> path, std::span<const Label> other) {
    double sum = 0;
    const size_t L = lattice.labels;
    const auto score = [&](std::span<const Label> of, size_t i, const S* bigram, const S* trigram) {
        const size_t y = of[i], g = i >= 1 ? of[i - 1] : L, h = i >= 2 ? of[i - 2] : L;
        double added = static_cast<double>(lattice.emission[i * lattice.stride + y]) +
                       static_cast<double>(bigram[g * lattice.stride + y]);
        if (order == 2) added += static_cast<double>(trigram[(h * (L + 1) + g) * lattice.stride + y]);
        return added;
    };
    for (size_t i = 0; i < lattice.n; ++i) {
        bool differs = false;
        for (size_t back = 0; back <= std::min<size_t>(i, order); ++back) differs |= path[i - back] != other[i - back];
        if (!differs) continue;
        const S* bigram = lattice.bigram.at(i);
        const S* trigram = order == 2 ? lattice.trigram.at(i) : nullptr;
        sum += score(path, i, bigram, trigram) - score(other, i, bigram, trigram);
    }
    return sum;
}

}  // namespace sapwood
