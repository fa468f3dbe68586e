#include "model/coded_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "base/rans.hpp"

namespace sapwood {

namespace {

constexpr uint64_t kMostWeightsPerByte = 32, kMostKeysPerByte = 8;

void require(bool condition, const char* what) {
    if (!condition) throw ModelError(what);
}

// The number of plain bits in the code of a gap between keys: a few less than a gap of average size has.
unsigned gap_bits(unsigned key_bits, uint64_t count) {
    const auto used = static_cast<unsigned>(std::bit_width(count)) + 2;
    return key_bits > used ? key_bits - used : 1;
}

// The number of plain bits in the code of an output: 0 in tables of up to 1,024 outputs.
unsigned output_low_bits(uint64_t width) {
    return std::max(10u, bits_for(width - 1)) - 10;
}
uint32_t output_alphabet(uint64_t width) {
    return static_cast<uint32_t>((width - 1) >> output_low_bits(width)) + 1;
}

struct OutputContext {
    static ContextTree tree(uint32_t alphabet) { return {alphabet + 1, 3}; }
    uint32_t outer = 0;  // 0, or 1 + the symbol before

    size_t of(uint32_t to_come) const { return size_t{outer} * 3 + std::min(to_come, 3u) - 1; }
};

// The context of a weight. Outer: the size of its feature, at most 6, and whether the weight is the last of several.
// Inner: the sign and the number of bits, at most 7, of the sum of the feature's weights before it. The sum is divided by
// 256 if weights have 16 bits.
struct WeightContext {
    static constexpr unsigned kSizes = 6, kWidths = 8, kFarthest = 64;
    static constexpr ContextTree kTree{2 * kSizes, 3 * kWidths};
    int64_t sum = 0;

    template <class W>
    size_t of(uint32_t size, bool last) const {
        constexpr int64_t unit = sizeof(W) == 1 ? 1 : 256, farthest = kFarthest;
        const int64_t units = std::clamp(sum / unit, -farthest, farthest);
        return kTree.at((last ? kSizes : 0) + std::min(size, kSizes) - 1,
                        kInner[static_cast<size_t>(units + farthest)]);
    }

  private:
    static constexpr std::array<uint8_t, 2 * kFarthest + 1> kInner = [] {
        std::array<uint8_t, 2 * kFarthest + 1> inner{};
        for (unsigned k = 0; k < inner.size(); ++k) {
            const unsigned magnitude = k < kFarthest ? kFarthest - k : k - kFarthest;
            const unsigned sign = k < kFarthest ? 0 : k == kFarthest ? 1 : 2;
            inner[k] = static_cast<uint8_t>(static_cast<unsigned>(std::bit_width(magnitude)) * 3 + sign);
        }
        return inner;
    }();
};

// How weights are written: the first kModeBits of their section. The next kWidthBits are the bytes of a weight.
// kPlain: not coded. kAlone: each weight is coded. kBalanced: a feature's last weight is coded as the sum of all.
enum Mode : unsigned { kPlain = 0, kAlone = 1, kBalanced = 2 };
constexpr unsigned kModeBits = 2, kWidthBits = 3;

template <class W>
unsigned opening(Mode mode) {
    return mode | static_cast<unsigned>(sizeof(W)) << kModeBits;
}

constexpr uint32_t kWeightAlphabet = 2 * (16 + 13 * 8);  // numbers below 2^17, with their sign

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

// The tables that stand at the beginning of a stream, and the reader of what follows.
struct Opened {
    SlotTables tables;
    RansReader reader;

    static Opened open(std::string_view bytes, uint32_t alphabet, ContextTree tree, unsigned skipped,
                       const char* what) {
        require(!bytes.empty(), "a table has an array without a coded stream");
        BitReader bits(bytes);
        bits.get(skipped);
        const CodeTables tables = CodeTables::read(bits, alphabet, tree, what);
        require(bits.left() % 8 == 0 || bits.get(static_cast<unsigned>(bits.left() % 8)) == 0,
                "a coded stream has bits set between its tables and its states");
        return {SlotTables(tables), RansReader(bytes.substr(bytes.size() - bits.left() / 8), what)};
    }
};

// Numbers without contexts, each with `low` plain bits below.
std::string code_numbers(const std::vector<uint64_t>& numbers, unsigned low) {
    if (numbers.empty()) return "";
    std::vector<uint32_t> counts(kNumberSymbols);
    for (const uint64_t number : numbers) ++counts[NumberCode::of(number >> low).symbol];
    const CodeTables tables = CodeTables::of(counts, kNumberSymbols, {});
    RansWriter writer;
    for (const uint64_t number : numbers) {
        const NumberCode code = NumberCode::of(number >> low);
        writer.symbol(tables.tables[0], code.symbol);
        writer.bits(number, code.bits + low);
    }
    return stream(tables, {}, {}, writer);
}

// Weights are read in lanes: the features are cut into four parts, and one weight of each part is read in turn. The
// context of a lane's next weight is known before its turn comes again, so the processor need not wait for it.
constexpr size_t kLanes = 4;

struct Lane {
    const uint32_t* next;  // size
    size_t at, end;        // weights
    uint32_t size = 0, to_come = 1;

