// A classifier in which every vector of training votes (Freund & Schapire 1999): the examples of the updates are kept, and
// a vector's score of label y is the sum of its updates' dot products with x, for those that were for or against y.
#pragma once
#include <span>
#include <vector>

#include "features/feature_rows.hpp"
#include "kernel/row_index.hpp"
#include "learner/dual_weights.hpp"

namespace sapwood {

class VotedClassifier {
  public:
    // support: the examples; candidates of the weights are example * labels + label. Throws DataError if they do not fit.
    VotedClassifier(size_t labels, const FeatureRows& support, DualWeights weights);

    struct Workspace {
        std::vector<double> values, products, scores;
        size_t known = 1;  // features of a row; all count
    };

    // votes: [labels] each label's part of them
    void score(const FeatureRows& rows, size_t row, Workspace& workspace, double* votes,
               std::span<const uint64_t> of_all = {}) const;

  private:
    size_t labels_, support_;
    RowIndex index_;
    DualWeights weights_;
};

}  // namespace sapwood
