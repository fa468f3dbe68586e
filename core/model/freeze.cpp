#include "model/freeze.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/errors.hpp"
#include "base/long_sort.hpp"
#include "base/stop_check.hpp"
#include "model/freeze_options.hpp"
#include "model/levels.hpp"

namespace sapwood {

namespace {

// In exact models, whose weights are floats, an unknown feature is mistaken for a known one once in 2^17 to 2^18 look-ups.
constexpr unsigned kExactSpareBits = 17;

// One table's weights after training.
struct Collected {
    struct Key {
        uint64_t key;
        uint32_t updates;   // that it took part in
        size_t first, end;  // of its outputs and weights
    };
    std::vector<Key> keys;  // ascending
    std::vector<uint32_t> outputs;
    std::vector<float> weights;
    unsigned key_bits = 64;                            // that counted in training
    uint64_t features_before = 0, weights_before = 0;  // before any was dropped
    double largest = 0;                                // weight

    // Drops weights smaller than `least`, and what else the options say.
    void drop(double least, const FreezeOptions& options) {
        if (least == 0 && options.min_updates == 0) return;
        std::erase_if(keys, [&](Key& key) {
            StopCheck::after(key.end - key.first);
            double norm = 0;
            size_t kept = key.first;
            for (size_t j = key.first; j < key.end; ++j) {
                const double w = std::abs(static_cast<double>(weights[j]));
                if (w < least) continue;
                norm += w * w;
                outputs[kept] = outputs[j];
                weights[kept++] = weights[j];
            }
            key.end = kept;
            return kept == key.first || key.updates < options.min_updates ||
                   norm < least * options.group * least * options.group;
        });
    }

