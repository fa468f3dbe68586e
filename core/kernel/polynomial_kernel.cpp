#include "kernel/polynomial_kernel.hpp"

#include <algorithm>
#include <utility>

#include "base/stop_check.hpp"

namespace sapwood {

SortedRows::SortedRows(const FeatureRows& rows) {
    std::vector<std::pair<uint64_t, double>> row;
    for (size_t r = 0; r < rows.size(); ++r) {
        row.clear();
        for (size_t k = rows.begin(r); k < rows.end(r); ++k)
            row.emplace_back(rows.keys()[k], rows.binary() ? 1.0 : static_cast<double>(rows.values()[k]));
        std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [key, value] : row) {
            if (keys_.size() > starts_.back() && keys_.back() == key) {
                values_.back() += value;
            } else {
                keys_.push_back(key);
                values_.push_back(value);
            }
        }
        starts_.push_back(keys_.size());
    }
}

double PolynomialKernel::Row::operator()(const Item& y) const {
    const Item& x = fixed_;
    double dot = 0;
    StopCheck::every(0, x.keys.size() + y.keys.size());
    for (size_t i = 0, j = 0; i < x.keys.size() && j < y.keys.size();) {
        const uint64_t p = x.keys[i], q = y.keys[j];
        if (p == q) dot += x.values[i] * y.values[j];
        i += p <= q;
        j += q <= p;
    }
    return kernel_.of_product(dot);
}

}  // namespace sapwood
