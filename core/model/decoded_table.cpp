// Reads coded tables: `decode` of model/coded_table.hpp.
#include <cstring>
#include <limits>

#include "base/stop_check.hpp"
#include "model/coded_contexts.hpp"
#include "model/coded_table.hpp"

namespace sapwood {

using namespace table_code;

namespace {

// The tables that stand at the beginning of a stream, and the reader of what follows. Loops read by a reader of their
// own: its states are in registers then, not in memory.
template <bool wide = false>
struct Opened {
    SlotTables<wide> tables;
    RansReader reader;

    template <class... Meaning>
    static Opened open(std::string_view bytes, uint32_t alphabet, ContextTree tree, unsigned skipped, const char* what,
                       Meaning... meaning) {
        require_table(!bytes.empty(), "a table has an array without a coded stream");
        BitReader bits(bytes);
        bits.get(skipped);
        const CodeTables tables = CodeTables::read(bits, alphabet, tree, what);
        require_table(bits.left() % 8 == 0 || bits.get(static_cast<unsigned>(bits.left() % 8)) == 0,
                      "a coded stream has bits set between its tables and its states");
        return {SlotTables<wide>(tables, meaning...), RansReader(bytes.substr(bytes.size() - bits.left() / 8), what)};
    }
};

// Returns the sum.
uint64_t read_sizes(const PackedTable& packed, std::vector<uint32_t>& sizes) {
    if (packed.features == 0) return require_table(packed.sizes.empty(), "a table has more sizes than features"), 0;
    auto opened = Opened<>::open(packed.sizes, kNumberSymbols, {}, 0, "a table's sizes");
    RansReader in = std::move(opened.reader);
    sizes.resize(packed.features);
    uint64_t sum = 0;
#pragma GCC unroll 4
    for (uint64_t k = 0; k < packed.features; ++k) {
        StopCheck::every(k);
        const uint64_t less = opened.tables.read_number(in);
        require_table(less < packed.width && less < packed.weights - sum, "a feature has too many weights");
        sizes[k] = static_cast<uint32_t>(less + 1);
        sum += less + 1;
    }
    in.finish();
    return sum;
}

// Whether a file may have all of them. It looks at every weight, so that the compiler can compare many at once.
template <class W>
bool are_weights(const std::vector<W>& weights) {
    uint8_t wrong = 0;
    for (const W w : weights) wrong |= static_cast<uint8_t>(!is_weight(w));
    return wrong == 0;
}

template <class W>
void read_plain_weights(std::string_view bytes, PlainTable<W>& table) {
    require_table(bytes.size() == 1 + table.values.size() * sizeof(W), "a table's weights has the wrong length");
    std::memcpy(table.values.data(), bytes.data() + 1, bytes.size() - 1);
    require_table(are_weights(table.values), "a weight is zero, infinite or out of range");
}

// The answers of of(place) for all places of a weight, looked up in reading: no processor could predict branches that
// depend on it.
template <class Of>
auto by_place(Of&& of) {
    std::array<decltype(of(Place())), Place::kCount> all;
    for (size_t n = 0; n < Place::kCount; ++n) all[n] = of(Place(n));
    return all;
}
// All bits of a number, or none.
template <class T>
T bits_if(bool kept) {
    return kept ? static_cast<T>(-1) : T{0};
}

// wide: there are more than 256 symbols; split: plain bits follow them
template <bool wide, bool split>
void read_coded_outputs(const PackedTable& packed, const WeightOrder& order, std::vector<uint32_t>& outputs) {
    const uint32_t alphabet = output_alphabet(packed.width);
    const unsigned low = split ? output_low_bits(packed.width) : 0;
    auto opened = Opened<wide>::open(packed.outputs, alphabet, OutputContext::tree(alphabet), 0, "a table's outputs");
    RansReader in = std::move(opened.reader);
    const uint64_t round_up = (uint64_t{1} << low) - 1;
    const auto kept = by_place([](Place place) { return bits_if<uint64_t>(!place.begins()); });
    const auto to_come = by_place([](Place place) { return uint64_t{place.to_come()}; });
    uint64_t least[WeightOrder::kLanes]{};  // that the feature's next output can be
    uint64_t descent = 0;                   // its highest bit is set if an output is less
    uint32_t* const out = outputs.data();
    const auto visit = [&](size_t lane, size_t at, Place place) __attribute__((always_inline)) {
        const uint64_t from = least[lane] & kept[place.number()];  // 0 for a feature's first output
        uint64_t output = opened.tables.read(in, OutputContext::of((from + round_up) >> low, to_come[place.number()]));
        if (split) output = output << low | in.bits(low);
        descent |= output - from;
        out[at] = static_cast<uint32_t>(output);
        least[lane] = output + 1;
    };
    order.each(visit, [&]() __attribute__((always_inline)) { in.check(); });
    in.finish();
    require_table(descent >> 63 == 0, "the outputs of a feature do not ascend");
    uint32_t largest = 0;
    for (const uint32_t output : outputs) largest = std::max(largest, output);
    require_table(largest < packed.width, "an output is out of range");
}

void read_outputs(const PackedTable& packed, const WeightOrder& order, std::vector<uint32_t>& outputs) {
    outputs.resize(packed.weights);
    if (packed.weights == 0 || packed.width == 1) {
        require_table(packed.outputs.empty(), "a table has more outputs than weights");
        return require_table(packed.weights == packed.features, "a feature has too many weights");
    }
    if (output_low_bits(packed.width) > 0) return read_coded_outputs<true, true>(packed, order, outputs);
    if (packed.width > 256) return read_coded_outputs<true, false>(packed, order, outputs);
    read_coded_outputs<false, false>(packed, order, outputs);
}

// What the symbol of a weight means: the weight, or kLong + the symbol if plain bits follow.
constexpr int32_t kLong = 256;
int32_t meaning_of_weight(uint32_t symbol) {
    const uint32_t number = symbol / 2;
    if (NumberCode::bits_after(number) > 0) return static_cast<int32_t>(kLong + symbol);
    const auto magnitude = static_cast<int32_t>(NumberCode::least(number));
    return symbol % 2 == 1 ? -magnitude : magnitude;
}

// [numbers of Place::of_size][units of the sum] the tables of contexts. Those of sums near 0, which are most, are in few
// lines of the cache.
constexpr size_t kSums = 2 * WeightContext::kFarthest + 1;
std::vector<SlotTable<false>> tables_by_sum(const SlotTables<>& tables) {
    std::vector<SlotTable<false>> all;
    for (size_t n = 0; n < WeightContext::kTree.outer; ++n)
        for (int64_t units = -WeightContext::kFarthest; units <= WeightContext::kFarthest; ++units)
            all.push_back(tables[WeightContext::of(Place(n), units)]);
    return all;
}

template <class W>
void read_coded_weights(std::string_view bytes, Mode mode, const WeightOrder& order, PlainTable<W>& table) {
    static_assert(kWeightAlphabet <= 256);
    auto opened = Opened<>::open(bytes, kWeightAlphabet, WeightContext::kTree, kModeBits + kWidthBits,
                                 "a table's weights", meaning_of_weight);
    RansReader in = std::move(opened.reader);
    const auto by_sum = tables_by_sum(opened.tables);
    // By the sum so far; the pointer is to the table of a sum of 0. Some numbers are those of no place.
    const auto tables = by_place([&](Place place) {
        const size_t row = place.of_size() % WeightContext::kTree.outer;
        return &by_sum[row * kSums + WeightContext::kFarthest];
    });
    // Bits of the sum so far: none for a feature's first weight. Bits of the sum to take off a weight that is coded as the
    // sum of all.
    const auto kept = by_place([](Place place) { return bits_if<int64_t>(!place.begins()); });
    const auto taken = by_place([&](Place place) { return bits_if<int64_t>(place.is_last() && mode == kBalanced); });
    int64_t sums[WeightOrder::kLanes]{};  // of the feature's weights so far
    uint64_t beyond = 0;                  // more bits than those of W if a weight does not fit
    W* const out = table.values.data();
    const auto visit = [&](size_t lane, size_t at, Place place) __attribute__((always_inline)) {
        const int64_t sum = sums[lane] & kept[place.number()];
        int64_t w = in.symbol(tables[place.number()][WeightContext::units<W>(sum)]);
        if (w >= kLong) [[unlikely]] {
            const auto [least, bits] = kNumberMeanings[static_cast<uint32_t>(w - kLong) / 2];
            const auto magnitude = static_cast<int64_t>(least + in.few_bits(bits));
            w = w % 2 == 1 ? -magnitude : magnitude;
        }
        w -= sum & taken[place.number()];
        beyond |= static_cast<uint64_t>(w - std::numeric_limits<W>::min());
        out[at] = static_cast<W>(w);
        sums[lane] = sum + w;
    };
    order.each(visit, [&]() __attribute__((always_inline)) { in.check(); });
    in.finish();
    require_table(beyond <= std::numeric_limits<std::make_unsigned_t<W>>::max() && are_weights(table.values),
                  "a weight is zero or out of range");
}

template <class W>
void read_weights(const PackedTable& packed, const WeightOrder& order, PlainTable<W>& table) {
    table.values.resize(packed.weights);
    if (packed.weights == 0) return require_table(packed.values.empty(), "a table has more weights than its features");
    const unsigned first = static_cast<unsigned char>(packed.values[0]),
                   bits = first % (1u << (kModeBits + kWidthBits));
    if (first == opening<W>(kPlain)) return read_plain_weights(packed.values, table);
    if constexpr (std::is_integral_v<W>)
        for (const Mode mode : {kAlone, kBalanced})
            if (bits == opening<W>(mode)) return read_coded_weights(packed.values, mode, order, table);
    throw ModelError("a table's weights are coded in an unknown way");
}

}  // namespace

std::vector<uint64_t> decode_keys(std::string_view code, uint64_t count, unsigned key_bits) {
    require_table(key_bits >= 1 && key_bits <= 64, "a table's key_bits is out of range");
    require_table(count <= kMostKeysPerByte * code.size(), "a table has fewer keys than it says");
    if (count == 0) {
        require_table(code.empty(), "a table has more keys than it says");
        return {};
    }
    auto opened = Opened<>::open(code, kNumberSymbols, {}, 0, "a table's keys");
    RansReader in = std::move(opened.reader);
    const unsigned low = gap_bits(key_bits, count);
    const uint64_t largest = std::numeric_limits<uint64_t>::max() >> (64 - key_bits);
    std::vector<uint64_t> keys(count);
    uint64_t key = 0;
    bool ascend = true;
#pragma GCC unroll 2
    for (uint64_t k = 0; k < count; ++k) {
        StopCheck::every(k);
        const uint64_t gap = opened.tables.read_number(in, low), before = key;
        key = k == 0 ? gap : before + 1 + gap;
        ascend &= k == 0 || key > before;
        keys[k] = key;
    }
    require_table(ascend && key <= largest, "a table's key is out of range");
    in.finish();
    return keys;
}

template <class W>
void decode(const PackedTable& packed, PlainTable<W>& table) {
    require_table(packed.weights <= kMostWeightsPerByte * packed.values.size(),
                  "a table has fewer weights than it says");
    table.keys = decode_keys(packed.low, packed.features, packed.key_bits);
    require_table(read_sizes(packed, table.sizes) == packed.weights, "a table has more weights than its features");
    const WeightOrder order(table.sizes, packed.weights);
    read_outputs(packed, order, table.outputs);
    read_weights(packed, order, table);
}

template void decode(const PackedTable&, PlainTable<int8_t>&);
template void decode(const PackedTable&, PlainTable<int16_t>&);
template void decode(const PackedTable&, PlainTable<float>&);

}  // namespace sapwood
