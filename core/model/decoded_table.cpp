// Reading coded tables. A model's load time is mostly that of the loops over outputs and weights, which therefore have no
// branch that depends on data.
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "model/coded_contexts.hpp"
#include "model/coded_table.hpp"

namespace sapwood {

namespace {

using namespace coding;

constexpr uint64_t kMostKeysPerByte = 8;

void require(bool condition, const char* what) {
    if (!condition) throw ModelError(what);
}

// The tables that stand at the beginning of a stream, and the reader of what follows.
struct Opened {
    SlotTables tables;
    RansReader reader;

    template <class Number = std::identity>
    static Opened open(std::string_view bytes, uint32_t alphabet, ContextTree tree, unsigned skipped, const char* what,
                       Number&& number = {}) {
        require(!bytes.empty(), "a table has an array without a coded stream");
        BitReader bits(bytes);
        bits.get(skipped);
        const CodeTables tables = CodeTables::read(bits, alphabet, tree, what);
        require(bits.left() % 8 == 0 || bits.get(static_cast<unsigned>(bits.left() % 8)) == 0,
                "a coded stream has bits set between its tables and its states");
        return {SlotTables(tables, number), RansReader(bytes.substr(bytes.size() - bits.left() / 8), what)};
    }
};

void read_keys(const PackedTable& packed, std::vector<uint64_t>& keys) {
    require(packed.key_bits >= 1 && packed.key_bits <= 64, "a table's key_bits is out of range");
    require(packed.features <= kMostKeysPerByte * packed.low.size(), "a table has fewer keys than it says");
    if (packed.features == 0) return require(packed.low.empty(), "a table has more keys than it says");
    const Opened opened = Opened::open(packed.low, kNumberSymbols, {}, 0, "a table's keys", parts_of_number);
    RansReader in = opened.reader;
    const unsigned low = gap_bits(packed.key_bits, packed.features);
    const uint64_t largest = std::numeric_limits<uint64_t>::max() >> (64 - packed.key_bits);
    keys.resize(packed.features);
    uint64_t before = std::numeric_limits<uint64_t>::max();  // so that 1 more is 0
    bool in_range = true;
    for (uint64_t& key : keys) {
        key = before + 1 + read_number(opened.tables, in, low);
        in_range &= (key <= largest) & (key > before || &key == keys.data());
        before = key;
    }
    require(in_range, "a table's key is out of range");
    in.finish();
}

// What the contexts of a weight take from its feature's size, in a byte: that of its output in the lowest two bits, that
// of the weight in the next four, and whether it is the feature's first.
namespace place {
constexpr uint32_t kOutputs = 4, kOuterShift = 2, kBegins = 1 << 6, kLast = WeightContext::kSizes << kOuterShift;

// Of the k-th weight.
constexpr uint8_t of(uint32_t size, uint32_t k) {
    const uint32_t to_come = std::min(size - k, 3u) - 1, outer = WeightContext::outer(size, size > 1 && k + 1 == size);
    return static_cast<uint8_t>(to_come | outer << kOuterShift | (k == 0 ? kBegins : 0));
}

constexpr uint32_t kShort = 8;
constexpr auto kOfShort = [] {  // [size][k]
    std::array<std::array<uint8_t, kShort>, kShort + 1> all{};
    for (uint32_t size = 1; size <= kShort; ++size)
        for (uint32_t k = 0; k < size; ++k) all[size][k] = of(size, k);
    return all;
}();
}  // namespace place

// The places of all weights, in the table's order.
class Places {
  public:
    explicit Places(size_t weights) : bytes_(weights + place::kShort) {}

    // Adds a feature of so many weights, for which there is room.
    void add(uint32_t size) {
        if (size <= place::kShort) [[likely]]
            std::memcpy(&bytes_[end_], place::kOfShort[size].data(), place::kShort);
        else
            for (uint32_t k = 0; k < size; ++k) bytes_[end_ + k] = place::of(size, k);
        end_ += size;
    }

