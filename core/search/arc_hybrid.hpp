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
#include <algorithm>
#include <cstdint>
#include <vector>

#include "search/partial_tree.hpp"

namespace sapwood {

enum class Move : uint8_t { shift, left, right };

struct Transition {
    Move move;
    uint32_t label;
};

// One configuration: the words that still wait for a head, and what is known of their children. A word that has got its
// head is forgotten, so a copy takes as long as the stack is deep, however long the sentence is; the tree is read off the
// transitions (TransitionOutputs::tree). For children and stack items, 0 means that there is none.
class ArcHybrid {
  public:
    void start(size_t words) {
        words_ = words;
        stack_.clear();
        next_ = 1;
        front_ = {};
    }

    size_t words() const { return words_; }
    bool buffer_is_empty() const { return next_ > words_; }  // except for the root
    bool done() const { return buffer_is_empty() && stack_.empty(); }
    size_t stack_size() const { return stack_.size(); }
    // The k-th word from the top of the stack, 0 if there are fewer words.
    uint32_t stack(size_t k) const { return k < stack_.size() ? from_top(k).word : 0; }
    bool is_on_stack(uint32_t word) const {  // words stand there in their order in the sentence
        const auto at = std::lower_bound(stack_.begin(), stack_.end(), word,
                                         [](const Open& open, uint32_t w) { return open.word < w; });
        return at != stack_.end() && at->word == word;
    }
    uint32_t next() const { return next_; }  // the first word of the buffer; words() + 1 is the root
    const Children& children(size_t k) const { return from_top(k).children; }  // of stack(k), which must be there
    const Children& children_of_next() const { return front_; }

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
            stack_.push_back({next_++, front_});
            front_ = {};
            return;
        }
        const Child child{stack_.back().word, t.label};
        stack_.pop_back();
        (t.move == Move::left ? front_.left : stack_.back().children.right).attach(child, label_hash);
    }

  private:
    struct Open {
        uint32_t word;
        Children children;
    };

    const Open& from_top(size_t k) const { return stack_[stack_.size() - 1 - k]; }

    size_t words_ = 0;
    std::vector<Open> stack_;
    Children front_;  // of the first word of the buffer, or of the root
    uint32_t next_ = 1;
};

// The dynamic oracle for any configuration: the number of gold arcs that a transition makes unreachable (Goldberg &
// Nivre 2013, section 5.2). Words on the stack have no head yet.
class ArcHybridOracle {
  public:
    explicit ArcHybridOracle(const Tree& gold)
        : gold_(gold), children_(gold.heads.size()), first_(gold.heads.size() + 1) {
        for (size_t m = 1; m < gold.heads.size(); ++m) ++first_[gold.heads[m] + 1];
        for (size_t h = 0; h < gold.heads.size(); ++h) first_[h + 1] += first_[h];
        std::vector<uint32_t> end(first_.begin(), first_.end() - 1);
        for (uint32_t m = 1; m < gold.heads.size(); ++m) children_[end[gold.heads[m]]++] = m;
    }

    size_t cost(const ArcHybrid& c, Move move) const {
        const auto& head = gold_.heads;
        const uint32_t s0 = c.stack(0), s1 = c.stack(1), b0 = c.next(), n = static_cast<uint32_t>(c.words());
        const auto in_buffer = [&](uint32_t h) { return h >= b0 || h == 0; };
        const auto is_next = [&](uint32_t h) { return b0 <= n ? h == b0 : h == 0; };
        size_t lost = 0;
        switch (move) {
            case Move::shift:  // loses arcs from b0 to words on the stack, and from words below s0 to b0
                for (size_t k = first_[b0]; k < first_[b0 + 1]; ++k) lost += c.is_on_stack(children_[k]);
                return lost + (head[b0] != s0 && c.is_on_stack(head[b0]));
            case Move::left:  // loses arcs to s0 from s1 or from words after b0, and from s0 to the buffer
                lost += head[s0] == s1 && s1 != 0;
                lost += in_buffer(head[s0]) && !is_next(head[s0]);
                break;
            default:  // loses arcs between s0 and the buffer
                lost += in_buffer(head[s0]);
        }
        const auto begin = children_.begin() + first_[s0], end = children_.begin() + first_[s0 + 1];
        return lost + static_cast<size_t>(end - std::lower_bound(begin, end, b0));
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
    std::vector<uint32_t> children_;  // [n + 1] words by their heads, ascending for each head
    std::vector<uint32_t> first_;     // [n + 2] place of a head's first child among them
};

}  // namespace sapwood
