// A frozen classifier: rows of features in, scores of labels out. Immutable and shared; what a call needs is in its
// workspace.
#pragma once
#include <variant>
#include <vector>

#include "classifying/class_spec.hpp"
#include "features/feature_rows.hpp"
#include "model/frozen_table.hpp"

namespace sapwood {

class Classifier {
  public:
    // Throws ModelError if the table does not fit the labels; `bits` and `scale` as in PackedModel.
    Classifier(size_t labels, const std::vector<PackedTable>& tables, unsigned bits, double scale);

    struct Workspace {
        std::vector<uint32_t> rows;
        AlignedVector<float> scores;
        AlignedVector<int32_t> exact;
    };

    // scores: [labels]
    void score(const FeatureRows& rows, size_t row, Workspace& workspace, double* scores) const;

    size_t labels() const { return spec_.labels; }
    std::vector<Weight> weights() const;  // all that are not zero

    // The weights of some features by key: [keys][outputs].
    std::vector<double> weights_of(const std::vector<uint64_t>& keys) const;
    size_t outputs() const { return spec_.outputs(); }

    // Adds up `count` pseudo-random rows, as scoring does: the machine's own limit, for benchmarks.
    double gather(size_t count, size_t at_a_time, uint64_t seed) const;
    size_t bytes() const;

  private:
    template <class W>
    using Tables = std::vector<FrozenTable<W>>;  // one

    ClassSpec spec_;
    double scale_;
    std::variant<Tables<int8_t>, Tables<int16_t>, Tables<float>> tables_;
};

}  // namespace sapwood