    const uint8_t* data() const { return bytes_.data(); }
    size_t size() const { return end_; }

  private:
    std::vector<uint8_t> bytes_;
    size_t end_ = 0;
};

// Checks that they are as many as the weights.
Places read_sizes(const PackedTable& packed, std::vector<uint32_t>& sizes) {
    Places places(packed.weights);
    if (packed.features == 0) {
        require(packed.sizes.empty(), "a table has more sizes than features");
    } else {
        const Opened opened = Opened::open(packed.sizes, kNumberSymbols, {}, 0, "a table's sizes", parts_of_number);
        RansReader in = opened.reader;
        sizes.resize(packed.features);
        for (uint32_t& size : sizes) {
            const uint64_t less = read_number(opened.tables, in);
            require(less < packed.width && less < packed.weights - places.size(), "a feature has too many weights");
            size = static_cast<uint32_t>(less + 1);
            places.add(size);
        }
        in.finish();
    }
    require(places.size() == packed.weights, "a table has more weights than its features");
    return places;
}

// Calls visit(number of the lane, place of the weight) for all weights, in the order in which they are coded.
template <class Visit>
[[gnu::always_inline]] inline void each_place(const std::vector<uint32_t>& sizes, Visit&& visit) {
    const std::array<Lane, kLanes> lanes = lanes_of(sizes);
    size_t together = SIZE_MAX, longest = 0;
    for (const Lane& lane : lanes) {
        together = std::min(together, lane.end - lane.at);
        longest = std::max(longest, lane.end - lane.at);
    }
    const size_t at0 = lanes[0].at, at1 = lanes[1].at, at2 = lanes[2].at, at3 = lanes[3].at;
    for (size_t round = 0; round < together; ++round) {
        visit(0, at0 + round);
        visit(1, at1 + round);
        visit(2, at2 + round);
        visit(3, at3 + round);
    }
    for (size_t round = together; round < longest; ++round)
        for (size_t k = 0; k < kLanes; ++k)
            if (round < lanes[k].end - lanes[k].at) visit(k, lanes[k].at + round);
}

template <class W>
void read_plain_weights(std::string_view bytes, PlainTable<W>& table) {
    require(bytes.size() == 1 + table.values.size() * sizeof(W), "a table's weights has the wrong length");
    std::memcpy(table.values.data(), bytes.data() + 1, bytes.size() - 1);
    for (const W w : table.values) require(is_weight(w), "a weight is zero, infinite or out of range");
}

template <class W>
void read_outputs(const PackedTable& packed, const Places& places, PlainTable<W>& table) {
    table.outputs.resize(packed.weights);
    if (packed.weights == 0 || packed.width == 1) {
        require(packed.outputs.empty(), "a table has more outputs than weights");
        return require(packed.weights == packed.features, "a feature has too many weights");
    }
    const uint32_t alphabet = output_alphabet(packed.width);
    const unsigned low = output_low_bits(packed.width);
    const Opened opened = Opened::open(packed.outputs, alphabet, OutputContext::tree(alphabet), 0, "a table's outputs");
    RansReader in = opened.reader;
    uint32_t outer0 = 0, outer1 = 0, outer2 = 0, outer3 = 0;
    uint32_t* const out = table.outputs.data();
    const uint8_t* const place_of = places.data();
    each_place(table.sizes, [&](size_t k, size_t at) __attribute__((always_inline)) {
        uint32_t& outer = k == 0 ? outer0 : k == 1 ? outer1 : k == 2 ? outer2 : outer3;
        const uint32_t here = place_of[at];
        const uint32_t before = outer & (here / place::kBegins - 1);
        const auto symbol = static_cast<uint32_t>(opened.tables.read(in, size_t{before} * 3 + here % place::kOutputs));
        out[at] = low == 0 ? symbol : static_cast<uint32_t>(symbol << low | in.bits(low));
        outer = 1 + symbol;
    });
    in.finish();
    bool ascend = true, in_range = true;
    for (size_t k = 0; k < table.outputs.size(); ++k) {
        in_range &= out[k] < packed.width;
        ascend &= (place_of[k] >= place::kBegins) | (k > 0 && out[k] > out[k - 1]);
    }
    require(ascend, "the outputs of a feature do not ascend");
    require(in_range, "an output is out of range");
}

// What a symbol of a weight says: 16 times the least number in magnitude, with its sign, plus how many plain bits are to
// be added to the magnitude.
constexpr int32_t number_of_weight(uint32_t symbol) {
    const auto least = static_cast<int32_t>(NumberCode::least(symbol / 2) * 16);
    return (symbol % 2 == 1 ? -least : least) + static_cast<int32_t>(NumberCode::bits_after(symbol / 2));
}

template <class W>
void read_coded_weights(std::string_view bytes, Mode mode, const Places& places, PlainTable<W>& table) {
    const Opened opened = Opened::open(bytes, kWeightAlphabet, WeightContext::kTree, kModeBits + kWidthBits,
                                       "a table's weights", number_of_weight);
    RansReader in = opened.reader;
    constexpr int64_t largest = std::numeric_limits<W>::max();
    // From which place on a weight is read as the sum of all: from that of the first last one of several, or from none.
    const uint32_t last = mode == kBalanced ? place::kLast : place::kBegins;
    WeightContext c0, c1, c2, c3;
    bool in_range = true;
    W* const out = table.values.data();
    const uint8_t* const place_of = places.data();
    each_place(table.sizes, [&](size_t k, size_t at) __attribute__((always_inline)) {
        WeightContext& context = k == 0 ? c0 : k == 1 ? c1 : k == 2 ? c2 : c3;
        const uint32_t here = place_of[at], rest = here % place::kBegins;
        const int64_t sum = context.sum & (int64_t{here / place::kBegins} - 1);
        const int32_t number = opened.tables.read(in, WeightContext{sum}.of<W>(rest >> place::kOuterShift));
        int64_t w = number >> 4;
        if (number % 16 != 0) [[unlikely]] {
            const uint32_t more = in.few_bits(static_cast<unsigned>(number & 15));
            w += w < 0 ? -int64_t{more} : int64_t{more};
        }
        w -= rest >= last ? sum : 0;
        in_range &= (w != 0) & (w <= largest) & (w >= -largest);
        out[at] = static_cast<W>(w);
        context.sum = sum + w;
    });
    in.finish();
    require(in_range, "a weight is zero or out of range");
}

template <class W>
void read_weights(const PackedTable& packed, const Places& places, PlainTable<W>& table) {
    table.values.resize(packed.weights);
    if (packed.weights == 0) return require(packed.values.empty(), "a table has more weights than its features");
    const unsigned first = static_cast<unsigned char>(packed.values[0]),
                   bits = first % (1u << (kModeBits + kWidthBits));
    if (first == opening<W>(kPlain)) return read_plain_weights(packed.values, table);
    if constexpr (std::is_integral_v<W>)
        for (const Mode mode : {kAlone, kBalanced})
            if (bits == opening<W>(mode)) return read_coded_weights(packed.values, mode, places, table);
    throw ModelError("a table's weights are coded in an unknown way");
}

}  // namespace

template <class W>
void decode(const PackedTable& packed, PlainTable<W>& table) {
    require(packed.weights <= kMostWeightsPerByte * packed.values.size(), "a table has fewer weights than it says");
    read_keys(packed, table.keys);
    const Places places = read_sizes(packed, table.sizes);
    read_outputs(packed, places, table);
    read_weights(packed, places, table);
}

template void decode(const PackedTable&, PlainTable<int8_t>&);
template void decode(const PackedTable&, PlainTable<int16_t>&);
template void decode(const PackedTable&, PlainTable<float>&);

}  // namespace sapwood
