// The arc-hybrid transition system (Kuhlmann, Gomez-Rodriguez & Satta 2011): a projective tree over n words is
// built by 2n transitions between a stack and a buffer, the root standing at the buffer's end.
//
//     shift    (s | s0, b0 | b)  ->  (s | s0 | b0, b)
//     left     (s | s0, b0 | b)  ->  (s, b0 | b)          head of s0 is b0
//     right    (s | s1 | s0, b)  ->  (s | s1, b)          head of s0 is s1
//
// A word leaves the stack with its last arc, so whatever the transitions are the result is a tree, every
// derivation is as long as every other, and a word's own children are complete when its head is chosen.
#pragma once
#include <cstdint>
#include <vector>

#include "search/partial_tree.hpp"

namespace sapwood {

enum class Move : uint8_t { shift, left, right };

struct Transition {
    Move move;
    uint32_t label;
};

// One configuration. 0 stands for "no word" where a child or a stack item is asked for.
class ArcHybrid {
  public:
    void start(size_t words) {
        arcs_.start(words);
        stack_.clear();
        next_ = 1;
    }

    size_t words() const { return arcs_.words(); }
    bool buffer_is_empty() const { return next_ > words(); }  // but for the root
    bool done() const { return buffer_is_empty() && stack_.empty(); }
    size_t stack_size() const { return stack_.size(); }
    // k-th word from the top of the stack, 0 if there are not so many.
    uint32_t stack(size_t k) const { return k < stack_.size() ? stack_[stack_.size() - 1 - k] : 0; }
    uint32_t next() const { return next_; }  // words() + 1: the root
    const PartialTree::Node& node(uint32_t word) const { return arcs_.node(word); }

    bool can(Move move, bool single_root) const {
        switch (move) {
            case Move::shift:
                return !buffer_is_empty();
            case Move::left:
                return !stack_.empty() && (!buffer_is_empty() || !single_root || stack_.size() == 1);
            default:
                return stack_.size() >= 2;
        }
    }

    // The head that the word on top of the stack is given by a move.
    uint32_t head_after(Move move) const {
        return move == Move::right ? stack(1) : buffer_is_empty() ? 0 : next_;
    }

    void apply(Transition t, uint64_t label_hash) {
        if (t.move == Move::shift) {
            stack_.push_back(next_++);
            return;
        }
        const uint32_t word = stack_.back(), head = head_after(t.move);
        stack_.pop_back();
        arcs_.attach(head, word, t.move == Move::left ? Side::left : Side::right, t.label, label_hash);
    }

    void tree(Tree& out) const { arcs_.tree(out); }

  private:
    PartialTree arcs_;
    std::vector<uint32_t> stack_;
    uint32_t next_ = 1;
};

// Arcs of the gold tree that can no longer be built after a transition, for any configuration (Goldberg & Nivre
// 2013, section 5.2). The stack's words have no head yet.
class ArcHybridOracle {
  public:
    explicit ArcHybridOracle(const Tree& gold) : gold_(gold) {}

    size_t cost(const ArcHybrid& c, Move move) const {
        const auto& head = gold_.heads;
        const uint32_t s0 = c.stack(0), s1 = c.stack(1), b0 = c.next(), n = static_cast<uint32_t>(c.words());
        const auto in_buffer = [&](uint32_t h) { return h >= b0 || h == 0; };
        const auto is_next = [&](uint32_t h) { return b0 <= n ? h == b0 : h == 0; };
        size_t lost = 0;
        switch (move) {
            case Move::
                shift:  // b0 loses its children on the stack, s0 aside from being its head, heads below s0
                for (size_t k = 0; k < c.stack_size(); ++k) {
                    lost += head[c.stack(k)] == b0;
                    lost += k > 0 && head[b0] == c.stack(k);
                }
                return lost;
            case Move::left:  // s0 loses heads s1 and behind b0, and children in the buffer
                lost += head[s0] == s1 && s1 != 0;
                lost += in_buffer(head[s0]) && !is_next(head[s0]);
                break;
            default:  // s0 loses heads and children in the buffer
                lost += in_buffer(head[s0]);
        }
        for (uint32_t b = b0; b <= n; ++b) lost += head[b] == s0;
        return lost;
    }

    // The transition of a derivation of the gold tree (which must be projective): an arc as soon as it can be.
    Transition next(const ArcHybrid& c) const {
        if (const uint32_t s0 = c.stack(0); s0 != 0) {
            if (cost(c, Move::left) == 0) return {Move::left, gold_.labels[s0]};
            if (c.stack_size() >= 2 && gold_.heads[s0] == c.stack(1) && cost(c, Move::right) == 0)
                return {Move::right, gold_.labels[s0]};
        }
        return {Move::shift, 0};
    }

  private:
    const Tree& gold_;
};

}  // namespace sapwood
