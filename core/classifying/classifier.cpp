#include "classifying/classifier.hpp"

#include <cmath>

#include "base/errors.hpp"

namespace sapwood {

namespace {

template <class W>
std::vector<FrozenTable<W>> build(const std::vector<PackedTable>& packed, size_t width) {
    if (packed.size() != 1) throw ModelError("a classifier has one table");
    const PlainTable<W> table = unpack<W>(packed[0]);
    if (table.width != width) throw ModelError("the table's width does not fit the labels");
    std::vector<FrozenTable<W>> tables;
    tables.emplace_back(table);
    return tables;
}

}  // namespace

Classifier::Classifier(size_t labels, const std::vector<PackedTable>& tables, unsigned bits, double scale)
    : spec_{labels}, scale_(scale) {
    if (labels == 0) throw ModelError("a classifier has labels");
    if (!std::isfinite(scale) || scale <= 0)
        throw ModelError("the scale of the weights is not a positive number");
    if (bits == 8)
        tables_ = build<int8_t>(tables, spec_.outputs());
    else if (bits == 16)
        tables_ = build<int16_t>(tables, spec_.outputs());
    else
        tables_ = build<float>(tables, spec_.outputs());
}

void Classifier::score(const FeatureRows& rows, size_t row, Workspace& workspace, double* scores) const {
    const size_t begin = rows.begin(row), n = rows.end(row) - begin;
    workspace.rows.resize(n);
    const auto to_labels = [&](auto& sums) {
        spec_.expand_binary(sums.data());
        for (size_t y = 0; y < spec_.labels; ++y) scores[y] = static_cast<double>(sums[y]) * scale_;
    };
    std::visit(
        [&](const auto& tables) {
            const auto& table = tables[0];
            table.find_rows(rows.keys().data() + begin, n, workspace.rows.data());
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
        },
        tables_);
}

std::vector<Weight> Classifier::weights() const {
    return std::visit([&](const auto& tables) { return all_weights(tables, scale_); }, tables_);
}

std::vector<double> Classifier::weights_of(const std::vector<uint64_t>& keys) const {
    std::vector<double> weights(keys.size() * spec_.outputs());
    std::visit(
        [&](const auto& tables) {
            for (size_t k = 0; k < keys.size(); ++k)
                tables[0].each(tables[0].find(keys[k]), [&](uint32_t output, auto w) {
                    weights[k * spec_.outputs() + output] = static_cast<double>(w) * scale_;
                });
        },
        tables_);
    return weights;
}

double Classifier::gather(size_t count, size_t at_a_time, uint64_t seed) const {
    return std::visit([&](const auto& tables) { return tables[0].gather(count, at_a_time, seed); }, tables_);
}

size_t Classifier::bytes() const {
    return std::visit([](const auto& tables) { return tables[0].bytes(); }, tables_);
}

}  // namespace sapwood
