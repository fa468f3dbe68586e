// Numbers subtrees, so that equal subtrees, including their words, have the same number. A forest is thereby stored as
// a directed acyclic graph in which no subtree occurs twice (Aiolli, Da San Martino, Sperduti & Moschitti 2007).
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hpp"
#include "kernel/tree_kernel.hpp"

namespace sapwood {

class Subtrees {
  public:
    // A child is a subtree, or a tag with its word, which its production identifies.
    class Child {
      public:
        static Child tag(uint32_t production) { return Child(production * 2 + 1); }
        static Child subtree(uint32_t number) { return Child(number * 2); }

        bool is_tag() const { return code_ % 2 == 1; }
        uint32_t number() const { return code_ / 2; }  // the subtree's number, or the tag's production
        bool operator==(const Child&) const = default;

      private:
        friend class Subtrees;
        explicit Child(uint32_t code) : code_(code) {}

        uint32_t code_;
    };

    size_t size() const { return productions_.size(); }
    uint32_t production(uint32_t subtree) const { return productions_[subtree]; }
    uint32_t production(Child child) const { return child.is_tag() ? child.number() : productions_[child.number()]; }
    std::span<const Child> children(uint32_t subtree) const {
        return {children_.data() + starts_[subtree], starts_[subtree + 1] - starts_[subtree]};
    }

    // Calls visit(number) for the subtree of every node of a tree, except tags, bottom-up. New subtrees are added.
    template <class Visit>
    void each(const KernelTree& tree, Visit&& visit) {
        numbers_.clear();
        for (uint32_t rank = 0; rank < tree.nodes.size(); ++rank) {
            const auto [first_child, arity] = tree.nodes[rank];
            for (uint32_t k = first_child; k < first_child + arity; ++k) {
                const KernelTree::Child& child = tree.children[k];
                children_.push_back(child.rank < tree.nodes.size() ? Child::subtree(numbers_[child.rank])
                                                                   : Child::tag(child.production));
            }
            numbers_.push_back(number(tree.productions[rank]));
            visit(numbers_.back());
        }
    }

    void clear() {
        productions_.clear();
        starts_.resize(1);
        children_.clear();
        std::fill(slots_.begin(), slots_.end(), kFree);
    }

  private:
    static constexpr uint32_t kFree = UINT32_MAX;

    // Returns the number of the subtree with this production whose children are the last ones in children_. If the
    // subtree is known already, these children are removed again.
    uint32_t number(uint32_t production) {
        if (slots_.size() < 2 * (size() + 1)) grow();
        const auto fresh = static_cast<uint32_t>(size());
        productions_.push_back(production);
        starts_.push_back(children_.size());
        const auto same = [&](uint32_t other) {
            return productions_[other] == production && std::ranges::equal(children(other), children(fresh));
        };
        size_t slot = hash(fresh) & (slots_.size() - 1);
        while (slots_[slot] != kFree && !same(slots_[slot])) slot = (slot + 1) & (slots_.size() - 1);
        if (slots_[slot] == kFree) return slots_[slot] = fresh;
        productions_.pop_back();
        starts_.pop_back();
        children_.erase(children_.begin() + static_cast<ptrdiff_t>(starts_.back()), children_.end());
        return slots_[slot];
    }

    uint64_t hash(uint32_t subtree) const {
        uint64_t h = productions_[subtree];
        for (Child child : children(subtree)) h = combine(h, child.code_);
        return h ^ h >> 32;
    }

    void grow() {
        slots_.assign(std::max<size_t>(64, 2 * slots_.size()), kFree);
        for (uint32_t subtree = 0; subtree < size(); ++subtree) {
            size_t slot = hash(subtree) & (slots_.size() - 1);
            while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = subtree;
        }
    }

    std::vector<uint32_t> productions_;  // [subtrees]
    std::vector<size_t> starts_ = {0};   // [subtrees + 1] first child of each subtree in children_
    std::vector<Child> children_;        // children of all subtrees
    std::vector<uint32_t> slots_;        // hash table with open addressing; its size is a power of two
    std::vector<uint32_t> numbers_;      // [ranks] numbers of the subtrees of the tree being added
};

}  // namespace sapwood
