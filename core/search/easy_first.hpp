// Easy-first non-directional dependency parsing (Goldberg & Elhadad 2010). It builds trees; easiest_first.hpp labels
// tokens in the order of confidence (Shen, Satta & Joshi 2007).
//
// A sentence is a list of pending partial trees, which initially are its words. The most confident attachment between
// any two neighbours is made first, so that hard decisions can look at the structure that easy ones have built:
//
//     attach left  (i)     p_i <- p_i+1      the head of p_i+1 is p_i;  p_i+1 leaves the list
//     attach right (i)     p_i -> p_i+1      the head of p_i is p_i+1;  p_i leaves the list
//
// The root stands at the left end of the list. With `single_root` it can only take its child when a single other tree
// is left; otherwise it takes part from the start. After n attachments the result is always a projective tree.
//
// The scores of an attachment point may depend only on a window of six neighbours,
//
//     p-2 p-1 p0 | p1 p2 p3          p0 and p1 would be attached
//
// that is, on these words and their children. So an attachment changes the scores of at most six points. The best point
// is found in a heap, and a parse takes O(n log n) time. Ties go to the leftmost point, then to the lowest output.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "search/best_first.hpp"
#include "search/partial_tree.hpp"

namespace sapwood {

// A set of places of the window: p-2 is bit 0, p3 is bit 5.
using WindowPlaces = uint8_t;
constexpr size_t kWindow = 6;
constexpr WindowPlaces kWholeWindow = (1u << kWindow) - 1;

// A point whose scores changed. An attachment point is identified by p0, the word on its left.
struct ChangedPoint {
    uint32_t point;
    WindowPlaces places;  // the places of its window that changed
};

// The configuration: the pending list and the arcs built so far. The item n + 1 stands for everything beyond the ends
// of the list.
class PendingTrees {
  public:
    void start(size_t words, bool single_root) {
        const auto n = static_cast<uint32_t>(words);
        single_root_ = single_root;
        arcs_.start(words);
        before_.resize(n + 2);
        after_.resize(n + 2);
        size_.assign(n + 2, 1);
        for (uint32_t w = 0; w <= n; ++w) {
            before_[w] = w == 0 ? n + 1 : w - 1;
            after_[w] = w + 1;
        }
        before_[n + 1] = after_[n + 1] = n + 1;
        last_head_ = n + 1;
        gone_.clear();
        change_all();
    }

    size_t words() const { return arcs_.words(); }
    uint32_t outside() const { return static_cast<uint32_t>(words()) + 1; }
    uint32_t before(uint32_t item) const { return before_[item]; }
    uint32_t after(uint32_t item) const { return after_[item]; }
    const PartialTree::Node& node(uint32_t word) const { return arcs_.node(word); }
    uint32_t size(uint32_t item) const { return size_[item]; }  // number of words of the partial tree
    bool done() const { return after_[0] == outside(); }

    // Whether an item and the next one may be attached to each other.
    bool is_point(uint32_t item) const {
        const uint32_t next = after_[item];
        return item != outside() && next != outside() && (item != 0 || !single_root_ || after_[next] == outside());
    }

    // `side` says which of the two items becomes the head. The root cannot be a modifier.
    void attach(uint32_t point, Side side, uint32_t label, uint64_t label_hash) {
        const uint32_t next = after_[point];
        const bool left = side == Side::left;
        const uint32_t head = left ? point : next, modifier = left ? next : point;
        arcs_.attach(head, modifier, left ? Side::right : Side::left, label, label_hash);
        size_[head] += size_[modifier];
        const uint32_t b = before_[modifier], a = after_[modifier];
        if (b != outside()) after_[b] = a;
        if (a != outside()) before_[a] = b;

        last_head_ = head;
        gone_.assign(1, modifier);
        if (!is_point(head)) gone_.push_back(head);
        // In the windows of the three points before the head, the head is at p3, p2 and p1. The head changed, and the
        // items that follow it moved.
        const WindowPlaces places[] = {0b100000, 0b110000, 0b111000, WindowPlaces(left ? 0b111100 : 0b000111),
                                       0b000011, 0b000001};
        uint32_t item = head;
        size_t k = 3;
        while (k > 0 && before_[item] != outside()) {
            item = before_[item];
            --k;
        }
        changes_.clear();
        for (; k < kWindow && item != outside(); ++k, item = after_[item])
            if (is_point(item)) changes_.push_back({item, item == 0 && single_root_ ? kWholeWindow : places[k]});
    }

