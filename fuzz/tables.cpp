// Tables of weights as model files have them, packed (format 1) and coded (format 2): what is read is a valid table, the
// same in both forms, and a frozen table finds its features.
#include <cmath>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "model/coded_table.hpp"
#include "model/frozen_model.hpp"
#include "records.hpp"
#include "target.hpp"

namespace sapwood::fuzz::tables {
namespace {

PackedTable table_of(const Records& in) {
    PackedTable table;
    table.features = in.number("features");
    table.weights = in.number("weights");
    table.width = in.number("width");
    table.key_bits = in.number<unsigned>("key_bits");
    table.size_bits = in.number<unsigned>("size_bits");
    table.output_bits = in.number<unsigned>("output_bits");
    table.high = in["high"];
    table.low = in["low"];
    table.sizes = in["sizes"];
    table.outputs = in["outputs"];
    table.values = in["values"];
    table.coded = in.number<uint8_t>("coded") != 0;
    return table;
}

template <class W>
void check(const PlainTable<W>& table) {
    SAPWOOD_REQUIRE(table.keys.size() == table.sizes.size() && table.outputs.size() == table.values.size());
    for (size_t k = 1; k < table.keys.size(); ++k) SAPWOOD_REQUIRE(table.keys[k - 1] < table.keys[k]);
    if (!table.keys.empty() && table.key_bits < 64) SAPWOOD_REQUIRE(table.keys.back() >> table.key_bits == 0);
    size_t at = 0;
    for (const uint32_t size : table.sizes) {
        SAPWOOD_REQUIRE(size >= 1 && size <= table.outputs.size() - at);
        for (const size_t end = at + size; at < end; ++at) {
            SAPWOOD_REQUIRE(table.outputs[at] < table.width && is_weight(table.values[at]));
            if (at + 1 < end) SAPWOOD_REQUIRE(table.outputs[at] < table.outputs[at + 1]);
        }
    }
    SAPWOOD_REQUIRE(at == table.outputs.size());
}

template <class W>
bool same(const PlainTable<W>& a, const PlainTable<W>& b) {
    return a.width == b.width && a.key_bits == b.key_bits && a.keys == b.keys && a.sizes == b.sizes &&
           a.outputs == b.outputs && a.values == b.values;
}

template <class W>
void use(const PackedTable& packed) {
    constexpr unsigned bits = sizeof(W) * 8;
    const PlainTable<W> table = unpack<W>(packed);
    check(table);
    const PackedTable in_code = coded(packed, bits), plain = uncoded(packed, bits);
    SAPWOOD_REQUIRE(same(unpack<W>(in_code), table) && same(unpack<W>(plain), table));
    if (table.width > 1 << 16) return;
    const FrozenModel model({packed}, bits, bits == 32 ? 1 : 0.5, {table.width});
    const std::vector<Weight> weights = model.weights();
    SAPWOOD_REQUIRE(weights.size() == table.values.size());
    for (size_t k = 0; k < weights.size(); ++k) {
        SAPWOOD_REQUIRE(weights[k].output == table.outputs[k]);
        SAPWOOD_REQUIRE(weights[k].weight == static_cast<double>(table.values[k]) * model.scale());
    }
}

bool run(std::string_view input) {
    const Records in(input);
    const auto bits = in.number<unsigned>("bits");
    if (!is_width_of_weights(bits)) return false;
    return reads<ModelError>("", [&] { with_weight_type(bits, [&](auto w) { use<decltype(w)>(table_of(in)); }); });
}

std::string records_of(const PackedTable& table, unsigned bits) {
    const auto number = [](auto n) { return bytes_of(std::vector{n}); };
    std::vector<Record> records = {
        {"bits", number(bits)},         {"features", number(table.features)}, {"weights", number(table.weights)},
        {"width", number(table.width)}, {"key_bits", number(table.key_bits)}, {"coded", number(uint8_t{table.coded})}};
    if (!table.coded) {
        records.emplace_back("size_bits", number(table.size_bits));
        records.emplace_back("output_bits", number(table.output_bits));
        records.emplace_back("high", table.high);
    }
    records.emplace_back("low", table.low);
    records.emplace_back("sizes", table.sizes);
    records.emplace_back("outputs", table.outputs);
    records.emplace_back("values", table.values);
    return write_records(records);
}

// Weights of `features` keys that look random, the more the larger the key.
template <class W>
PlainTable<W> table_of(size_t features, size_t width) {
    PlainTable<W> table;
    table.width = width;
    table.key_bits = 20;
    for (size_t k = 0; k < features; ++k) {
        table.keys.push_back((k << 20) / features + k % 3);
        table.sizes.push_back(static_cast<uint32_t>(1 + k % std::min<size_t>(width, 4)));
        for (uint32_t n = 0; n < table.sizes.back(); ++n) {
            table.outputs.push_back(static_cast<uint32_t>(n * (width / 4) + (n == 3 ? k % 2 : 0)));
            const auto w = static_cast<int>(hash_bytes(std::to_string(7 * k + n)) % 15) - 7;
            table.values.push_back(static_cast<W>(w == 0 ? 1 : w));
        }
        if (width < 4) table.outputs.back() = static_cast<uint32_t>(table.sizes.back() - 1);
    }
    for (size_t at = 0, k = 0; k < features; at += table.sizes[k++])
        for (uint32_t n = 0; width < 4 && n < table.sizes[k]; ++n) table.outputs[at + n] = n;
    return table;
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (const auto& [features, width] : {std::pair<size_t, size_t>{0, 3}, {1, 1}, {9, 2}, {40, 5}, {60, 2000}}) {
        const PackedTable small = pack(table_of<int8_t>(features, width)),
                          large = pack(table_of<int16_t>(features, width)),
                          real = pack(table_of<float>(features, width));
        for (const auto& [table, bits] : {std::pair{&small, 8u}, {&large, 16u}, {&real, 32u}}) {
            all.push_back(records_of(*table, bits));
            all.push_back(records_of(coded(*table, bits), bits));
        }
    }
    return all;
}

const Target target("tables", run, seeds, Form::records);

}  // namespace
}  // namespace sapwood::fuzz::tables
