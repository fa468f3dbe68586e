// Viterbi (Collins 2002): the label sequence of highest score, and the n best.
//
//     order 1   alpha_i[y]    = emission_i[y] + max over h of (alpha_(i-1)[h] + bigram_i[h][y])
//     order 2   alpha_i[g][y] = emission_i[y] + bigram_i[g][y]
//                               + max over h of (alpha_(i-1)[h][g] + trigram_i[h][g][y])
//
// Only alpha is kept. The way back finds each predecessor again by repeating the maximum for the one state
// it is in, which costs L steps a token instead of a back pointer for each of the L^order states. The n best
// come from a best-first search backwards, for which alpha is the exact cost to come: the sequences
// complete in order of score, none twice (Soong & Huang 1991). Among equal scores the most complete goes
// first, or ties would be searched breadth first, which is all sequences.
//
// After each token a constant is taken off all its alphas, so that they do not grow along a long sentence: a
// float would lose its small digits and an int32 overflow. `offsets_` keeps the sums, in a wide type.
#pragma once
#include <algorithm>
#include <queue>
#include <type_traits>
#include <utility>

#include "search/argmax.hpp"
#include "search/max_plus.hpp"

namespace sapwood {

template <class S>
class Viterbi {
  public:
    using Wide = std::conditional_t<std::is_floating_point_v<S>, double, int64_t>;

    // The best path. The lattice's transitions must be filled up to `order`.
    void best(Lattice<S>& lattice, unsigned order, std::vector<Label>& path) {
        forward(lattice, order);
        State state = best_end();
        path.resize(lattice.n);
        for (size_t i = lattice.n; i-- > 0;) {
            path[i] = state.y;
            if (i > 0) state = best_predecessor(i, state);
        }
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
        std::vector<std::pair<State, S>> choices;
        std::priority_queue<Candidate> queue;
        // The best choice keeps the score, to the bit; the others lose what they are worse by. The lowest
        // label is pushed last, so that it wins ties.
        const auto push_choices = [&](size_t i, size_t next, Wide score, S best) {
            for (; !choices.empty(); choices.pop_back()) {
                const auto& [state, value] = choices.back();
                nodes.push_back({i, state, next});
                queue.push({score - (Wide{best} - Wide{value}), nodes.size() - 1});
            }
        };
        const auto best_choice = [&] {
            S best = choices.front().second;
            for (const auto& choice : choices) best = std::max(best, choice.second);
            return best;
        };
        const size_t last = lattice.n - 1;
        each_state(last, [&](State s) { choices.emplace_back(s, alpha(last, s)); });
        push_choices(last, 0, offsets_[last] + best_choice(), best_choice());
        while (!queue.empty() && paths.size() < count) {
            const auto [score, at] = queue.top();
            queue.pop();
            const Node node = nodes[at];
            if (node.i == 0) {
                std::vector<Label> path;
                for (size_t k = at, i = 0; i < lattice.n; k = nodes[k].next, ++i)
                    path.push_back(nodes[k].state.y);
                paths.push_back(std::move(path));
                scores.push_back(score);
                continue;
            }
            each_predecessor(node.i, node.state,
                             [&](State s, S arc) { choices.emplace_back(s, alpha(node.i - 1, s) + arc); });
            push_choices(node.i - 1, at, score, best_choice());
        }
    }

  private:
    struct State {
        Label g, y;  // the label before (order 2 only) and the label
    };

    const S& alpha(size_t i, State s) const {
        return alpha_[i * row_ + (order_ == 2 ? s.g * stride_ : 0) + s.y];
    }

