// The tree kernel of Collins & Duffy (2002): how many fragments two trees have in common. A fragment is a node with
// all of its children, each of which may end there or go on in the same way; one of s productions counts lambda^s, the
// decay, for without it the large fragments, which only a tree and itself have in common, drown all others.
//
//     K(T1, T2) = sum over nodes n1 of T1, n2 of T2 of C(n1, n2)
//     C(n1, n2) = 0                                                  if their productions differ
//               = lambda                                             if they are the same, over a word
//               = lambda prod_k (1 + C(child k of n1, child k of n2))  if they are the same
//
// C is 0 for nearly all pairs of nodes. As Moschitti (2006) does, the nodes of a tree are kept sorted by production, and
// only nodes of equal productions are paired. Rows of a Gram matrix have one tree fixed; instead of merging two sorted
// lists, a table says for each production where the fixed tree has it, so that a tree to compare costs one look
// a node, none of which waits for another. Pairs are computed bottom-up: there is no recursion, and nothing needs to be
// cleared, since only what was computed is read. Tags need no pairs at all: an equal production over a word adds
// lambda times the product of how often each tree has it.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/productions.hpp"

namespace sapwood {

// A tree as the kernel wants it. Its nodes are those that are no tags; they have a number, in the order of their
// productions, and a rank, bottom-up, so that children come before their parents.
struct KernelTree {
    struct Group {  // the nodes of one production
        uint32_t production;
        uint32_t begin, end;   // numbers
        uint32_t first_child;  // of number `begin`; the children of the others follow
    };
    struct Node {
        uint32_t first_child, arity;
    };
    struct Child {
        uint32_t production;
        uint32_t number, rank;  // of a tag: 0 and the number of nodes
    };

    KernelTree(const PhraseTree& tree, Productions& table);

    std::vector<uint32_t> tags;         // [words] productions
    std::vector<uint32_t> productions;  // [nodes] by rank
    std::vector<Node> nodes;            // [nodes] by rank
    std::vector<Child> children;        // of all nodes, by number
    std::vector<Group> groups;          // by production
    uint32_t largest_production = 0;
};

class TreeKernel {
  public:
    using Item = KernelTree;

    // decay: lambda, above 0, up to 1.
    explicit TreeKernel(double decay) : decay_(decay) {}

    double decay() const { return decay_; }

    // K(T1, .) of a fixed tree. Scratch of one thread.
    class Row {
      public:
        explicit Row(const TreeKernel& kernel);

        void fix(const KernelTree& tree);  // which has to stay where it is until another one is
        double operator()(const KernelTree& tree);
        // K(T, T), T being fixed from now on.
        double self(const KernelTree& tree) {
            fix(tree);
            return (*this)(tree);
        }

      private:
        struct Match {
            uint32_t rank, group;
        };

        double decay_;
        const KernelTree* fixed_ = nullptr;
        std::vector<uint32_t> table_;  // [productions] of the fixed tree: 1 + the group; of tags how many
        std::vector<uint32_t> set_;    // productions that are not 0 in it
        std::vector<Match> matches_;   // nodes of the other tree with their groups of the fixed one
        // C(n1, n2) is values_[starts_[rank of n2] + number of n1].
        std::vector<size_t> starts_;  // [nodes of the other tree + 1] the last is of its tags
        std::vector<double> values_;  // C of a pair that differs, of tags that match, then of nodes that do
    };

  private:
    double decay_;
};

// The same number by Collins & Duffy's own algorithm, which fills a table of all pairs of nodes; what the kernel above is
// held against, in tests and benchmarks.
class AllPairsKernel {
  public:
    struct Item {
        Item(const PhraseTree& source, Productions& table);

        PhraseTree tree;
        std::vector<uint32_t> productions;  // [nodes]
    };

    explicit AllPairsKernel(double decay) : decay_(decay) {}

    class Row {
      public:
        explicit Row(const AllPairsKernel& kernel) : decay_(kernel.decay_) {}

        void fix(const Item& tree) { fixed_ = &tree; }
        double operator()(const Item& tree);

      private:
        double decay_;
        const Item* fixed_ = nullptr;
        std::vector<double> values_;  // C, [nodes of T1][nodes of T2]
    };

  private:
    double decay_;
};

}  // namespace sapwood
