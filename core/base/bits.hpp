// Numbers packed bit by bit, from the lowest bit of the first byte on.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace sapwood {

// Bits of the numbers 0 to `largest`, at least one.
inline unsigned bits_for(uint64_t largest) {
    return std::max(1u, static_cast<unsigned>(std::bit_width(largest)));
}

// Bytes of `count` numbers. Throws ModelError if there are too many to count.
inline uint64_t bytes_for(uint64_t count, unsigned bits) {
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
        if (bytes_.size() - byte >= 8) [[likely]]
            std::memcpy(&value, bytes_.data() + byte, 8);
        else
            std::memcpy(&value, bytes_.data() + byte, bytes_.size() - byte);
        value >>= offset;
        if (offset + bits > 64)
            value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes_[byte + 8])) << (64 - offset);
        at_ += bits;
        return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
    }
    uint64_t left() const { return bytes_.size() * 8 - at_; }  // bits

  private:
    std::string_view bytes_;
    uint64_t at_ = 0;
};

}  // namespace sapwood
