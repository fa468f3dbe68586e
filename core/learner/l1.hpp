// The baselines of the sparse averaged perceptron: L1-regularised logistic regression by stochastic gradient descent.
//
//     p(y | x) = exp(w_y . phi(x)) / sum over y' of exp(w_y' . phi(x))
//     w <- w + eta * (phi(x, gold) - sum over y of p(y | x) phi(x, y)),  then a penalty that pulls weights to 0
//
//     cumulative    a weight has received the penalty q and is owed u = sum of eta * C / N; it is clipped at 0 by the
//                   difference whenever its feature occurs (Tsuruoka, Tsujii & Ananiadou 2009, equations 7 and 8)
//     truncated     every K examples each weight moves towards 0 by the gravity of K examples, K * eta * C / N
//                   (Langford, Li & Zhang 2009, equation 6, theta infinite), applied when its feature next occurs;
//                   and when weights are taken, by that of the examples since
//
// The step is eta_k = eta_0 * alpha^(k / N) (Tsuruoka et al. 2009, section 3.1), k the examples presented, N those of an epoch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "learner/learner.hpp"

namespace sapwood {

enum class Penalty { cumulative, truncated };

struct L1Options {
    Penalty penalty = Penalty::cumulative;
    double strength = 1;  // C: of the penalty of a whole epoch
    double eta = 0.1;     // eta_0
};

class L1Learner {
  public:
    // `labels` classes; two have one weight a feature, for the second.
    L1Learner(const L1Options& options, size_t labels);

    // The features are numbered in this table, which holds no weights.
    WeightTable& table(size_t) { return keys_.table(0); }
    size_t tables() const { return 1; }

    // Begins an epoch of N examples, whose features are all in the table.
    void begin(size_t examples);

    // One example: its features by number, with their values (or none: all 1); `importance` multiplies the step. It is
    // a mistake if the gold label did not have the highest probability.
    void present(std::span<const uint32_t> features, const float* values, uint32_t gold, double importance);

    uint64_t mistakes() const { return mistakes_; }
    uint64_t updates() const { return 0; }  // every example moves the weights; none is a violation
    size_t active() const;                  // features with a weight that is not 0

    // All that training has changed (learner/state.hpp).
    template <class State>
    void state(State s) {
        keys_.state(s.within("features"));
        const size_t weights = weights_.size(), received = received_.size();
        s("examples", examples_);
        s("mistakes", mistakes_);
        s("presented", presented_);
        s("owed", owed_);
        s("pending", pending_);
        s("weights", weights_);
        s("received", received_);
        if constexpr (State::kReads) {
            s.require(weights_.size() == weights, "weights", "is not of the features of the data");
            s.require(received_.size() == received, "received", "is not of the features of the data");
        }
    }

    // A learner with these weights, for the frozen model.
    Learner weights() const;

    // visit(feature, output, weight) for all weights that are not 0 once every penalty is paid.
    template <class Visit>
    void each_weight(Visit&& visit) const {
        for (size_t k = 0; k < weights_.size(); ++k)
            if (const double w = paid(k, feature_of(k), owed_ + pending_).weight; w != 0)
                visit(static_cast<uint32_t>(feature_of(k)), static_cast<uint32_t>(k % outputs_), w);
    }

  private:
    // The value of a weight, and the sum of the penalties that it received, after the penalties `owed` are applied.
    struct Paid {
        double weight, received;
    };

    size_t feature_of(size_t k) const { return k / outputs_; }
    Paid paid(size_t k, size_t feature, double owed) const;

    L1Options options_;
    size_t outputs_;
    Learner keys_;
    double examples_ = 1;  // N
    uint64_t mistakes_ = 0;
    uint64_t presented_ = 0;        // k
    double owed_ = 0;               // u, or the gravity of all truncations so far
    double pending_ = 0;            // truncated: gravity since the last truncation
    std::vector<double> weights_;   // [features + 1][outputs]
    std::vector<double> received_;  // cumulative: [features + 1][outputs] q; truncated: [features + 1] u when last paid
    std::vector<double> scores_;    // [outputs]
};

}  // namespace sapwood
