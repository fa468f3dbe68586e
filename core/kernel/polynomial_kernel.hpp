// The polynomial kernel (x . y + c)^p of sparse vectors. It compares vectors by all conjunctions of up to p features
// without constructing the conjunctions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features/feature_rows.hpp"

namespace sapwood {

// Rows of features sorted by key. If a row has a key more than once, the values are added up.
class SortedRows {
  public:
    struct Row {
        std::span<const uint64_t> keys;  // ascending
        std::span<const double> values;  // [keys]
    };

    explicit SortedRows(const FeatureRows& rows);

    size_t size() const { return starts_.size() - 1; }
    size_t features() const { return keys_.size(); }  // total over all rows
    Row operator[](size_t row) const {
        const size_t begin = starts_[row], count = starts_[row + 1] - begin;
        return {{keys_.data() + begin, count}, {values_.data() + begin, count}};
    }

  private:
    std::vector<size_t> starts_ = {0};  // [rows + 1]
    std::vector<uint64_t> keys_;        // [features]
    std::vector<double> values_;        // [features]
};

class PolynomialKernel {
  public:
    using Item = SortedRows::Row;

    // `degree` is p, at least 1; `coef0` is c, at least 0.
    PolynomialKernel(size_t degree, double coef0) : degree_(degree), coef0_(coef0) {}

    std::string advice() const { return "lower its degree, or scale the features"; }

    // K(x, y) given x . y.
    double of_product(double dot) const {
        double power = 1, square = dot + coef0_;
        for (size_t rest = degree_; rest > 0; rest /= 2, square *= square)
            if (rest % 2 == 1) power *= square;
        return power;
    }

    // Computes K(x, .) for a fixed row x.
    class Row {
      public:
        explicit Row(const PolynomialKernel& kernel) : kernel_(kernel) {}

        void fix(const Item& x) { fixed_ = x; }
        double operator()(const Item& y) const;

      private:
        const PolynomialKernel& kernel_;
        Item fixed_;
    };

  private:
    size_t degree_;
    double coef0_;
};

}  // namespace sapwood
