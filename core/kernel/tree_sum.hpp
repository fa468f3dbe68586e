// The score of a perceptron in dual form, a weighted sum of tree kernels: score(T) = sum_j alpha_j K(T_j, T).
//
// K is a sum over the nodes of T_j, and the term of a node depends only on the subtree below it. So equal subtrees of
// all T_j are stored once, with the sum w of their alphas (Aiolli, Da San Martino, Sperduti & Moschitti 2007,
// "Efficient kernel-based learning for trees"):
//
//     score(T) = sum over nodes n of T of f(n),   f(n) = sum over subtrees s with n's production of w(s) C(s, n)
//
// A gold tree and a wrong tree of the same sentence share most of their subtrees, and the weights of these cancel. A
// subtree of weight 0 is skipped, unless it lies below another one. The trees to be scored also share subtrees, and f
// of each subtree is computed once per list.
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
            uint32_t s, n;   // a subtree of the sum and a subtree of the list
            uint32_t child;  // the next child to compare
            double c;
        };
        Subtrees subtrees_;           // subtrees of the list
        std::vector<double> values_;  // [subtrees] f
        std::vector<Pair> open_;      // stack of the pairs whose C is being computed
        TreeKernel::Row row_;
    };

    // With `normalise`, K is divided by sqrt(K(T1, T1) K(T2, T2)). Alphas of equal size then no longer cancel.
    TreeSum(TreeKernel kernel, bool normalise) : kernel_(kernel), normalise_(normalise), row_(kernel) {}

    void add(const KernelTree& tree, double alpha);

    // Writes the score of each tree. Threads may call this at the same time, each with its own workspace.
    void score(std::span<const KernelTree> trees, Workspace& workspace, double* scores) const;

    // The number of subtrees whose weight is not 0, not counting tags.
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
    std::vector<uint32_t> places_;  // [subtrees] index in the group, or kNone
    std::vector<Group> groups_;
    std::vector<uint32_t> group_of_;   // [productions] group, or kNone
    std::vector<double> tag_weights_;  // [productions] weight of a tag with its word
};

}  // namespace sapwood