    // Goes to the next weight. Returns whether it is the first of its feature. There is no branch, because a processor
    // cannot predict where features end.
    bool step() {
        --to_come;
        const bool begins = to_come == 0;
        size = begins ? *next : size;
        to_come = begins ? size : to_come;
        next += begins;
        return begins;
    }
    bool is_last() const { return (to_come == 1) & (size > 1); }
};

std::array<Lane, kLanes> lanes_of(const std::vector<uint32_t>& sizes) {
    std::array<Lane, kLanes> lanes;
    size_t feature = 0, at = 0;
    for (size_t k = 0; k < kLanes; ++k) {
        lanes[k] = {sizes.data() + feature, at, 0};
        for (; feature < sizes.size() * (k + 1) / kLanes; ++feature) at += sizes[feature];
        lanes[k].end = at;
    }
    return lanes;
}

// Calls visit(number of the lane, lane, whether a feature begins) for all weights; lane.at is the weight's place.
template <class Visit>
void each_weight(const std::vector<uint32_t>& sizes, Visit&& visit) {
    std::array<Lane, kLanes> lanes = lanes_of(sizes);
    size_t together = SIZE_MAX, longest = 0;
    for (const Lane& lane : lanes) {
        together = std::min(together, lane.end - lane.at);
        longest = std::max(longest, lane.end - lane.at);
    }
    const auto go = [&](size_t k) __attribute__((always_inline)) {
        const bool begins = lanes[k].step();
        visit(k, lanes[k], begins);
        ++lanes[k].at;
    };
    for (size_t round = 0; round < together; ++round) go(0), go(1), go(2), go(3);
    for (size_t round = together; round < longest; ++round)
        for (size_t k = 0; k < kLanes; ++k)
            if (lanes[k].at < lanes[k].end) go(k);
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
    WeightContext contexts[kLanes];
    each_weight(table.sizes, [&](size_t k, const Lane& lane, bool begins) {
        WeightContext& context = contexts[k];
        if (begins) context.sum = 0;
        const bool last = lane.is_last();
        const auto w = static_cast<int64_t>(table.values[lane.at]);
        const int64_t number = mode == kBalanced && last ? w + context.sum : w;
        // Whether the sums of all features' weights are small enough to be coded; otherwise kBalanced is not used.
        const auto magnitude = static_cast<uint32_t>(std::min<int64_t>(number < 0 ? -number : number, (1 << 17) - 1));
        NumberCode code = NumberCode::of(magnitude);
        code.symbol = code.symbol * 2 + (number < 0);
        const size_t where = context.of<W>(lane.size, last);
        coded.push_back({static_cast<uint32_t>(where), code, magnitude});
        ++counts[where * kWeightAlphabet + code.symbol];
        context.sum += w;
    });
    const CodeTables tables = CodeTables::of(counts, kWeightAlphabet, WeightContext::kTree);
    RansWriter writer;
    for (const auto& [where, code, magnitude] : coded) {
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
    OutputContext contexts[kLanes];
    each_weight(table.sizes, [&](size_t k, const Lane& lane, bool begins) {
        OutputContext& context = contexts[k];
        if (begins) context.outer = 0;
        coded.push_back({static_cast<uint32_t>(context.of(lane.to_come)), table.outputs[lane.at]});
        const uint32_t symbol = table.outputs[lane.at] >> low;
        ++counts[size_t{coded.back().where} * alphabet + symbol];
        context.outer = 1 + symbol;
    });
    const CodeTables tables = CodeTables::of(counts, alphabet, tree);
    RansWriter writer;
    for (const auto& [where, output] : coded) {
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

namespace {

void read_keys(const PackedTable& packed, std::vector<uint64_t>& keys) {
    require(packed.key_bits >= 1 && packed.key_bits <= 64, "a table's key_bits is out of range");
    require(packed.features <= kMostKeysPerByte * packed.low.size(), "a table has fewer keys than it says");
    if (packed.features == 0) return require(packed.low.empty(), "a table has more keys than it says");
    auto [tables, in] = Opened::open(packed.low, kNumberSymbols, {}, 0, "a table's keys");
    const unsigned low = gap_bits(packed.key_bits, packed.features);
    const uint64_t largest = std::numeric_limits<uint64_t>::max() >> (64 - packed.key_bits);
    keys.reserve(packed.features);
    uint64_t next = 0;  // the least that the next key can be
    for (uint64_t k = 0; k < packed.features; ++k) {
        const uint64_t gap = tables.read_number(in, low);
        require((next != 0 || k == 0) && next <= largest && gap <= largest - next, "a table's key is out of range");
        keys.push_back(next + gap);
        next = keys.back() + 1;
    }
    in.finish();
}

// Returns the sum.
uint64_t read_sizes(const PackedTable& packed, std::vector<uint32_t>& sizes) {
    if (packed.features == 0) return require(packed.sizes.empty(), "a table has more sizes than features"), 0;
    auto [tables, in] = Opened::open(packed.sizes, kNumberSymbols, {}, 0, "a table's sizes");
    sizes.reserve(packed.features);
    uint64_t sum = 0;
    for (uint64_t k = 0; k < packed.features; ++k) {
        const uint64_t less = tables.read_number(in);
        require(less < packed.width && less < packed.weights - sum, "a feature has too many weights");
        sizes.push_back(static_cast<uint32_t>(less + 1));
        sum += less + 1;
    }
    in.finish();
    return sum;
}

template <class W>
void read_plain_weights(std::string_view bytes, PlainTable<W>& table) {
    require(bytes.size() == 1 + table.values.size() * sizeof(W), "a table's weights has the wrong length");
    std::memcpy(table.values.data(), bytes.data() + 1, bytes.size() - 1);
    for (const W w : table.values) require(is_weight(w), "a weight is zero, infinite or out of range");
}

template <class W>
void read_outputs(const PackedTable& packed, PlainTable<W>& table) {
    table.outputs.resize(packed.weights);
    if (packed.weights == 0 || packed.width == 1) {
        require(packed.outputs.empty(), "a table has more outputs than weights");
        return require(packed.weights == packed.features, "a feature has too many weights");
    }
    const uint32_t alphabet = output_alphabet(packed.width);
    const unsigned low = output_low_bits(packed.width);
    const Opened opened = Opened::open(packed.outputs, alphabet, OutputContext::tree(alphabet), 0, "a table's outputs");
    RansReader in = opened.reader;
    struct {
        OutputContext context;
        uint64_t least = 0;
    } states[kLanes];
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
    require(ascend, "the outputs of a feature do not ascend");
    for (const uint32_t output : table.outputs) require(output < packed.width, "an output is out of range");
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
    const Opened opened =
        Opened::open(bytes, kWeightAlphabet, WeightContext::kTree, kModeBits + kWidthBits, "a table's weights");
    RansReader in = opened.reader;
    constexpr int64_t largest = std::numeric_limits<W>::max();
    const bool balanced = mode == kBalanced;
    WeightContext contexts[kLanes];
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
    require(in_range, "a weight is zero or out of range");
}

template <class W>
void read_weights(const PackedTable& packed, PlainTable<W>& table) {
    table.values.resize(packed.weights);
    if (packed.weights == 0) return require(packed.values.empty(), "a table has more weights than its features");
    const unsigned first = static_cast<unsigned char>(packed.values[0]),
                   bits = first % (1u << (kModeBits + kWidthBits));
    if (first == opening<W>(kPlain)) return read_plain_weights(packed.values, table);
    if constexpr (std::is_integral_v<W>)
        for (const Mode mode : {kAlone, kBalanced})
            if (bits == opening<W>(mode)) return read_coded_weights(packed.values, mode, table);
    throw ModelError("a table's weights are coded in an unknown way");
}

}  // namespace

template <class W>
void decode(const PackedTable& packed, PlainTable<W>& table) {
    require(packed.weights <= kMostWeightsPerByte * packed.values.size(), "a table has fewer weights than it says");
    read_keys(packed, table.keys);
    require(read_sizes(packed, table.sizes) == packed.weights, "a table has more weights than its features");
    read_outputs(packed, table);
    read_weights(packed, table);
}

template std::string code_weights(const PlainTable<int8_t>&);
template std::string code_weights(const PlainTable<int16_t>&);
template std::string code_weights(const PlainTable<float>&);
template std::string code_outputs(const PlainTable<int8_t>&);
template std::string code_outputs(const PlainTable<int16_t>&);
template std::string code_outputs(const PlainTable<float>&);
template void decode(const PackedTable&, PlainTable<int8_t>&);
template void decode(const PackedTable&, PlainTable<int16_t>&);
template void decode(const PackedTable&, PlainTable<float>&);

}  // namespace sapwood
