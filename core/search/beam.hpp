// Beam search over transitions (Zhang & Clark 2011): after every transition the best `width` configurations are kept.
// Width 1 is greedy search.
//
// All configurations in a beam have made the same number of transitions. Ties go to the configuration whose parent
// ranks higher in the beam, then to the lowest output.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/aligned.hpp"
#include "base/stop_check.hpp"
#include "search/arc_hybrid.hpp"

namespace sapwood {

// The outputs of a model: output 0 is shift; then come left with each label of arcs from the root, left with each label
// of other arcs to the left, and right with each label of arcs to the right.
class TransitionOutputs {
  public:
    TransitionOutputs(Relations relations, bool single_root)
        : relations_(std::move(relations)), single_root_(single_root), transitions_{{Move::shift, 0}} {
        const auto add = [&](Kind kind, Move move, const std::vector<uint32_t>& labels) {
            first_[kind] = static_cast<uint32_t>(transitions_.size());
            outputs_[kind].resize(relations_.size());
            for (uint32_t label : labels) {
                outputs_[kind][label] = static_cast<uint32_t>(transitions_.size());
                transitions_.push_back({move, label});
            }
            first_[kind + 1] = static_cast<uint32_t>(transitions_.size());
        };
        add(kRoot, Move::left, relations_.of_root);
        add(kLeft, Move::left, relations_.of_left);
        add(kRight, Move::right, relations_.of_right);
    }

    const Relations& relations() const { return relations_; }
    bool single_root() const { return single_root_; }
    size_t width() const { return transitions_.size(); }

    // The output of a transition, whose label must be allowed for the arc.
    uint32_t output(const ArcHybrid& c, Transition t) const {
        return t.move == Move::shift ? 0 : outputs_[kind(c, t.move)][t.label];
    }
    Transition transition(uint32_t output) const { return transitions_[output]; }
    void apply(ArcHybrid& c, uint32_t output) const {
        const Transition t = transitions_[output];
        c.apply(t, relations_.hashes[t.label]);
    }

    // Reads the tree of a sentence of so many words off its derivation.
    void tree(const std::vector<uint32_t>& derivation, size_t words, Tree& out) const {
        out.resize(words);
        ArcHybrid c;
        c.start(words);
        for (const uint32_t output : derivation) {
            if (const Transition t = transitions_[output]; t.move != Move::shift) {
                out.heads[c.stack(0)] = c.head_after(t.move);
                out.labels[c.stack(0)] = t.label;
            }
            apply(c, output);
        }
    }

    // Calls visit(begin, end) for the ranges of outputs that a configuration allows, in ascending order.
    template <class Visit>
    void each_range(const ArcHybrid& c, Visit&& visit) const {
        if (c.can(Move::shift, single_root_)) visit(0u, 1u);
        for (Move move : {Move::left, Move::right})
            if (c.can(move, single_root_)) visit(first_[kind(c, move)], first_[kind(c, move) + 1]);
    }
    // Calls visit(output) for each of these outputs.
    template <class Visit>
    void each(const ArcHybrid& c, Visit&& visit) const {
        each_range(c, [&](uint32_t begin, uint32_t end) {
            for (uint32_t output = begin; output < end; ++output) visit(output);
        });
    }

  private:
    enum Kind { kRoot, kLeft, kRight };

    static Kind kind(const ArcHybrid& c, Move move) {
        return move == Move::right ? kRight : c.buffer_is_empty() ? kRoot : kLeft;
    }

    Relations relations_;
    bool single_root_;
    std::vector<Transition> transitions_;  // [width]
    uint32_t first_[4];                    // first output of each kind, and the end
    std::vector<uint32_t> outputs_[3];     // [labels] outputs of each kind
};

template <class Total>
class Beam {
  public:
    struct Item {
        ArcHybrid c;
        Total score{};
        uint32_t link = 0;  // its last transition, 0 if there is none
    };

    // Drops from now on what is further behind the best configuration of a step than this.
    void set_gap(Total gap) { gap_ = gap; }

    void start(size_t words) {
        links_.assign(1, {0, 0, Total{}});
        if (items_.empty()) items_.resize(1);
        items_[0].c.start(words);
        items_[0].score = Total{};
        items_[0].link = 0;
        size_ = 1;
    }

    size_t size() const { return size_; }
    const Item& operator[](size_t k) const { return items_[k]; }  // best first

