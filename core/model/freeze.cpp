#include "model/freeze.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/errors.hpp"

namespace sapwood {

namespace {

constexpr unsigned kSpareKeyBits = 17;  // an unknown feature passes for a known one once in 2^17 lookups

// One table's weights after training.
struct Collected {
    struct Key {
        uint64_t key;
        size_t first, end;  // of its outputs and weights
    };
    std::vector<Key> keys;  // ascending
    std::vector<uint32_t> outputs;
    std::vector<float> weights;
};

Collected collect(const WeightTable& table, double clock) {
    Collected found;
    table.each_weight(clock, [&](uint64_t key, uint32_t output, float w) {
        if (!std::isfinite(w))
            throw DataError("the weights have grown infinite; scale the features, or take smaller steps");
        const size_t at = found.outputs.size();
        if (found.keys.empty() || found.keys.back().key != key) found.keys.push_back({key, at, at});
        found.outputs.push_back(output);
        found.weights.push_back(w);
        found.keys.back().end = at + 1;
    });
    std::ranges::sort(found.keys, {}, &Collected::Key::key);
    return found;
}

// The fewest key bits, kSpareKeyBits more than the number of keys takes, that tell all keys apart.
unsigned key_bits(const std::vector<uint64_t>& keys) {
    auto bits = std::min<unsigned>(64, static_cast<unsigned>(std::bit_width(keys.size())) + kSpareKeyBits);
    for (size_t k = 1; k < keys.size(); ++k)
        bits = std::max(bits, static_cast<unsigned>(std::countl_zero(keys[k] ^ keys[k - 1])) + 1);
    return bits;
}

template <class W>
PlainTable<W> quantise(const Collected& from, uint64_t width, const std::vector<uint32_t>& output_of, double scale,
                       double least, std::vector<uint64_t>& full_keys) {
    PlainTable<W> table;
    table.width = width;
    for (const auto& [key, first, end] : from.keys) {
        const size_t before = table.outputs.size();
        for (size_t j = first; j < end; ++j) {
            if (std::abs(static_cast<double>(from.weights[j])) < least) continue;
            W w;
            if constexpr (std::is_floating_point_v<W>)
                w = from.weights[j];
            else
                w = static_cast<W>(std::nearbyint(static_cast<double>(from.weights[j]) / scale));
            if (w == 0) continue;
            table.outputs.push_back(output_of[from.outputs[j]]);
            table.values.push_back(w);
        }
        if (table.outputs.size() == before) continue;
        full_keys.push_back(key);
        table.sizes.push_back(static_cast<uint32_t>(table.outputs.size() - before));
    }
    table.key_bits = key_bits(full_keys);
    for (uint64_t key : full_keys) table.keys.push_back(key >> (64 - table.key_bits));
    return table;
}

}  // namespace

PackedModel freeze(const Learner& learner, const FreezeOptions& options, const std::vector<uint64_t>& widths,
                   const std::vector<std::vector<uint32_t>>& output_of) {
    const unsigned bits = options.bits;
    if (!is_width_of_weights(bits)) throw OptionError("weights have 8, 16 or 32 bits, not " + std::to_string(bits));
    PackedModel model;
    model.bits = bits;
    std::vector<Collected> tables;
    double largest = 0;
    for (size_t t = 0; t < learner.tables(); ++t) {
        tables.push_back(collect(learner.table(t), learner.averaging_clock()));
        model.features += tables[t].keys.size();
        model.weights += tables[t].weights.size();
        for (float w : tables[t].weights) largest = std::max(largest, std::abs(static_cast<double>(w)));
    }
    const double least = largest * options.shrink;
    if (bits != 32 && largest > 0) model.scale = largest / ((1 << (bits - 1)) - 1);
    model.full_keys.resize(tables.size());
    for (size_t t = 0; t < tables.size(); ++t) {
        with_weight_type(bits, [&](auto zero) {
            using W = decltype(zero);
            const double scale = bits == 32 ? 1 : model.scale;
            model.tables.push_back(
                pack(quantise<W>(tables[t], widths[t], output_of[t], scale, least, model.full_keys[t])));
        });
    }
    return model;
}

PackedModel freeze(const Learner& learner, const FreezeOptions& options) {
    std::vector<uint64_t> widths;
    std::vector<std::vector<uint32_t>> same;
    for (const WeightTable& table : learner.all_tables()) {
        widths.push_back(table.width());
        auto& outputs = same.emplace_back(table.width());
        std::iota(outputs.begin(), outputs.end(), 0);
    }
    return freeze(learner, options, widths, same);
}

}  // namespace sapwood
