#include "model/packed_table.hpp"

#include <cstring>

#include "base/bits.hpp"
#include "base/elias_fano.hpp"
#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "model/coded_table.hpp"

namespace sapwood {

template <class W>
PackedTable pack(const PlainTable<W>& table) {
    PackedTable p;
    p.features = table.keys.size();
    p.weights = table.values.size();
    p.width = table.width;
    p.key_bits = table.key_bits;
    uint64_t largest = 0;
    for (uint32_t size : table.sizes) largest = std::max<uint64_t>(largest, size);
    p.size_bits = bits_for(largest);
    p.output_bits = bits_for(table.width - 1);

    EliasFano keys = pack_keys(table.keys, p.key_bits);
    p.high = std::move(keys.high);
    p.low = std::move(keys.low);
    BitWriter sizes(p.sizes), outputs(p.outputs);
    for (uint32_t size : table.sizes) sizes.put(size, p.size_bits);
    for (uint32_t output : table.outputs) outputs.put(output, p.output_bits);
    p.values.assign(reinterpret_cast<const char*>(table.values.data()), table.values.size() * sizeof(W));
    return p;
}

namespace {

template <class W>
void unpack_bits(const PackedTable& p, PlainTable<W>& table) {
    require_table(p.size_bits >= 1 && p.size_bits <= 32, "a table's size_bits is out of range");
    require_table(p.output_bits == bits_for(p.width - 1), "a table's output_bits does not fit its width");
    require_table(p.features <= p.sizes.size() * 8,
                  "a table has fewer sizes than features");  // also bounds all products
    require_table(p.sizes.size() == bytes_for(p.features, p.size_bits), "a table's sizes has the wrong length");
    require_table(p.weights <= p.values.size() && p.values.size() == p.weights * sizeof(W),
                  "a table's weights has the wrong length");
    require_table(p.outputs.size() == bytes_for(p.weights, p.output_bits), "a table's outputs has the wrong length");

    table.keys = unpack_keys(p.high, p.low, p.features, p.key_bits, "a table");
    table.sizes.reserve(p.features);
    BitReader sizes(p.sizes), outputs(p.outputs);

    table.values.resize(p.weights);
    if (p.weights > 0) std::memcpy(table.values.data(), p.values.data(), p.values.size());
    for (W w : table.values) require_table(is_weight(w), "a weight is zero, infinite or out of range");
    table.outputs.reserve(p.weights);
    for (uint64_t k = 0; k < p.features; ++k) {
        StopCheck::every(k);
        const auto size = static_cast<uint32_t>(sizes.get(p.size_bits));
        require_table(size >= 1 && size <= p.weights - table.outputs.size(), "a feature has no weight or too many");
        for (uint32_t j = 0; j < size; ++j) {
            const auto output = static_cast<uint32_t>(outputs.get(p.output_bits));
            require_table(output < p.width, "an output is out of range");
            require_table(j == 0 || output > table.outputs.back(), "the outputs of a feature do not ascend");
            table.outputs.push_back(output);
        }
        table.sizes.push_back(size);
    }
    require_table(table.outputs.size() == p.weights, "a table has more weights than its features");
}

}  // namespace

template <class W>
PlainTable<W> unpack(const PackedTable& p) {
    PlainTable<W> table;
    require_table(p.width >= 1 && p.width <= (uint64_t{1} << 31), "a table's width is out of range");
    table.width = p.width;
    table.key_bits = p.key_bits;
    p.coded ? decode(p, table) : unpack_bits(p, table);
    return table;
}

PackedTable coded(const PackedTable& table, unsigned bits) {
    if (table.coded) return table;
    PackedTable result;
    with_weight_type(bits, [&](auto zero) {
        const auto plain = unpack<decltype(zero)>(table);
        result = {.features = table.features,
                  .weights = table.weights,
                  .width = table.width,
                  .key_bits = table.key_bits,
                  .high = {},
                  .low = code_keys(plain.keys, table.key_bits),
                  .sizes = code_sizes(plain.sizes),
                  .outputs = code_outputs(plain),
                  .values = code_weights(plain),
                  .coded = true};
    });
    return result;
}

PackedTable uncoded(const PackedTable& table, unsigned bits) {
    if (!table.coded) return table;
    PackedTable result;
    with_weight_type(bits, [&](auto zero) { result = pack(unpack<decltype(zero)>(table)); });
    return result;
}

template PackedTable pack(const PlainTable<int8_t>&);
template PackedTable pack(const PlainTable<int16_t>&);
template PackedTable pack(const PlainTable<float>&);
template PlainTable<int8_t> unpack(const PackedTable&);
template PlainTable<int16_t> unpack(const PackedTable&);
template PlainTable<float> unpack(const PackedTable&);

}  // namespace sapwood
