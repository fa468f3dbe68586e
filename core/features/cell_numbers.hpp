// Numbers for the different cells of a column, of at most 16 bytes, in the order of their first appearance. Words repeat,
// so what depends on a cell alone (its hash, its shape, its suffixes) is computed once for each different one. A slot
// holds the cell's bytes, so that a lookup touches one line of the cache, which can be asked for ahead; longer cells are
// rare.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/random_multiplier.hpp"

namespace sapwood {

class CellNumbers {
  public:
    static constexpr uint32_t kLong = UINT32_MAX;

    struct Found {
        uint32_t number;  // kLong for a cell of more than 16 bytes, which gets none
        bool fresh;       // whether the cell had no number before
    };

    // The bytes of a cell, read once for prefetch and find.
    class Wanted {
      public:
        explicit Wanted(std::string_view cell) : length(static_cast<uint32_t>(std::min<size_t>(cell.size(), 17))) {
            if (length > 16) return;
            const size_t half = length < 8 ? length : 8;
            bytes[0] = load_bytes(cell.data(), half);
            bytes[1] = load_bytes(cell.data() + half, length - half);
        }

      private:
        friend class CellNumbers;
        uint64_t bytes[2] = {};
        uint32_t length;
    };

    void prefetch(const Wanted& wanted) const { __builtin_prefetch(&slots_[home(wanted) & (slots_.size() - 1)]); }

    Found find(const Wanted& wanted) {
        if (wanted.length > 16) return {kLong, false};
        if (2 * size_ >= slots_.size()) grow();
        Slot& slot = probe(wanted);
        if (slot.number != kFree) return {slot.number, false};
        slot = {{wanted.bytes[0], wanted.bytes[1]}, wanted.length, size_};
        return {size_++, true};
    }

    size_t size() const { return size_; }

  private:
    static constexpr uint32_t kFree = UINT32_MAX;

    struct Slot {
        uint64_t bytes[2] = {};
        uint32_t length = 0, number = kFree;
    };

    template <class Cell>
    uint64_t home(const Cell& cell) const {
        return combine(cell.bytes[0] ^ (drawn_ + cell.length), cell.bytes[1]);
    }

    // The slot of a cell, or the free one where it belongs.
    template <class Cell>
    Slot& probe(const Cell& wanted) {
        for (uint64_t at = home(wanted);; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            const bool same = slot.bytes[0] == wanted.bytes[0] && slot.bytes[1] == wanted.bytes[1];
            if (slot.number == kFree || (same && slot.length == wanted.length)) return slot;
        }
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.number != kFree) probe(slot) = slot;
    }

    uint64_t drawn_ = random_multiplier();  // so that text cannot be crafted whose cells crowd in one place
    uint32_t size_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two
};

}  // namespace sapwood
