#include "model/packed_table.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/errors.hpp"

namespace sapwood {

namespace {

// The number of low bits of Elias-Fano: log2(universe / n), rounded down.
unsigned low_bits(unsigned key_bits, uint64_t n) {
    const auto used = n == 0 ? 0u : static_cast<unsigned>(std::bit_width(n) - 1);
    return key_bits > used ? key_bits - used : 0;
}

unsigned bits_for(uint64_t largest) {
    return std::max(1u, static_cast<unsigned>(std::bit_width(largest)));
}

uint64_t bytes_for(uint64_t count, unsigned bits) {
    if (bits != 0 && count > (std::numeric_limits<uint64_t>::max() - 7) / bits)
        throw ModelError("a table is too large");
    return (count * bits + 7) / 8;
}

class BitWriter {
  public:
    explicit BitWriter(std::string& out) : out_(out) {}
    void put(uint64_t value, unsigned bits) {
        for (unsigned done = 0; done < bits;) {
            if (at_ % 8 == 0) out_.push_back(0);
            const auto offset = static_cast<unsigned>(at_ % 8), take = std::min(8 - offset, bits - done);
            const auto part = static_cast<unsigned>(value >> done) & ((1u << take) - 1);
            out_.back() = static_cast<char>(static_cast<unsigned char>(out_.back()) | part << offset);
            at_ += take;
            done += take;
        }
    }

  private:
    std::string& out_;
    uint64_t at_ = 0;
};

class BitReader {
  public:
    explicit BitReader(std::string_view bytes) : bytes_(bytes) {}
    uint64_t get(unsigned bits) {  // at most 64; the caller has checked that they are there
        if (bits == 0) return 0;
        uint64_t value = 0;
        const uint64_t byte = at_ / 8;
        const auto offset = static_cast<unsigned>(at_ % 8);
        std::memcpy(&value, bytes_.data() + byte, std::min<uint64_t>(8, bytes_.size() - byte));
        value >>= offset;
        if (offset + bits > 64)
            value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes_[byte + 8])) << (64 - offset);
        at_ += bits;
        return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
    }

  private:
    std::string_view bytes_;
    uint64_t at_ = 0;
};

void require(bool condition, const char* what) {
    if (!condition) throw ModelError(what);
}

template <class W>
bool is_weight(W w) {
    if constexpr (std::is_floating_point_v<W>) return std::isfinite(w) && w != 0;
    return w != 0 && w != std::numeric_limits<W>::min();
}

}  // namespace

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

    const unsigned l = low_bits(p.key_bits, p.features);
    BitWriter low(p.low), sizes(p.sizes), outputs(p.outputs);
    for (size_t k = 0; k < table.keys.size(); ++k) {
        const uint64_t bit = (l == 64 ? 0 : table.keys[k] >> l) + k;  // the k-th one of the bitmap
        if (p.high.size() <= bit / 8) p.high.resize(bit / 8 + 1);
        p.high[bit / 8] = static_cast<char>(static_cast<unsigned char>(p.high[bit / 8]) | 1u << bit % 8);
        low.put(table.keys[k], l);
        sizes.put(table.sizes[k], p.size_bits);
    }
    for (uint32_t output : table.outputs) outputs.put(output, p.output_bits);
    p.values.assign(reinterpret_cast<const char*>(table.values.data()), table.values.size() * sizeof(W));
    return p;
}

template <class W>
PlainTable<W> unpack(const PackedTable& p) {
    PlainTable<W> table;
    require(p.width >= 1 && p.width <= (uint64_t{1} << 31), "a table's width is out of range");
    require(p.key_bits >= 1 && p.key_bits <= 64, "a table's key_bits is out of range");
    require(p.size_bits >= 1 && p.size_bits <= 32, "a table's size_bits is out of range");
    require(p.output_bits == bits_for(p.width - 1), "a table's output_bits does not fit its width");
    const unsigned l = low_bits(p.key_bits, p.features);
    require(p.features <= p.sizes.size() * 8,
            "a table has fewer sizes than features");  // also bounds all products
    require(p.low.size() == bytes_for(p.features, l), "a table's keys.low has the wrong length");
    require(p.sizes.size() == bytes_for(p.features, p.size_bits), "a table's sizes has the wrong length");
    require(p.weights <= p.values.size() && p.values.size() == p.weights * sizeof(W),
            "a table's weights has the wrong length");
    require(p.outputs.size() == bytes_for(p.weights, p.output_bits), "a table's outputs has the wrong length");

    table.width = p.width;
    table.key_bits = p.key_bits;
    table.keys.reserve(p.features);
    table.sizes.reserve(p.features);
    BitReader low(p.low), sizes(p.sizes), outputs(p.outputs);
    for (uint64_t byte = 0; byte < p.high.size(); ++byte)
        for (auto ones = static_cast<unsigned char>(p.high[byte]); ones != 0;
             ones &= static_cast<unsigned char>(ones - 1)) {
            const uint64_t k = table.keys.size();
            require(k < p.features, "a table has more keys than features");
            const uint64_t high = byte * 8 + static_cast<unsigned>(std::countr_zero(ones)) - k;
            require(l == 64 || high <= std::numeric_limits<uint64_t>::max() >> l, "a table's key is out of range");
            const uint64_t key = (l == 64 ? 0 : high << l) | low.get(l);
            require(p.key_bits == 64 || key >> p.key_bits == 0, "a table's key is out of range");
            require(k == 0 || key > table.keys.back(), "a table's keys do not ascend");
            table.keys.push_back(key);
        }
    require(table.keys.size() == p.features, "a table has fewer keys than features");
    require(p.high.empty() || p.high.back() != 0, "a table's keys.high has bytes to spare");

    table.values.resize(p.weights);
    if (p.weights > 0) std::memcpy(table.values.data(), p.values.data(), p.values.size());
    for (W w : table.values) require(is_weight(w), "a weight is zero, infinite or out of range");
    table.outputs.reserve(p.weights);
    for (uint64_t k = 0; k < p.features; ++k) {
        const auto size = static_cast<uint32_t>(sizes.get(p.size_bits));
        require(size >= 1 && size <= p.weights - table.outputs.size(), "a feature has no weight or too many");
        for (uint32_t j = 0; j < size; ++j) {
            const auto output = static_cast<uint32_t>(outputs.get(p.output_bits));
            require(output < p.width, "an output is out of range");
            require(j == 0 || output > table.outputs.back(), "the outputs of a feature do not ascend");
            table.outputs.push_back(output);
        }
        table.sizes.push_back(size);
    }
    require(table.outputs.size() == p.weights, "a table has more weights than its features");
    return table;
}

template PackedTable pack(const PlainTable<int8_t>&);
template PackedTable pack(const PlainTable<int16_t>&);
template PackedTable pack(const PlainTable<float>&);
template PlainTable<int8_t> unpack(const PackedTable&);
template PlainTable<int16_t> unpack(const PackedTable&);
template PlainTable<float> unpack(const PackedTable&);

}  // namespace sapwood
