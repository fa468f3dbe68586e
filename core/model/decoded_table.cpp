// Reads coded tables: `decode` of model/coded_table.hpp.
#include <cstring>
#include <limits>

#include "base/stop_check.hpp"
#include "model/coded_contexts.hpp"
#include "model/coded_table.hpp"

namespace sapwood {

using namespace table_code;

namespace {

// The tables that stand at the beginning of a stream, and the reader of what follows. Loops read by a copy of the reader:
// its states are in registers then, not in memory.
template <class Slot = uint16_t>
struct Opened {
    SlotTables<Slot> tables;
    RansReader reader;

    static Opened open(std::string_view bytes, uint32_t alphabet, ContextTree tree, unsigned skipped,
                       const char* what) {
        require_table(!bytes.empty(), "a table has an array without a coded stream");
        BitReader bits(bytes);
        bits.get(skipped);
        const CodeTables tables = CodeTables::read(bits, alphabet, tree, what);
        require_table(bits.left() % 8 == 0 || bits.get(static_cast<unsigned>(bits.left() % 8)) == 0,
                      "a coded stream has bits set between its tables and its states");
        return {SlotTables<Slot>(tables), RansReader(bytes.substr(bytes.size() - bits.left() / 8), what)};
    }
};

void read_keys(const PackedTable& packed, std::vector<uint64_t>& keys) {
    require_table(packed.key_bits >= 1 && packed.key_bits <= 64, "a table's key_bits is out of range");
    require_table(packed.features <= kMostKeysPerByte * packed.low.size(), "a table has fewer keys than it says");
    if (packed.features == 0) return require_table(packed.low.empty(), "a table has more keys than it says");
    const auto opened = Opened<>::open(packed.low, kNumberSymbols, {}, 0, "a table's keys");
    RansReader in = opened.reader;
    const unsigned low = gap_bits(packed.key_bits, packed.features);
    const uint64_t largest = std::numeric_limits<uint64_t>::max() >> (64 - packed.key_bits);
    keys.reserve(packed.features);
    uint64_t next = 0;  // the least that the next key can be
    for (uint64_t k = 0; k < packed.features; ++k) {
        StopCheck::every(k);
        const uint64_t gap = opened.tables.read_number(in, low);
        require_table((next != 0 || k == 0) && next <= largest && gap <= largest - next,
                      "a table's key is out of range");
        keys.push_back(next + gap);
        next = keys.back() + 1;
    }
    in.finish();
}

// Returns the sum.
uint64_t read_sizes(const PackedTable& packed, std::vector<uint32_t>& sizes) {
    if (packed.features == 0) return require_table(packed.sizes.empty(), "a table has more sizes than features"), 0;
    const auto opened = Opened<>::open(packed.sizes, kNumberSymbols, {}, 0, "a table's sizes");
    RansReader in = opened.reader;
    sizes.reserve(packed.features);
    uint64_t sum = 0;
    for (uint64_t k = 0; k < packed.features; ++k) {
        StopCheck::every(k);
        const uint64_t less = opened.tables.read_number(in);
        require_table(less < packed.width && less < packed.weights - sum, "a feature has too many weights");
        sizes.push_back(static_cast<uint32_t>(less + 1));
        sum += less + 1;
    }
    in.finish();
    return sum;
}

template <class W>
void read_plain_weights(std::string_view bytes, PlainTable<W>& table) {
    require_table(bytes.size() == 1 + table.values.size() * sizeof(W), "a table's weights has the wrong length");
    std::memcpy(table.values.data(), bytes.data() + 1, bytes.size() - 1);
    for (const W w : table.values) require_table(is_weight(w), "a weight is zero, infinite or out of range");
}

template <class Slot, class W>
void read_coded_outputs(const PackedTable& packed, PlainTable<W>& table) {
    const uint32_t alphabet = output_alphabet(packed.width);
    const unsigned low = output_low_bits(packed.width);
    const auto opened =
        Opened<Slot>::open(packed.outputs, alphabet, OutputContext::tree(alphabet), 0, "a table's outputs");
    RansReader in = opened.reader;
    struct {
        OutputContext context;
        uint64_t least = 0;
    } states[kWeightLanes];
    bool ascend = true;
    uint32_t* const out = table.outputs.data();
    each_weight(table.sizes, [&](size_t k, const Lane& lane, bool begins) __attribute__((always_inline)) {
        auto& [context, least] = states[k];
        context.outer = begins ? 0 : context.outer;
        least = begins ? 0 : least;
        const uint32_t symbol = opened.tables.read(in, context.of(lane.to_come));
        uint64_t output = symbol;
        if (low != 0) output = output << low | in.bits(low);
        ascend &= output >= least;
        out[lane.at] = static_cast<uint32_t>(output);
        least = output + 1;
        context.outer = 1 + symbol;
    });
    in.finish();
    require_table(ascend, "the outputs of a feature do not ascend");
    for (const uint32_t output : table.outputs) require_table(output < packed.width, "an output is out of range");
}

template <class W>
void read_outputs(const PackedTable& packed, PlainTable<W>& table) {
    table.outputs.resize(packed.weights);
    if (packed.weights == 0 || packed.width == 1) {
        require_table(packed.outputs.empty(), "a table has more outputs than weights");
        return require_table(packed.weights == packed.features, "a feature has too many weights");
    }
    if (output_alphabet(packed.width) <= 256)
        read_coded_outputs<uint8_t>(packed, table);
    else
        read_coded_outputs<uint16_t>(packed, table);
}

// The meaning of a weight's symbol: its smallest magnitude, and the number of plain bits that are added to it.
struct WeightSymbol {
    int64_t least;
    unsigned bits;
};
constexpr auto kWeightSymbols = [] {
    std::array<WeightSymbol, kWeightAlphabet> all{};
    for (uint32_t s = 0; s < kWeightAlphabet; ++s)
        all[s] = {static_cast<int64_t>(NumberCode::least(s / 2)), NumberCode::bits_after(s / 2)};
    return all;
}();

template <class W>
void read_coded_weights(std::string_view bytes, Mode mode, PlainTable<W>& table) {
    static_assert(kWeightAlphabet <= 256);
    const auto opened = Opened<uint8_t>::open(bytes, kWeightAlphabet, WeightContext::kTree, kModeBits + kWidthBits,
                                              "a table's weights");
    RansReader in = opened.reader;
    constexpr int64_t largest = std::numeric_limits<W>::max();
    const bool balanced = mode == kBalanced;
    WeightContext contexts[kWeightLanes];
    bool in_range = true;
    W* const out = table.values.data();
    each_weight(table.sizes, [&](size_t k, const Lane& lane, bool begins) __attribute__((always_inline)) {
        WeightContext& context = contexts[k];
        context.sum = begins ? 0 : context.sum;
        const bool last = lane.is_last();
        const uint32_t symbol = opened.tables.read(in, context.of<W>(lane.size, last));
        auto [magnitude, more] = kWeightSymbols[symbol];
        if (more != 0) [[unlikely]]
            magnitude += in.few_bits(more);
        int64_t w = symbol % 2 == 1 ? -magnitude : magnitude;
        w -= (last & balanced) ? context.sum : 0;
        in_range &= (w != 0) & (w <= largest) & (w >= -largest);
        out[lane.at] = static_cast<W>(w);
        context.sum += w;
    });
    in.finish();
    require_table(in_range, "a weight is zero or out of range");
}

template <class W>
void read_weights(const PackedTable& packed, PlainTable<W>& table) {
    table.values.resize(packed.weights);
    if (packed.weights == 0) return require_table(packed.values.empty(), "a table has more weights than its features");
    const unsigned first = static_cast<unsigned char>(packed.values[0]),
                   bits = first % (1u << (kModeBits + kWidthBits));
    if (first == opening<W>(kPlain)) return read_plain_weights(packed.values, table);
    if constexpr (std::is_integral_v<W>)
        for (const Mode mode : {kAlone, kBalanced})
            if (bits == opening<W>(mode)) return read_coded_weights(packed.values, mode, table);
    throw ModelError("a table's weights are coded in an unknown way");
}

}  // namespace

std::vector<uint64_t> decode_keys(std::string_view code, uint64_t count, unsigned key_bits) {
    std::vector<uint64_t> keys;
    read_keys({.features = count, .key_bits = key_bits, .low = std::string(code), .coded = true}, keys);
    return keys;
}

template <class W>
void decode(const PackedTable& packed, PlainTable<W>& table) {
    require_table(packed.weights <= kMostWeightsPerByte * packed.values.size(),
                  "a table has fewer weights than it says");
    read_keys(packed, table.keys);
    require_table(read_sizes(packed, table.sizes) == packed.weights, "a table has more weights than its features");
    read_outputs(packed, table);
    read_weights(packed, table);
}

template void decode(const PackedTable&, PlainTable<int8_t>&);
template void decode(const PackedTable&, PlainTable<int16_t>&);
template void decode(const PackedTable&, PlainTable<float>&);

}  // namespace sapwood
