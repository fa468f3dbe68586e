// What a reranker in dual form has learned, and the scores that it gives (Freund & Schapire 1999; Collins & Duffy 2002).
//
//     G(x) = base(x) + sum over j of alpha_j K(x_j, x)
//
// alpha_j says how often candidate j was to score higher, less how often it was to score lower; those for which it is 0
// are not kept. A voted model keeps the updates instead, and every vector votes (dual_weights.hpp).
#pragma once
#include <memory>
#include <vector>

#include "learner/dual_weights.hpp"
#include "ranking/kernel_items.hpp"

namespace sapwood {

class DualScorer {
  public:
    // weights.support counts, not which they are: support has just these items.
    // Throws DataError if the weights are not those of so many items, or not in order.
    DualScorer(std::shared_ptr<const KernelItems> support, DualWeights weights);

    // scores [candidates] of lists, starts [lists + 1], given what the base model adds to each, bases [candidates]:
    // G, or, of a voted model, the part of the votes. Throws DataError.
    std::vector<double> scores(const KernelItems& candidates, const std::vector<size_t>& starts,
                               const std::vector<double>& bases, size_t threads) const;

    // The kernel of a candidate with each of the support, [support].
    std::vector<double> kernels(const KernelItems& candidates, size_t candidate) const;

  private:
    std::shared_ptr<const KernelItems> support_;
    DualWeights weights_;
    std::unique_ptr<KernelSum> sum_;  // or nullptr
};

}  // namespace sapwood
