// The arc-hybrid transition system (Kuhlmann, Gomez-Rodriguez & Satta 2011): a projective tree over n words is
// built by 2n transitions between a stack and a buffer, the root standing at the buffer's end.
//
//     shift    (s | s0, b0 | b)  ->  (s | s0 | b0, b)
//     left     (s | s0, b0 | b)  ->  (s, b0 | b)          head of s0 is b0
//     right    (s | s1 | s0, b)  ->  (s | s1, b)          head of s0 is s1
//
// A word leaves the stack when it gets its head. Therefore every sequence of transitions builds a tree, all derivations
// have the same length, and a word has all its children before its head is chosen.
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

// One configuration. For children and stack items, 0 means that there is none.
class ArcHybrid {
  public:
    void start(size_t words) {
        arcs_.start(words);
        stack_.clear();
        next_ = 1;
    }

    size_t words() const { return arcs_.words(); }
    bool buffer_is_empty() const { return next_ > words(); }  // except for the root
    bool done() const { return buffer_is_empty() && stack_.empty(); }
    size_t stack_size() const { return stack_.size(); }
    // The k-th word from the top of the stack, 0 if there are fewer words.
    uint32_t stack(size_t k) const { return k < stack_.size() ? stack_[stack_.size() - 1 - k] : 0; }
    uint32_t next() const { return next_; }  // the first word of the buffer; words() + 1 is the root
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

    // The head that a move gives to the word on top of the stack.
    uint32_t head_after(Move move) const { return move == Move::right ? stack(1) : buffer_is_empty() ? 0 : next_; }

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

// The dynamic oracle for any configuration: the number of gold arcs that a transition makes unreachable (Goldberg &
// Nivre 2013, section 5.2). Words on the stack have no head yet.
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
            case Move::shift:  // loses arcs from b0 to words on the stack, and from words below s0 to b0
                for (size_t k = 0; k < c.stack_size(); ++k) {
                    lost += head[c.stack(k)] == b0;
                    lost += k > 0 && head[b0] == c.stack(k);
                }
                return lost;
            case Move::left:  // loses arcs to s0 from s1 or from words after b0, and from s0 to the buffer
                lost += head[s0] == s1 && s1 != 0;
                lost += in_buffer(head[s0]) && !is_next(head[s0]);
                break;
            default:  // loses arcs between s0 and the buffer
                lost += in_buffer(head[s0]);
        }
        for (uint32_t b = b0; b <= n; ++b) lost += head[b] == s0;
        return lost;
    }

    // The next transition of a derivation of the gold tree, which must be projective. It makes each arc as early as
    // possible.
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