    // Makes one transition. The score of an output in the k-th configuration c is scores(k)[output] + cost(c, output);
    // scores(k) is [padded(outputs.width())], and a cost is at most `most`.
    template <class Scores, class Cost>
    void step(size_t width, const TransitionOutputs& outputs, Scores&& scores, Cost&& cost, Total most) {
        best_.clear();
        StopCheck::after((kItem + 16 * items_[0].c.stack_size()) * size_);
        for (size_t k = 0; k < size_; ++k) {
            const Item& item = items_[k];
            const auto* score = scores(k);
            outputs.each_range(item.c, [&](uint32_t begin, uint32_t end) {
                for (uint32_t output = begin; output < end;) {
                    // Most outputs score too low even with the highest cost; kAtOnce neighbours are tested at a time.
                    const uint32_t block = output / kAtOnce * kAtOnce, stop = std::min(block + kAtOnce, end);
                    if (best_.size() == width &&
                        !any_above(score + block, bar<std::decay_t<decltype(*score)>>(item.score, most))) {
                        output = stop;
                        continue;
                    }
                    for (; output < stop; ++output)
                        consider(item.score + static_cast<Total>(score[output]) + cost(item.c, output), k, output,
                                 width);
                }
            });
        }
        while (best_.front().score - best_.back().score > gap_) best_.pop_back();
        next_.resize(std::max(next_.size(), best_.size()));
        for (size_t k = 0; k < best_.size(); ++k) {
            const Candidate& candidate = best_[k];
            Item& from = items_[candidate.parent];
            Item& to = next_[k];
            // The last one that goes on from a configuration takes it, so a beam of one copies nothing.
            const bool is_last = std::none_of(best_.begin() + static_cast<ptrdiff_t>(k) + 1, best_.end(),
                                              [&](const Candidate& other) { return other.parent == candidate.parent; });
            if (is_last)
                std::swap(to.c, from.c);
            else
                to.c = from.c;
            outputs.apply(to.c, candidate.output);
            to.score = candidate.score;
            to.link = static_cast<uint32_t>(links_.size());
            links_.push_back({from.link, candidate.output, best_.front().score - candidate.score});
        }
        items_.swap(next_);
        size_ = best_.size();
    }

    // The configuration that a link of the last step led to, nullptr if it is not in the beam.
    const ArcHybrid* at(uint32_t link) const {
        for (size_t k = 0; k < size_; ++k)
            if (items_[k].link == link) return &items_[k].c;
        return nullptr;
    }

    // Replaces a link of the previous step by its successor through `output`. Returns false if that is not in the beam.
    bool follow(uint32_t& link, uint32_t output) const {
        for (size_t k = 0; k < size_; ++k)
            if (const Link& last = links_[items_[k].link]; last.before == link && last.output == output) {
                link = items_[k].link;
                return true;
            }
        return false;
    }

    // The least gap with which a link's derivation stays in the beam: how far it was behind at most.
    Total gap(uint32_t link) const {
        Total most{};
        for (; link != 0; link = links_[link].before) most = std::max(most, links_[link].behind);
        return most;
    }

    // Lists the outputs that led to a link, in the order in which they were made.
    void derivation(uint32_t link, std::vector<uint32_t>& outputs) const {
        outputs.clear();
        for (; link != 0; link = links_[link].before) outputs.push_back(links_[link].output);
        std::reverse(outputs.begin(), outputs.end());
    }

  private:
    static constexpr uint32_t kAtOnce = kLanes;  // outputs
    static constexpr size_t kItem = 1000;        // steps (base/stop_check.hpp)

    // Tells if one of kAtOnce scores is above a bar. They are compared in vectors of 16 bytes, which all machines have.
    template <class Score>
    static bool any_above(const Score* scores, Score bar) {
        constexpr size_t kScores = 16 / sizeof(Score);
        typedef Score Vector __attribute__((vector_size(16)));
        decltype(Vector{} > bar) above{};
        for (size_t k = 0; k < kAtOnce; k += kScores) {
            Vector some;
            std::memcpy(&some, scores + k, sizeof some);
            above |= some > bar;
        }
        uint64_t halves[2];
        std::memcpy(halves, &above, sizeof halves);
        return (halves[0] | halves[1]) != 0;
    }

    // The score that an output must exceed to get into a full beam: otherwise base + score + most <= the worst score in
    // the beam. For floats the bar is lowered by more than the rounding error.
    template <class Score>
    Score bar(Total base, Total most) const {
        const Total worst = best_.back().score, exact = worst - base - most;
        if constexpr (std::is_floating_point_v<Score>)
            return static_cast<Score>(exact - (std::abs(worst) + std::abs(base) + most) * 1e-6);
        else
            return static_cast<Score>(
                std::clamp<Total>(exact, std::numeric_limits<Score>::min(), std::numeric_limits<Score>::max()));
    }

    void consider(Total score, size_t parent, uint32_t output, size_t width) {
        if (best_.size() == width) {
            if (!(score > best_.back().score)) return;
            best_.pop_back();
        }
        auto at = best_.end();
        while (at != best_.begin() && score > (at - 1)->score) --at;
        best_.insert(at, {score, static_cast<uint32_t>(parent), output});
    }

    struct Candidate {
        Total score;
        uint32_t parent, output;
    };
    struct Link {
        uint32_t before, output;
        Total behind;  // the best configuration of its step
    };

    Total gap_ = std::numeric_limits<Total>::max();
    std::vector<Item> items_, next_;
    size_t size_ = 0;
    std::vector<Candidate> best_;  // in descending order of score
    std::vector<Link> links_;
};

}  // namespace sapwood
