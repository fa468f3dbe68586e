// Numbers for the different rows of a model's columns, in the order of their first appearance, over many texts.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/random_multiplier.hpp"
#include "text/columns.hpp"

namespace sapwood {

class KnownRows {
  public:
    explicit KnownRows(size_t columns) : columns_(columns) {}

    uint64_t hash(const Columns& rows, size_t row) const {
        uint64_t hash = drawn_;
        for (size_t c = 0; c < columns_; ++c) {
            const std::string_view cell = rows.cell(row, c);
            hash ^= hash_seed(cell.size());
            size_t at = 0;
            for (; cell.size() - at > 8; at += 8) hash = combine(hash, load_bytes(cell.data() + at, 8));
            hash = hash_tail(hash, cell.substr(at));
        }
        return hash;
    }
    void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

    // The number of a row with this hash. A new row gets the next number, which is size() before the call.
    uint32_t number(const Columns& rows, size_t row, uint64_t hash) {
        if (2 * size() >= slots_.size()) grow();
        for (uint64_t at = hash;; ++at) {
            Slot& slot = slots_[at & (slots_.size() - 1)];
            if (slot.number == kFree) {
                slot = {hash, static_cast<uint32_t>(size())};
                add(rows, row);
                return slot.number;
            }
            if (slot.hash == hash && equal(slot.number, rows, row)) return slot.number;
        }
    }

    size_t size() const { return first_.size(); }

  private:
    static constexpr uint32_t kFree = UINT32_MAX;

    struct Slot {
        uint64_t hash = 0;
        uint32_t number = kFree;
    };

    void add(const Columns& rows, size_t row) {
        first_.push_back(text_.size());
        for (size_t c = 0; c < columns_; ++c) {
            text_ += rows.cell(row, c);
            lengths_.push_back(rows.cell(row, c).size());
        }
    }

    bool equal(size_t number, const Columns& rows, size_t row) const {
        const char* known = text_.data() + first_[number];
        for (size_t c = 0; c < columns_; ++c) {
            const std::string_view cell = rows.cell(row, c);
            if (lengths_[number * columns_ + c] != cell.size() || cell != std::string_view(known, cell.size()))
                return false;
            known += cell.size();
        }
        return true;
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.number == kFree) continue;
            uint64_t at = slot.hash;
            while (slots_[at & (slots_.size() - 1)].number != kFree) ++at;
            slots_[at & (slots_.size() - 1)] = slot;
        }
    }

    size_t columns_;
    uint64_t drawn_ = random_multiplier();               // so that text cannot be crafted whose rows crowd in one place
    std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two
    std::string text_;                                   // the cells of all rows
    std::vector<size_t> first_;                          // [rows] where their cells begin
    std::vector<size_t> lengths_;                        // [rows][columns]
};

}  // namespace sapwood