    // w <- max(0, 1 - lambda / |w|) w, for the weights w of each feature.
    void pull(double lambda) {
        if (lambda == 0) return;
        largest = 0;
        std::erase_if(keys, [&](const Key& key) {
            StopCheck::after(key.end - key.first);
            double squares = 0;
            for (size_t j = key.first; j < key.end; ++j) {
                const auto w = static_cast<double>(weights[j]);
                squares += w * w;
            }
            const double kept = 1 - lambda / std::sqrt(squares);
            if (kept <= 0) return true;
            for (size_t j = key.first; j < key.end; ++j) {
                weights[j] = static_cast<float>(kept * static_cast<double>(weights[j]));
                largest = std::max(largest, std::abs(static_cast<double>(weights[j])));
            }
            return false;
        });
    }
};

std::vector<Collected> collect(const Learner& learner, const FreezeOptions& options) {
    std::vector<Collected> tables;
    for (const WeightTable& table : learner.all_tables()) {
        Collected& found = tables.emplace_back();
        found.key_bits = table.key_bits();
        table.each_weight(learner.averaging_clock(), [&](uint64_t key, uint32_t updates, uint32_t output, float w) {
            if (!std::isfinite(w))
                throw DataError("the weights have grown infinite; scale the features, or take smaller steps");
            if (table.is_closed() && w == WeightTable::kBeginning) return;  // it has learned nothing
            found.largest = std::max(found.largest, std::abs(static_cast<double>(w)));
            ++found.weights_before;
            const size_t at = found.outputs.size();
            if (found.keys.empty() || found.keys.back().key != key) found.keys.push_back({key, updates, at, at});
            found.outputs.push_back(output);
            found.weights.push_back(w);
            found.keys.back().end = at + 1;
        });
        found.features_before = found.keys.size();
        long_sort(found.keys, [](const Collected::Key& a, const Collected::Key& b) { return a.key < b.key; });
    }
    double largest = 0;
    for (const Collected& table : tables) largest = std::max(largest, table.largest);
    for (Collected& table : tables) {
        table.drop(largest * options.shrink, options);
        table.pull(largest * options.group_l1);
    }
    return tables;
}

// How many bits more than the number of keys has a key needs, so that looking up an unknown feature finds a known one with at
// most this probability.
unsigned spare_bits(double false_matches) {
    return static_cast<unsigned>(std::ceil(-std::log2(false_matches)));
}

// `most`: of the bits of a key, those that counted in training.
unsigned bits_for_keys(size_t keys, unsigned spare, unsigned most) {
    return std::min(most, static_cast<unsigned>(std::bit_width(keys)) + spare);
}

// Keys of exact models have kExactSpareBits more bits than the number of keys, or more if keys would otherwise be equal.
unsigned exact_key_bits(const std::vector<uint64_t>& keys, unsigned most) {
    unsigned bits = bits_for_keys(keys.size(), kExactSpareBits, most);
    for (size_t k = 1; k < keys.size(); ++k)
        bits = std::max(bits, static_cast<unsigned>(std::countl_zero(keys[k] ^ keys[k - 1])) + 1);
    return bits;
}

// Makes all keys differ in their first `bits` bits: of features whose keys do not, only the one with the largest weights
// is kept.
template <class W>
void drop_equal_keys(PlainTable<W>& table, std::vector<uint64_t>& full_keys, unsigned bits) {
    const auto same = [&](size_t a, size_t b) { return (full_keys[a] ^ full_keys[b]) >> (64 - bits) == 0; };
    size_t keys = 0, weights = 0, end = 0;
    double heaviest = 0;  // sum of the last kept feature's weights
    for (size_t k = 0; k < full_keys.size(); ++k) {
        StopCheck::every(k);
        const size_t first = end;
        end += table.sizes[k];
        double sum = 0;
        for (size_t j = first; j < end; ++j) sum += std::abs(static_cast<double>(table.values[j]));
        if (keys > 0 && same(keys - 1, k)) {
            if (sum <= heaviest) continue;
            weights -= table.sizes[--keys];
        }
        heaviest = sum;
        for (size_t j = first; j < end; ++j, ++weights) {
            table.outputs[weights] = table.outputs[j];
            table.values[weights] = table.values[j];
        }
        full_keys[keys] = full_keys[k];
        table.sizes[keys++] = table.sizes[k];
    }
    full_keys.resize(keys);
    table.sizes.resize(keys);
    table.outputs.resize(weights);
    table.values.resize(weights);
}

// The nearest integer to a weight in units of `scale`.
template <class W>
W rounded(float weight, double scale) {
    return static_cast<W>(std::nearbyint(static_cast<double>(weight) / scale));
}

// [weights] the level of each weight, 0 for weights that are rounded to 0.
std::vector<int8_t> levels_of(const Collected& from, double scale, double bit_price) {
    RealWeights real;
    std::vector<size_t> places;
    for (const auto& [key, updates, first, end] : from.keys) {
        const size_t before = places.size();
        StopCheck::after(end - first);
        for (size_t j = first; j < end; ++j) {
            if (rounded<int8_t>(from.weights[j], scale) == 0) continue;
            real.weights.push_back(static_cast<float>(static_cast<double>(from.weights[j]) / scale));
            places.push_back(j);
        }
        if (places.size() == before) continue;
        real.sizes.push_back(static_cast<uint32_t>(places.size() - before));
        real.updates.push_back(updates);
    }
    const std::vector<int8_t> levels = to_levels(real, bit_price);
    std::vector<int8_t> all(from.weights.size());
    for (size_t k = 0; k < places.size(); ++k) all[places[k]] = levels[k];
    return all;
}

template <class W>
PlainTable<W> quantise(const Collected& from, uint64_t width, const std::vector<uint32_t>& output_of, double scale,
                       double bit_price, double false_matches, std::vector<uint64_t>& full_keys) {
    PlainTable<W> table;
    std::vector<int8_t> levels;
    if (bit_price > 0) levels = levels_of(from, scale, bit_price);
    table.width = width;
    for (const auto& [key, updates, first, end] : from.keys) {
        const size_t before = table.outputs.size();
        StopCheck::after(end - first);
        for (size_t j = first; j < end; ++j) {
            W w;
            if constexpr (std::is_floating_point_v<W>)
                w = from.weights[j];
            else
                w = bit_price > 0 ? static_cast<W>(levels[j]) : rounded<W>(from.weights[j], scale);
            if (w == 0) continue;
            table.outputs.push_back(output_of[from.outputs[j]]);
            table.values.push_back(w);
        }
        if (table.outputs.size() == before) continue;
        full_keys.push_back(key);
        table.sizes.push_back(static_cast<uint32_t>(table.outputs.size() - before));
    }
    if constexpr (std::is_floating_point_v<W>) {
        table.key_bits = exact_key_bits(full_keys, from.key_bits);
    } else {
        table.key_bits = bits_for_keys(full_keys.size(), spare_bits(false_matches), from.key_bits);
        drop_equal_keys(table, full_keys, table.key_bits);
    }
    for (uint64_t key : full_keys) table.keys.push_back(key >> (64 - table.key_bits));
    return table;
}

}  // namespace

PackedModel freeze(const Learner& learner, const FreezeOptions& options, const std::vector<uint64_t>& widths,
                   const std::vector<std::vector<uint32_t>>& output_of) {
    const unsigned bits = options.bits;
    if (!is_width_of_weights(bits)) throw OptionError("weights have 8, 16 or 32 bits, not " + std::to_string(bits));
    if (options.bit_price > 0 && bits != 8) throw OptionError("uneven levels need weights of 8 bits");
    PackedModel model;
    model.bits = bits;
    const std::vector<Collected> tables = collect(learner, options);
    double largest = 0;
    for (const Collected& table : tables) {
        model.features += table.features_before;
        model.weights += table.weights_before;
        largest = std::max(largest, table.largest);
    }
    if (bits != 32 && largest > 0) model.scale = largest / ((1 << (bits - 1)) - 1);
    model.full_keys.resize(tables.size());
    for (size_t t = 0; t < tables.size(); ++t) {
        with_weight_type(bits, [&](auto zero) {
            using W = decltype(zero);
            const double scale = bits == 32 ? 1 : model.scale;
            model.tables.push_back(pack(quantise<W>(tables[t], widths[t], output_of[t], scale, options.bit_price,
                                                    learner.false_matches(), model.full_keys[t])));
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

void prune(Learner& learner, const Learner& whole, const FreezeOptions& options) {
    bool fits = learner.tables() == whole.tables();
    for (size_t t = 0; fits && t < learner.tables(); ++t) fits = learner.table(t).width() == whole.table(t).width();
    if (!fits) throw OptionError("the learner whose weights are kept has other outputs");
    const std::vector<Collected> tables = collect(whole, options);
    learner.restart([&](size_t t, auto&& take) {
        for (const auto& [key, updates, first, end] : tables[t].keys)
            for (size_t j = first; j < end; ++j) StopCheck::after(16), take(key, tables[t].outputs[j]);
    });
}

}  // namespace sapwood
