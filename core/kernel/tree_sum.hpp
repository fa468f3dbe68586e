// A weighted sum of tree kernels, score(T) = sum_j alpha_j K(T_j, T), as a perceptron in dual form has it.
//
// K is a sum over the nodes of T_j, and what a node adds depends on the subtree under it alone. So subtrees are
// numbered, equal ones of all T_j are one, and their alphas are added up to a weight w (Aiolli, Da San Martino, Sperduti
// & Moschitti 2007, "Efficient kernel-based learning for trees"):
//
//     score(T) = sum over nodes n of T of f(n),   f(n) = sum over subtrees s with n's production of w(s) C(s, n)
//
// What a gold tree and a wrong one of the same sentence share, which is most of them, cancels: a subtree whose weight is
// 0 is not looked at, except below others. In the same way the trees to score share their subtrees with one another,
// and f of each is computed once a list.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/subtrees.hpp"
#include "kernel/tree_kernel.hpp"

namespace sapwood {

class TreeSum {
  public:
    class Workspace {
      public:
        explicit Workspace(const TreeSum& sum) : row_(sum.kernel_) {}

      private:
        friend class TreeSum;
        struct Pair {
            uint32_t s, n;   // subtrees of the sum and of the list
            uint32_t child;  // the next to look at
            double c;
        };
        Subtrees subtrees_;           // of the list
        std::vector<double> values_;  // [subtrees] f
        std::vector<Pair> open_;      // pairs whose C is being computed, each below the one before
        TreeKernel::Row row_;
    };

    // normalise: of K(T1, T2) / sqrt(K(T1, T1) K(T2, T2)); then alphas of the same size no longer cancel.
    TreeSum(TreeKernel kernel, bool normalise) : kernel_(kernel), normalise_(normalise), row_(kernel) {}

    void add(const KernelTree& tree, double alpha);

    // scores [trees]. Several threads may score, each with a workspace of its own.
    void score(std::span<const KernelTree> trees, Workspace& workspace, double* scores) const;

    // Subtrees whose weight is not 0, without tags.
    size_t size() const;

  private:
    struct Group {  // the subtrees of one production whose weight is not 0
        std::vector<uint32_t> subtrees;
        std::vector<double> weights;        // [subtrees]
        std::vector<uint32_t> productions;  // [subtrees][arity] of their children
    };

    static constexpr uint32_t kNone = UINT32_MAX;

    void add(uint32_t subtree, double alpha);
    double value(uint32_t n, Workspace& workspace) const;
    double common(uint32_t s, uint32_t n, Workspace& workspace) const;

    TreeKernel kernel_;
    bool normalise_;
    TreeKernel::Row row_;
    Subtrees subtrees_;
    std::vector<uint32_t> places_;  // [subtrees] in their groups, or kNone
    std::vector<Group> groups_;
    std::vector<uint32_t> group_of_;   // [productions], or kNone
    std::vector<double> tag_weights_;  // [productions] w of a tag with its word
};

}  // namespace sapwood
