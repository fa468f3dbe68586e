// The tree kernel of Collins & Duffy (2002): the number of fragments that two trees have in common. A fragment is a
// node with all of its children, each of which is either a leaf of the fragment or expanded in the same way. A fragment
// of s productions has the weight lambda^s. Without this decay, a tree's large fragments would make it similar to
// itself only.
//
//     K(T1, T2) = sum over nodes n1 of T1, n2 of T2 of C(n1, n2)
//     C(n1, n2) = 0                                                  if their productions differ
//               = lambda                                             if they are the same, over a word
//               = lambda prod_k (1 + C(child k of n1, child k of n2))  if they are the same
//
// C is 0 for nearly all pairs of nodes. As in Moschitti (2006), the nodes of a tree are sorted by production, and only
// nodes with equal productions are paired. In a row of a Gram matrix one tree is fixed. Instead of merging two sorted
// lists, a table gives for each production its nodes in the fixed tree, so that comparing a tree takes one independent
// look-up per node. Pairs are computed bottom-up, without recursion, and only values that were computed are read, so
// nothing needs to be cleared. Tags need no pairs: a production over a word adds lambda times the product of its
// frequencies in the two trees.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/gram.hpp"
#include "kernel/productions.hpp"

namespace sapwood {

// A tree prepared for the kernel. Its nodes are the categories, without tags. Each node has a number, in the order of
// the productions, and a rank, in an order that puts children before their parents.
struct KernelTree {
    struct Group {  // the nodes of one production
        uint32_t production;
        uint32_t begin, end;   // the nodes with numbers from begin to end - 1
        uint32_t first_child;  // first child of node `begin`; the children of the other nodes follow
    };
    struct Node {
        uint32_t first_child, arity;
    };
    struct Child {
        uint32_t production;
        uint32_t number, rank;  // for a tag: 0 and the total number of nodes
    };

    KernelTree(const PhraseTree& tree, Productions& table);

    std::vector<uint32_t> tags;         // [words] productions of the tags
    std::vector<uint32_t> productions;  // [nodes] by rank
    std::vector<Node> nodes;            // [nodes] by rank
    std::vector<Child> children;        // children of all nodes, by the number of the parent
    std::vector<Group> groups;          // in the order of their productions
    uint32_t largest_production = 0;
};

class TreeKernel {
  public:
    using Item = KernelTree;

    // `decay` is lambda, with 0 < lambda <= 1.
    explicit TreeKernel(double decay) : decay_(decay) {}

    double decay() const { return decay_; }
    std::string advice() const { return lower_decay(decay_); }

    // Computes K(T1, .) for a fixed tree T1. Each thread needs its own Row.
    class Row {
      public:
        explicit Row(const TreeKernel& kernel);

        void fix(const KernelTree& tree);  // keeps a pointer to the tree until the next call
        double operator()(const KernelTree& tree);
        // Fixes a tree T and returns K(T, T).
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
        std::vector<uint32_t> table_;  // [productions] in the fixed tree: 1 + the group, or the number of such tags
        std::vector<uint32_t> set_;    // productions whose entry in table_ is not 0
        std::vector<Match> matches_;   // nodes of the other tree whose production has a group in the fixed tree
        // C(n1, n2) is values_[starts_[rank of n2] + number of n1].
        std::vector<size_t> starts_;  // [nodes of the other tree + 1] the last entry is for tags
        std::vector<double> values_;  // C of different productions, of equal tags, then of matching pairs of nodes
    };

  private:
    double decay_;
};

// The same kernel by Collins & Duffy's algorithm, which fills a table of all pairs of nodes. Tests and benchmarks
// compare the kernel above with it.
class AllPairsKernel {
  public:
    struct Item {
        Item(const PhraseTree& source, Productions& table);

        PhraseTree tree;
        std::vector<uint32_t> productions;  // [nodes]
    };

    explicit AllPairsKernel(double decay) : decay_(decay) {}

    std::string advice() const { return lower_decay(decay_); }

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
