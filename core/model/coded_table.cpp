#include "model/coded_table.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include "base/stop_check.hpp"
#include "model/coded_contexts.hpp"

namespace sapwood {

using namespace table_code;

namespace {

// Bits in front of a stream: its tables.
std::string stream(const CodeTables& tables, ContextTree tree, std::optional<unsigned> first,
                   const RansWriter& writer) {
    std::string out;
    BitWriter bits(out);
    if (first) bits.put(*first, kModeBits + kWidthBits);
    tables.write(bits, tree);
    writer.finish(out);
    return out;
}

// Numbers without contexts, each with `low` plain bits below.
std::string code_numbers(const std::vector<uint64_t>& numbers, unsigned low) {
    if (numbers.empty()) return "";
    std::vector<uint32_t> counts(kNumberSymbols);
    for (const uint64_t number : numbers) ++counts[NumberCode::of(number >> low).symbol];
    const CodeTables tables = CodeTables::of(counts, kNumberSymbols, {});
    RansWriter writer;
    for (size_t k = 0; const uint64_t number : numbers) {
        StopCheck::every(k++);
        const NumberCode code = NumberCode::of(number >> low);
        writer.symbol(tables.tables[0], code.symbol);
        writer.bits(number, code.bits + low);
    }
    return stream(tables, {}, {}, writer);
}

template <class W>
std::string code_weights_as(const PlainTable<W>& table, Mode mode) {
    struct Coded {
        uint32_t context;
        NumberCode code;
        uint32_t magnitude;
    };
    std::vector<Coded> coded;
    coded.reserve(table.values.size());
    std::vector<uint32_t> counts(WeightContext::kTree.size() * kWeightAlphabet);
    int64_t sums[WeightOrder::kLanes];  // of the feature's weights so far
    WeightOrder(table.sizes, table.values.size()).each([&](size_t lane, size_t at, Place place) {
        int64_t& sum = sums[lane];
        if (place.begins()) sum = 0;
        const auto w = static_cast<int64_t>(table.values[at]);
        const int64_t number = mode == kBalanced && place.is_last() ? w + sum : w;
        // Whether the sums of all features' weights are small enough to be coded; otherwise kBalanced is not used.
        const auto magnitude = static_cast<uint32_t>(std::min<int64_t>(number < 0 ? -number : number, (1 << 17) - 1));
        NumberCode code = NumberCode::of(magnitude);
        code.symbol = code.symbol * 2 + (number < 0);
        const size_t where = WeightContext::of(place, WeightContext::units<W>(sum));
        coded.push_back({static_cast<uint32_t>(where), code, magnitude});
        ++counts[where * kWeightAlphabet + code.symbol];
        sum += w;
    });
    const CodeTables tables = CodeTables::of(counts, kWeightAlphabet, WeightContext::kTree);
    RansWriter writer;
    for (size_t k = 0; const auto& [where, code, magnitude] : coded) {
        StopCheck::every(k++);
        writer.symbol(tables.tables[tables.table_of[where]], code.symbol);
        writer.bits(magnitude, code.bits);
    }
    return stream(tables, WeightContext::kTree, opening<W>(mode), writer);
}

template <class W>
bool can_be_balanced(const PlainTable<W>& table) {
    bool small = true;
    size_t at = 0;
    for (const uint32_t size : table.sizes) {
        int64_t sum = 0;
        for (const size_t end = at + size; at < end; ++at) sum += static_cast<int64_t>(table.values[at]);
        small = small && sum < 1 << 17 && sum > -(1 << 17);
    }
    return small;
}

template <class W>
std::string plain_weights(const PlainTable<W>& table) {
    std::string out(1 + table.values.size() * sizeof(W), '\0');
    out[0] = static_cast<char>(opening<W>(kPlain));
    std::memcpy(out.data() + 1, table.values.data(), out.size() - 1);
    return out;
}

}  // namespace

std::string code_keys(const std::vector<uint64_t>& keys, unsigned key_bits) {
    std::vector<uint64_t> gaps;
    for (size_t k = 0; k < keys.size(); ++k) gaps.push_back(k == 0 ? keys[0] : keys[k] - keys[k - 1] - 1);
    return code_numbers(gaps, gap_bits(key_bits, keys.size()));
}

std::string code_sizes(const std::vector<uint32_t>& sizes) {
    std::vector<uint64_t> less;
    for (const uint32_t size : sizes) less.push_back(size - 1);
    return code_numbers(less, 0);
}

template <class W>
std::string code_outputs(const PlainTable<W>& table) {
    if (table.width == 1 || table.outputs.empty()) return "";
    const uint32_t alphabet = output_alphabet(table.width);
    const unsigned low = output_low_bits(table.width);
    const ContextTree tree = OutputContext::tree(alphabet);
    struct Coded {
        uint32_t where, output;
    };
    std::vector<uint32_t> counts(tree.size() * alphabet);
    std::vector<Coded> coded;
    uint32_t outer[WeightOrder::kLanes];
    WeightOrder(table.sizes, table.outputs.size()).each([&](size_t lane, size_t at, Place place) {
        if (place.begins()) outer[lane] = 0;
        coded.push_back({static_cast<uint32_t>(OutputContext::of(outer[lane], place.to_come())), table.outputs[at]});
        const uint32_t symbol = table.outputs[at] >> low;
        ++counts[size_t{coded.back().where} * alphabet + symbol];
        outer[lane] = 1 + symbol;
    });
    const CodeTables tables = CodeTables::of(counts, alphabet, tree);
    RansWriter writer;
    for (size_t k = 0; const auto& [where, output] : coded) {
        StopCheck::every(k++);
        writer.symbol(tables.tables[tables.table_of[where]], output >> low);
        if (low != 0) writer.bits(output, low);
    }
    return stream(tables, tree, {}, writer);
}

template <class W>
std::string code_weights(const PlainTable<W>& table) {
    if (table.values.empty()) return "";
    std::string best = plain_weights(table);
    if constexpr (std::is_integral_v<W>) {
        for (const Mode mode : {kAlone, kBalanced}) {
            if (mode == kBalanced && !can_be_balanced(table)) continue;
            std::string coded = code_weights_as(table, mode);
            if (coded.size() < best.size() && table.values.size() <= kMostWeightsPerByte * coded.size())
                best = std::move(coded);
        }
    }
    return best;
}

template std::string code_weights(const PlainTable<int8_t>&);
template std::string code_weights(const PlainTable<int16_t>&);
template std::string code_weights(const PlainTable<float>&);
template std::string code_outputs(const PlainTable<int8_t>&);
template std::string code_outputs(const PlainTable<int16_t>&);
template std::string code_outputs(const PlainTable<float>&);

}  // namespace sapwood
