// Beam search over transitions (Zhang & Clark 2011): after every transition the best `width` configurations
// are kept. Width 1 is greedy search.
//
// All configurations of a beam have made the same number of transitions. Ties go to the configuration that stands
// higher in the beam, then to the lowest output.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/arc_hybrid.hpp"

namespace sapwood {

// Outputs of a model: 0 shift, then left with each label, then right with each label.
struct TransitionOutputs {
    Relations relations;
    bool single_root = true;

    size_t width() const { return 1 + 2 * relations.size(); }
    uint32_t output(Transition t) const {
        const size_t side = t.move == Move::right ? relations.size() : 0;
        return t.move == Move::shift ? 0 : static_cast<uint32_t>(1 + side + t.label);
    }
    Transition transition(uint32_t output) const {
        if (output == 0) return {Move::shift, 0};
        const bool right = output > relations.size();
        return {right ? Move::right : Move::left,
                static_cast<uint32_t>(output - 1 - (right ? relations.size() : 0))};
    }
    void apply(ArcHybrid& c, uint32_t output) const {
        const Transition t = transition(output);
        c.apply(t, relations.hashes[t.label]);
    }

    // visit(output) for the transitions that a configuration allows, in ascending order.
    template <class Visit>
    void each(const ArcHybrid& c, Visit&& visit) const {
        const auto arcs = [&](Move move) {
            if (c.can(move, single_root))
                for (uint32_t label : relations.below(c.head_after(move))) visit(output({move, label}));
        };
        if (c.can(Move::shift, single_root)) visit(0u);
        arcs(Move::left);
        arcs(Move::right);
    }
};

template <class Total>
class Beam {
  public:
    struct Item {
        ArcHybrid c;
        Total score{};
        uint32_t link = 0;  // its last transition, 0: none
    };

    void start(size_t words) {
        links_.assign(1, {0, 0});
        if (items_.empty()) items_.resize(1);
        items_[0].c.start(words);
        items_[0].score = Total{};
        items_[0].link = 0;
        size_ = 1;
    }

    size_t size() const { return size_; }
    const Item& operator[](size_t k) const { return items_[k]; }  // best first

    // Makes one transition: scores(c) gives the scores of a configuration's outputs, cost(c, output) what is
    // added to them.
    template <class Scores, class Cost>
    void step(size_t width, const TransitionOutputs& outputs, Scores&& scores, Cost&& cost) {
        best_.clear();
        for (size_t k = 0; k < size_; ++k) {
            const Item& item = items_[k];
            const auto* score = scores(item.c);
            outputs.each(item.c, [&](uint32_t output) {
                const Total total = item.score + static_cast<Total>(score[output]) + cost(item.c, output);
                if (best_.size() == width && !(total > best_.back().score)) return;
                if (best_.size() == width) best_.pop_back();
                auto at = best_.end();
                while (at != best_.begin() && total > (at - 1)->score) --at;
                best_.insert(at, {total, static_cast<uint32_t>(k), output});
            });
        }
        next_.resize(std::max(next_.size(), best_.size()));
        for (size_t k = 0; k < best_.size(); ++k) {
            const Candidate& candidate = best_[k];
            const Item& from = items_[candidate.parent];
            Item& to = next_[k];
            to.c = from.c;
            outputs.apply(to.c, candidate.output);
            to.score = candidate.score;
            to.link = static_cast<uint32_t>(links_.size());
            links_.push_back({from.link, candidate.output});
        }
        items_.swap(next_);
        size_ = best_.size();
    }

    // Moves a link of the step before on to where `output` led from it; false if that is not in the beam.
    bool follow(uint32_t& link, uint32_t output) const {
        for (size_t k = 0; k < size_; ++k)
            if (const Link& last = links_[items_[k].link]; last.before == link && last.output == output) {
                link = items_[k].link;
                return true;
            }
        return false;
    }

    // The outputs that led to a link, from the first on.
    void derivation(uint32_t link, std::vector<uint32_t>& outputs) const {
        outputs.clear();
        for (; link != 0; link = links_[link].before) outputs.push_back(links_[link].output);
        std::reverse(outputs.begin(), outputs.end());
    }

  private:
    struct Candidate {
        Total score;
        uint32_t parent, output;
    };
    struct Link {
        uint32_t before, output;
    };

    std::vector<Item> items_, next_;
    size_t size_ = 0;
    std::vector<Candidate> best_;  // descending
    std::vector<Link> links_;
};

}  // namespace sapwood