    void forward(Lattice<S>& lattice, unsigned order) {
        lattice_ = &lattice;
        order_ = order;
        labels_ = lattice.labels;
        stride_ = lattice.stride;
        const Label start = boundary_label(labels_);
        row_ = order == 2 ? (labels_ + 1) * stride_ : stride_;
        alpha_.resize(lattice.n * row_);
        offsets_.resize(lattice.n);
        const AlignedVector<S> zero(1);
        AlignedVector<S> offset(stride_);
        for (size_t i = 0; i < lattice.n; ++i) {
            const S* emission = lattice.emission.data() + i * stride_;
            const S* bigram = lattice.bigram.at(i);
            S* out = alpha_.data() + i * row_;
            const S* before = out - row_;
            if (order == 1) {
                if (i == 0)
                    max_plus(zero.data(), 0, bigram + start * stride_, 0, 1, emission, stride_, out);
                else
                    max_plus(before, 1, bigram, stride_, labels_, emission, stride_, out);
                take_off(i, out, out + stride_);
                continue;
            }
            const S* trigram = lattice.trigram.at(i);
            const size_t T_stride = (labels_ + 1) * stride_;  // from history h to h + 1
            for (Label g = i == 0 ? start : 0; g < (i == 0 ? start + 1 : start); ++g) {
                for (size_t y = 0; y < stride_; ++y) offset[y] = emission[y] + bigram[g * stride_ + y];
                const S* T = trigram + g * stride_;
                if (i == 0)
                    max_plus(zero.data(), 0, T + start * T_stride, 0, 1, offset.data(), stride_,
                             out + g * stride_);
                else if (i == 1)
                    max_plus(before + start * stride_ + g, 0, T + start * T_stride, 0, 1, offset.data(),
                             stride_, out + g * stride_);
                else
                    max_plus(before + g, stride_, T, T_stride, labels_, offset.data(), stride_,
                             out + g * stride_);
            }
            if (i == 0)
                take_off(i, out + start * stride_, out + (start + 1) * stride_);
            else
                take_off(i, out, out + start * stride_);
        }
    }

    // Subtracts the first alpha of token i from all of them.
    void take_off(size_t i, S* begin, S* end) {
        const S first = *begin;
        for (S* a = begin; a < end; ++a) *a -= first;
        offsets_[i] = (i > 0 ? offsets_[i - 1] : Wide{}) + first;
    }

    // visit(state) for all states of token i, lowest labels first.
    template <class Visit>
    void each_state(size_t i, Visit&& visit) const {
        const Label L = static_cast<Label>(labels_);
        if (order_ == 1)
            for (Label y = 0; y < L; ++y) visit(State{0, y});
        else
            for (Label g = i == 0 ? L : 0; g < (i == 0 ? L + 1 : L); ++g)
                for (Label y = 0; y < L; ++y) visit(State{g, y});
    }

    // visit(state, arc) for the states of token i - 1 from which `to` can be reached.
    template <class Visit>
    void each_predecessor(size_t i, State to, Visit&& visit) {
        const Label L = static_cast<Label>(labels_);
        if (order_ == 1) {
            const S* bigram = lattice_->bigram.at(i);
            for (Label h = 0; h < L; ++h) visit(State{0, h}, bigram[h * stride_ + to.y]);
        } else {
            const S* trigram = lattice_->trigram.at(i);
            for (Label h = i == 1 ? L : 0; h < (i == 1 ? L + 1 : L); ++h)
                visit(State{h, to.g}, trigram[(h * (labels_ + 1) + to.g) * stride_ + to.y]);
        }
    }

    State best_end() const {
        State best{};
        const S* score = nullptr;
        each_state(lattice_->n - 1, [&](State s) {
            if (!score || alpha(lattice_->n - 1, s) > *score) {
                best = s;
                score = &alpha(lattice_->n - 1, s);
            }
        });
        return best;
    }

    State best_predecessor(size_t i, State to) {
        State best{};
        S score{};
        bool found = false;
        each_predecessor(i, to, [&](State s, S arc) {
            const S candidate = alpha(i - 1, s) + arc;
            if (!found || candidate > score) {
                best = s;
                score = candidate;
                found = true;
            }
        });
        return best;
    }

    Lattice<S>* lattice_ = nullptr;
    unsigned order_ = 1;
    size_t labels_ = 0, stride_ = 0, row_ = 0;
    AlignedVector<S> alpha_;     // order 1: [n][stride]; order 2: [n][L + 1][stride]
    std::vector<Wide> offsets_;  // [n] what was taken off the alphas of each token so far
};

}  // namespace sapwood
