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

// One table's weights after training, by ascending full key.
struct Collected {
    std::vector<uint64_t> keys;
    std::vector<size_t> first;  // [keys + 1]
    std::vector<uint32_t> outputs;
    std::vector<float> weights;
};

Collected collect(const WeightTable& table, double clock) {
    Collected raw;
    table.each_weight(clock, [&](uint64_t key, uint32_t output, float w) {
        if (!std::isfinite(w))
            throw DataError("the weights have grown infinite; scale the features, or take smaller steps");
        if (raw.keys.empty() || raw.keys.back() != key) {
            raw.keys.push_back(key);
            raw.first.push_back(raw.outputs.size());
        }
        raw.outputs.push_back(output);
        raw.weights.push_back(w);
    });
    raw.first.push_back(raw.outputs.size());

    std::vector<uint32_t> order(raw.keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return raw.keys[a] < raw.keys[b]; });
    Collected sorted;
    for (uint32_t k : order) {
        sorted.keys.push_back(raw.keys[k]);
        sorted.first.push_back(sorted.outputs.size());
        for (size_t j = raw.first[k]; j < raw.first[k + 1]; ++j) {
            sorted.outputs.push_back(raw.outputs[j]);
            sorted.weights.push_back(raw.weights[j]);
        }
    }
    sorted.first.push_back(sorted.outputs.size());
    return sorted;
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
    for (size_t k = 0; k < from.keys.size(); ++k) {
        const size_t before = table.outputs.size();
        for (size_t j = from.first[k]; j < from.first[k + 1]; ++j) {
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
        full_keys.push_back(from.keys[k]);
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
    if (bits != 8 && bits != 16 && bits != 32)
        throw OptionError("weights have 8, 16 or 32 bits, not " + std::to_string(bits));
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
        auto& keys = model.full_keys[t];
        switch (bits) {
            case 8:
                model.tables.push_back(
                    pack(quantise<int8_t>(tables[t], widths[t], output_of[t], model.scale, least, keys)));
                break;
            case 16:
                model.tables.push_back(
                    pack(quantise<int16_t>(tables[t], widths[t], output_of[t], model.scale, least, keys)));
                break;
            default:
                model.tables.push_back(pack(quantise<float>(tables[t], widths[t], output_of[t], 1, least, keys)));
        }
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
