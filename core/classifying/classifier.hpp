// A frozen classifier: rows of features in, scores of labels out. Immutable and shared; what a call needs is in its
// workspace. One whose examples have any of the labels has a threshold for each; scores are counted from it, so that
// an example has the labels with scores above 0.
#pragma once
#include <span>
#include <vector>

#include "classifying/class_spec.hpp"
#include "features/feature_rows.hpp"
#include "model/frozen_model.hpp"

namespace sapwood {

class Classifier {
  public:
    // Throws ModelError if the table does not fit the labels; `bits` and `scale` as in PackedModel.
    Classifier(size_t labels, const std::vector<PackedTable>& tables, unsigned bits, double scale);
    // Of examples that have any of the labels; thresholds: [labels], finite.
    Classifier(std::vector<double> thresholds, const std::vector<PackedTable>& tables, unsigned bits, double scale);

    bool several() const { return spec_.several; }
    const std::vector<double>& thresholds() const { return thresholds_; }  // [labels], or empty

    struct Workspace {
        std::vector<uint32_t> rows;
        AlignedVector<float> scores;
        AlignedVector<int32_t> exact;
        size_t known = 0;  // features of the row that the model has; `of_all` are not counted
    };

    // scores: [labels]. `of_all`: features that all examples have.
    void score(const FeatureRows& rows, size_t row, Workspace& workspace, double* scores,
               std::span<const uint64_t> of_all = {}) const;

    const FrozenModel& model() const { return model_; }

    // The weights of some features by key: [keys][outputs].
    std::vector<double> weights_of(const std::vector<uint64_t>& keys) const;

  private:
    ClassSpec spec_;
    FrozenModel model_;               // one table
    std::vector<double> thresholds_;  // [labels], or empty
};

}  // namespace sapwood
