#include "classifying/classifier.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"

namespace sapwood {

namespace {

ClassSpec spec_of(size_t labels, bool several) {
    if (labels == 0) throw ModelError("a classifier has labels");
    return {labels, several};
}

}  // namespace

Classifier::Classifier(size_t labels, const std::vector<PackedTable>& tables, unsigned bits, double scale)
    : spec_(spec_of(labels, false)), model_(tables, bits, scale, {spec_.outputs()}) {}

Classifier::Classifier(std::vector<double> thresholds, const std::vector<PackedTable>& tables, unsigned bits,
                       double scale)
    : spec_(spec_of(thresholds.size(), true)),
      model_(tables, bits, scale, {spec_.outputs()}),
      thresholds_(std::move(thresholds)) {
    for (double threshold : thresholds_)
        if (!std::isfinite(threshold)) throw ModelError("a threshold of its labels is not finite");
}

void Classifier::score(const FeatureRows& rows, size_t row, Workspace& workspace, double* scores,
                       std::span<const uint64_t> of_all) const {
    const size_t begin = rows.begin(row), n = rows.end(row) - begin;
    workspace.rows.resize(n);
    const auto to_labels = [&](auto& sums) {
        spec_.expand_binary(sums.data());
        for (size_t y = 0; y < spec_.labels; ++y) scores[y] = static_cast<double>(sums[y]) * model_.scale();
        for (size_t y = 0; y < thresholds_.size(); ++y) scores[y] -= thresholds_[y];
    };
    model_.with_tables([&](const auto& tables) {
        const auto& table = tables[0];
        table.find_rows(rows.keys().data() + begin, n, workspace.rows.data());
        workspace.known = static_cast<size_t>(std::ranges::count_if(workspace.rows, [](uint32_t r) { return r != 0; }));
        for (size_t k = 0; workspace.known <= of_all.size() && k < n; ++k)
            if (workspace.rows[k] != 0 && std::ranges::find(of_all, rows.keys()[begin + k]) != of_all.end())
                --workspace.known;
        workspace.scores.resize(padded(spec_.labels));
        if (!rows.binary()) {
            table.score(workspace.rows.data(), rows.values().data() + begin, n, workspace.scores.data());
            return to_labels(workspace.scores);
        }
        using Score = typename std::decay_t<decltype(table)>::Score;
        if constexpr (std::is_same_v<Score, float>) {
            table.score(workspace.rows.data(), n, workspace.scores.data());
            to_labels(workspace.scores);
        } else {
            workspace.exact.resize(padded(spec_.labels));
            table.score(workspace.rows.data(), n, workspace.exact.data());
            to_labels(workspace.exact);
        }
    });
}

std::vector<double> Classifier::weights_of(const std::vector<uint64_t>& keys) const {
    std::vector<double> weights(keys.size() * spec_.outputs());
    model_.with_tables([&](const auto& tables) {
        for (size_t k = 0; k < keys.size(); ++k)
            tables[0].each(tables[0].find(keys[k]), [&](uint32_t output, auto w) {
                weights[k * spec_.outputs() + output] = static_cast<double>(w) * model_.scale();
            });
    });
    return weights;
}

}  // namespace sapwood
