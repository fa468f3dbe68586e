// Viterbi (Collins 2002): the label sequence of highest score, and the n best.
//
//     order 1   alpha_i[y]    = emission_i[y] + max over h of (alpha_(i-1)[h] + bigram_i[h][y])
//     order 2   alpha_i[g][y] = emission_i[y] + bigram_i[g][y]
//                               + max over h of (alpha_(i-1)[h][g] + trigram_i[h][g][y])
//
// Both are one recurrence. A state (g, y) is the label y and the label g before it (order 1: always g = 0); h is the
// label that the state before it has and this one has not:
//
//     alpha_i[g][y] = offset_i[g][y] + max over h of (alpha_(i-1)[before(h, g)] + T_i[row(h, g)][y])
//
//               before(h, g)   row(h, g)        T         offset
//     order 1   (0, h)         h                bigram    emission
//     order 2   (h, g)         h * (L + 1) + g  trigram   emission + bigram
//
// Before the first token stands the boundary label L, and nothing else.
//
// Only alpha is kept. The way back finds each predecessor again by repeating the maximum for the one state that it is
// in, which costs L steps a token instead of a back pointer for each of the L^order states. The n best come from a
// best-first search backwards, for which alpha is the exact cost to come: the sequences complete in order of score,
// none twice (Soong & Huang 1991). Among equal scores the most complete goes first. Otherwise ties would be searched
// breadth first, which is all sequences.
//
// In training gold can be held against all other sequences at once (`best_against`), which costs L steps a token more.
//
// After each token a constant is subtracted from all its alphas, so that they do not grow along a long sentence: a
// float would lose its small digits and an int32 would overflow. `offsets_` keeps the sums, in a wide type.
#pragma once
#include <algorithm>
#include <queue>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "search/lattice.hpp"
#include "search/max_plus.hpp"

namespace sapwood {

template <class S>
class Viterbi {
  public:
    using Wide = std::conditional_t<std::is_floating_point_v<S>, double, int64_t>;

    // The best path. The lattice's transitions must be filled up to `order`.
    void best(Lattice<S>& lattice, unsigned order, std::vector<Label>& path) {
        forward(lattice, order);
        path.resize(lattice.n);
        choices(lattice.n, {});
        go_back(lattice.n - 1, best_choice().state, path);
    }

    // The best path if `cost` is added to the score of every path but `gold`. A path that differs from gold's up to token
    // i either is in another state there, whose alpha then has the best one, or it differs before token i:
    //
    //     chi_i = the score of the best path into gold's state (g, y) at token i, with the cost if it is not gold's
    //           = offset_i[g][y] + max of chi_(i-1) + T_i[row(h, g)][y] for gold's h,
    //                              and of alpha_(i-1)[before(h, g)] + T_i[row(h, g)][y] + cost for all others
    void best_against(Lattice<S>& lattice, unsigned order, std::span<const Label> gold, S cost,
                      std::vector<Label>& path) {
        forward(lattice, order);
        const size_t n = lattice.n;
        const auto state = [&](size_t i) {
            return order == 1 ? State{0, gold[i]} : State{i == 0 ? boundary_label(labels_) : gold[i - 1], gold[i]};
        };
        chi_.assign(1, {{}, alphas(0)[cell(state(0))]});
        for (size_t i = 1; i <= n; ++i) {
            S& alpha = alpha_[(i - 1) * states_ + cell(state(i - 1))];
            const S kept = std::exchange(alpha, chi_.back().score);
            choices(i, i < n ? state(i) : State{});
            alpha = kept;
            for (Choice& choice : choices_)
                if (choice.state != state(i - 1)) choice.score += cost;
            chi_.push_back(best_choice());
            if (i == n) break;
            S offset = lattice.emission[i * stride_ + gold[i]];
            if (order == 2) offset += lattice.bigram.at(i)[gold[i - 1] * stride_ + gold[i]];
            chi_.back().score = offset + chi_.back().score - static_cast<S>(offsets_[i] - offsets_[i - 1]);
        }
        path.assign(gold.begin(), gold.end());
        size_t i = n;
        while (i > 0 && chi_[i].state == state(i - 1)) --i;
        if (i > 0) go_back(i - 1, chi_[i].state, path);
    }

    // The `count` best paths and their scores, best first; fewer if there are not so many.
    void n_best(Lattice<S>& lattice, unsigned order, size_t count, std::vector<std::vector<Label>>& paths,
                std::vector<Wide>& scores) {
        struct Node {
            size_t i;
            State state;
            size_t next;  // the node it leads to
        };
        struct Candidate {
            Wide score;  // of the best path through the node
            size_t node;
            bool operator<(const Candidate& other) const {
                return score != other.score ? score < other.score : node < other.node;
            }
        };
        paths.clear();
        scores.clear();
        forward(lattice, order);
        std::vector<Node> nodes;
        std::priority_queue<Candidate> queue;
        // Queues the states of token i from which `to` is reached; `score` is that of the best path through `to`. The
        // best of them keeps that score, to the bit, and each other one gets it less its distance from the best. The
        // lowest label is queued last, so that it wins ties.
        const auto queue_choices = [&](size_t i, State to, size_t next, Wide score) {
            choices(i + 1, to);
            S best = choices_.front().score;
            for (const Choice& choice : choices_) best = std::max(best, choice.score);
            if (i + 1 == lattice.n) score += best;
            for (; !choices_.empty(); choices_.pop_back()) {
                nodes.push_back({i, choices_.back().state, next});
                queue.push({score - (Wide{best} - Wide{choices_.back().score}), nodes.size() - 1});
            }
        };
        queue_choices(lattice.n - 1, {}, 0, offsets_[lattice.n - 1]);
        while (!queue.empty() && paths.size() < count) {
            const auto [score, at] = queue.top();
            queue.pop();
            StopCheck::after(labels_);
            const Node node = nodes[at];
            if (node.i > 0) {
                queue_choices(node.i - 1, node.state, at, score);
                continue;
            }
            std::vector<Label> path;
            for (size_t k = at, i = 0; i < lattice.n; k = nodes[k].next, ++i) path.push_back(nodes[k].state.y);
            paths.push_back(std::move(path));
            scores.push_back(score);
        }
    }

