// What a reranker in dual form has learned, and the scores that it gives (Freund & Schapire 1999; Collins & Duffy 2002).
//
//     G(x) = base(x) + sum over j of alpha_j K(x_j, x)
//
// alpha_j says how often candidate j was to score higher, less how often it was to score lower; those for which it is 0
// are not kept. A voted model keeps the updates instead: every vector that training went through votes for the
// candidate that it scores highest, as often as there were lists for which it stood.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "tasks/kernel_items.hpp"

namespace sapwood {

struct DualUpdate {
    uint32_t oracle, guess;  // candidates
    double step;             // what is added to the oracle's alpha and subtracted from the guess's
    uint64_t clock;          // lists that were seen before
};

struct DualWeights {
    bool voted = false;
    std::vector<uint32_t> support;    // candidates, ascending
    std::vector<double> alphas;       // [support]; none if voted
    std::vector<DualUpdate> updates;  // of a voted model, in their order; candidates are places in `support`
    uint64_t clock = 0;               // lists that were seen
};

class DualScorer {
  public:
    // weights.support counts, not which they are: support has just these items.
    // Throws DataError if the weights are not those of so many items, or not in order.
    DualScorer(std::shared_ptr<const KernelItems> support, DualWeights weights);

    // scores [candidates] of lists, starts [lists + 1], given what the base model adds to each, bases [candidates]:
    // G, or, of a voted model, the part of the votes. Throws DataError.
    std::vector<double> scores(const KernelItems& candidates, const std::vector<size_t>& starts,
                               const std::vector<double>& bases, size_t threads) const;

  private:
    void vote(const std::vector<double>& kernels, std::vector<double>& scores, double* votes) const;

    std::shared_ptr<const KernelItems> support_;
    DualWeights weights_;
    std::unique_ptr<KernelSum> sum_;  // or nullptr
};

}  // namespace sapwood