    // The effects of the last attachment: consecutive points whose scores changed; and the items that are no longer
    // points, which are the modifier and, at the end of the list, the head.
    std::span<const ChangedPoint> changes() const { return changes_; }
    std::span<const uint32_t> gone() const { return gone_; }
    uint32_t last_head() const { return last_head_; }  // outside() before the first attachment

    // Marks all points as changed.
    void change_all() {
        changes_.clear();
        for (uint32_t item = 0; item != outside(); item = after_[item])
            if (is_point(item)) changes_.push_back({item, kWholeWindow});
    }

    void tree(Tree& out) const { arcs_.tree(out); }

  private:
    bool single_root_ = true;
    PartialTree arcs_;
    std::vector<uint32_t> before_, after_;  // [words + 2] neighbours in the list
    std::vector<uint32_t> size_;            // [words + 2]
    std::vector<ChangedPoint> changes_;
    std::vector<uint32_t> gone_;
    uint32_t last_head_ = 0;
};

struct Attachment {
    Side side;  // where the head is
    uint32_t label;
};

// The outputs of a model: attach left with each label, then attach right with each label.
struct AttachmentOutputs {
    Relations relations;
    bool single_root = true;

    size_t width() const { return 2 * relations.size(); }
    uint32_t output(Attachment a) const {
        return static_cast<uint32_t>((a.side == Side::right ? relations.size() : 0) + a.label);
    }
    Attachment attachment(uint32_t output) const {
        if (output < relations.size()) return {Side::left, output};
        return {Side::right, static_cast<uint32_t>(output - relations.size())};
    }
    void apply(PendingTrees& pending, uint32_t point, uint32_t output) const {
        const Attachment a = attachment(output);
        pending.attach(point, a.side, a.label, relations.hashes[a.label]);
    }

    // Calls visit(output) for the outputs that are possible at a point, in ascending order.
    template <class Visit>
    void each(uint32_t point, Visit&& visit) const {
        for (uint32_t label : point == 0 ? relations.of_root : relations.of_right) visit(label);
        if (point == 0) return;
        for (uint32_t label : relations.of_left) visit(static_cast<uint32_t>(relations.size()) + label);
    }
};

template <class Score>
class EasyFirst {
  public:
    // rescore(pending, put) must call put(point, scores) for each of pending.changes(), with scores: [outputs.width()].
    template <class Rescore>
    void parse(size_t words, const AttachmentOutputs& outputs, Rescore&& rescore, Tree& tree) {
        parse(words, outputs, rescore, tree, [](const PendingTrees&, uint32_t, uint32_t) {});
    }

    // The same, and calls visit(pending, point, output) before each attachment.
    template <class Rescore, class Visit>
    void parse(size_t words, const AttachmentOutputs& outputs, Rescore&& rescore, Tree& tree, Visit&& visit) {
        pending_.start(words, outputs.single_root);
        agenda_.reset(words + 1);
        best_.resize(words + 1);
        while (true) {
            rescore(pending_, [&](uint32_t point, const Score* scores) {
                uint32_t best = UINT32_MAX;
                outputs.each(point, [&](uint32_t output) {
                    if (best == UINT32_MAX || scores[output] > scores[best]) best = output;
                });
                best_[point] = best;
                agenda_.offer(point, scores[best]);
            });
            if (agenda_.empty()) break;
            const auto point = static_cast<uint32_t>(agenda_.top());
            visit(std::as_const(pending_), point, best_[point]);
            outputs.apply(pending_, point, best_[point]);
            for (uint32_t item : pending_.gone()) agenda_.withdraw(item);
        }
        pending_.tree(tree);
    }

  private:
    PendingTrees pending_;
    BestFirst<Score> agenda_;
    std::vector<uint32_t> best_;  // [words + 1] best output at a point
};

}  // namespace sapwood