  private:
    struct State {
        Label g, y;
        bool operator==(const State&) const = default;
    };
    struct Choice {
        State state;
        S score;
    };
    struct Labels {
        Label first, end;
    };

    // The labels that token i - k can have.
    Labels labels_before(size_t i, unsigned k) const {
        const auto L = static_cast<Label>(labels_);
        return i < k ? Labels{L, L + 1} : Labels{0, L};
    }
    Labels contexts(size_t i) const { return order_ == 1 ? Labels{0, 1} : labels_before(i, 1); }  // g
    Labels histories(size_t i) const { return labels_before(i, order_); }                         // h

    State before(Label h, Label g) const { return order_ == 1 ? State{0, h} : State{h, g}; }
    size_t row(Label h, Label g) const { return order_ == 1 ? h : h * (labels_ + 1) + g; }
    size_t cell(State s) const { return s.g * stride_ + s.y; }
    const S* alphas(size_t i) const { return alpha_.data() + i * states_; }

    // The arcs into the states (g, .) of token i, whose transition scores are T.
    Arcs<S> arcs(size_t i, const S* T, Label g) const {
        const auto [first, end] = histories(i);
        return {i == 0 ? &zero_ : alphas(i - 1) + cell(before(first, g)), cell(before(1, g)) - cell(before(0, g)),
                T + row(first, g) * stride_, (row(1, g) - row(0, g)) * stride_, end - first};
    }

    const S* transitions(size_t i) { return (order_ == 1 ? lattice_->bigram : lattice_->trigram).at(i); }

    void forward(Lattice<S>& lattice, unsigned order) {
        lattice_ = &lattice;
        order_ = order;
        labels_ = lattice.labels;
        stride_ = lattice.stride;
        states_ = order == 1 ? stride_ : (labels_ + 1) * stride_;
        alpha_.resize(lattice.n * states_);
        offsets_.resize(lattice.n);
        AlignedVector<S> sum(order == 1 ? 0 : stride_);
        for (size_t i = 0; i < lattice.n; ++i) {
            const S* emission = lattice.emission.data() + i * stride_;
            const S* bigram = order == 1 ? nullptr : lattice.bigram.at(i);
            const S* T = transitions(i);
            S* alpha = alpha_.data() + i * states_;
            const auto [first, end] = contexts(i);
            for (Label g = first; g < end; ++g) {
                for (size_t y = 0; y < sum.size(); ++y) sum[y] = emission[y] + bigram[g * stride_ + y];
                StopCheck::every(i * labels_ + g, (histories(i).end - histories(i).first) * stride_);
                max_plus(arcs(i, T, g), order == 1 ? emission : sum.data(), stride_, alpha + g * stride_);
            }
            const S constant = alpha[first * stride_];
            for (S* a = alpha + first * stride_; a < alpha + end * stride_; ++a) *a -= constant;
            offsets_[i] = (i > 0 ? offsets_[i - 1] : Wide{}) + constant;
        }
    }

    // The best of choices_, the first one among equals.
    Choice best_choice() const {
        const auto worse = [](const Choice& a, const Choice& b) { return a.score < b.score; };
        return *std::max_element(choices_.begin(), choices_.end(), worse);
    }

    // Fills path[0] .. path[i] with the best path that ends in a state of token i.
    void go_back(size_t i, State state, std::vector<Label>& path) {
        for (; i > 0; --i) {
            path[i] = state.y;
            const Arcs<S> into = arcs(i, transitions(i), state.g);
            Label best = 0;
            S most = into(0, state.y);
            for (Label h = 1; h < into.histories; ++h)
                if (const S score = into(h, state.y); score > most) best = h, most = score;
            state = before(histories(i).first + best, state.g);
        }
        path[0] = state.y;
    }

    // The states of token i - 1 from which `to` of token i is reached, and the score that each brings; for i = n, the
    // end of the sentence, all states of the last token. Lowest labels come first.
    void choices(size_t i, State to) {
        choices_.clear();
        if (i == lattice_->n) {
            const auto [first, end] = contexts(i - 1);
            for (Label g = first; g < end; ++g)
                for (Label y = 0; y < labels_; ++y) choices_.push_back({{g, y}, alphas(i - 1)[cell({g, y})]});
        } else {
            const Arcs<S> into = arcs(i, transitions(i), to.g);
            const auto [first, end] = histories(i);
            for (Label h = first; h < end; ++h) choices_.push_back({before(h, to.g), into(h - first, to.y)});
        }
    }

    Lattice<S>* lattice_ = nullptr;
    unsigned order_ = 1;
    size_t labels_ = 0, stride_ = 0;
    size_t states_ = 0;            // of a token: stride, in order 2 times L + 1
    AlignedVector<S> alpha_;       // [n][states]
    std::vector<Wide> offsets_;    // [n] what was subtracted from the alphas of each token so far
    std::vector<Choice> choices_;  // scratch
    std::vector<Choice> chi_;  // [n + 1] the state before gold's at token i, and chi_i; at n the end of the sentence
    S zero_ = 0;               // alpha before the first token
};

extern template class Viterbi<float>;
extern template class Viterbi<int32_t>;

}  // namespace sapwood
