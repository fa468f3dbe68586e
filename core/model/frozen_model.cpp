#include "model/frozen_model.hpp"

#include <cmath>
#include <string>

#include "base/errors.hpp"

namespace sapwood {

namespace {

template <class W>
std::vector<FrozenTable<W>> unpack_all(const std::vector<PackedTable>& packed, const std::vector<size_t>& widths,
                                       const FrozenModel::Layout& layout) {
    std::vector<FrozenTable<W>> tables;
    for (size_t t = 0; t < packed.size(); ++t) {
        PlainTable<W> table = unpack<W>(packed[t]);
        if (table.width != widths[t]) throw ModelError("a table's width does not fit the labels");
        if (layout.place) {
            layout.place(t, table.outputs);
            table.width = layout.width(t);
        }
        tables.emplace_back(table);
    }
    return tables;
}

}  // namespace

FrozenModel::FrozenModel(const std::vector<PackedTable>& tables, unsigned bits, double scale,
                         const std::vector<size_t>& widths, const Layout& layout)
    : scale_(scale) {
    if (tables.size() != widths.size()) throw ModelError("the model has the wrong number of tables for its search");
    if (!(scale > 0) || !std::isfinite(scale)) throw ModelError("the scale is not a positive number");
    if (!is_width_of_weights(bits))
        throw ModelError("the weights have " + std::to_string(bits) + " bits, not 8, 16 or 32");
    with_weight_type(bits, [&](auto zero) { tables_ = unpack_all<decltype(zero)>(tables, widths, layout); });
}

std::vector<Weight> FrozenModel::weights() const {
    std::vector<Weight> all;
    with_tables([&]<class W>(const Tables<W>& tables) {
        for (size_t t = 0; t < tables.size(); ++t)
            for (size_t f = 0; f < tables[t].features(); ++f)
                tables[t].each(tables[t].row(f), [&](uint32_t output, W w) {
                    all.push_back({t, f, output, static_cast<double>(w) * scale_});
                });
    });
    return all;
}

}  // namespace sapwood
