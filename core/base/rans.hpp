// Codes the numbers of a model file with rANS (range asymmetric numeral systems; Duda 2013, arXiv:1311.2540).
//
// A symbol whose frequency is f, out of 2,048, takes log2(2048 / f) bits. The coder's state x is an integer of 32 bits,
// at least 2^16. Let `start` be the sum of the frequencies of all smaller symbols. Reading a symbol is
//
//     slot = x mod 2048;  symbol: the one with start <= slot < start + f
//     x = f * (x / 2048) + slot - start;  if x < 2^16: x = x * 2^16 + the next word of 16 bits
//
// Plain bits are bits without frequencies. Reading k <= 16 of them gives x mod 2^k; then x = x / 2^k, with the same
// refill. Four states take turns, one step each, so that the processor can work on four steps at a time. Writing is the
// reverse, from the last symbol to the first. It begins with all states at 2^16, so a reader has to end there.
//
// Frequencies are static and stand before the stream (`CodeTables`). The context of a symbol decides which table of
// frequencies is used. Contexts form a tree: a root, outer contexts, inner contexts. A context has a table of its own
// only if that makes the stream smaller; otherwise it uses the table of its parent.
//
// All arithmetic is on integers, so the same numbers give the same bytes on every machine.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/bits.hpp"
#include "base/errors.hpp"

namespace sapwood {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in the file");

constexpr unsigned kFrequencyBits = 11;
constexpr unsigned kStates = 4;

// A number as a symbol and plain bits. A number below 16 is its own symbol. The symbol of a larger number says its
// highest four bits and how many plain bits follow.
struct NumberCode {
    uint32_t symbol;
    unsigned bits;  // number of plain bits that follow the symbol

    static constexpr NumberCode of(uint64_t number) {
        if (number < 16) return {static_cast<uint32_t>(number), 0};
        const auto bits = static_cast<unsigned>(std::bit_width(number)) - 4;
        return {16 + (bits - 1) * 8 + static_cast<uint32_t>(number >> bits & 7), bits};
    }
    static constexpr unsigned bits_after(uint32_t symbol) { return symbol < 16 ? 0 : (symbol - 16) / 8 + 1; }
    // The number if all plain bits are 0.
    static constexpr uint64_t least(uint32_t symbol) {
        if (symbol < 16) return symbol;
        return uint64_t{8 + (symbol - 16) % 8} << bits_after(symbol);
    }
};
constexpr uint32_t kNumberSymbols = 16 + 60 * 8;  // enough for all numbers below 2^64

// The number of a symbol if all plain bits are 0, and how many plain bits follow, by symbol.
struct NumberMeaning {
    uint64_t least;
    unsigned bits;
};
inline constexpr auto kNumberMeanings = [] {
    std::array<NumberMeaning, kNumberSymbols> all{};
    for (uint32_t s = 0; s < kNumberSymbols; ++s) all[s] = {NumberCode::least(s), NumberCode::bits_after(s)};
    return all;
}();

// The number of outer contexts, and the number of inner contexts that each outer context has.
struct ContextTree {
    uint32_t outer = 0, inner = 0;
    // The index of a context in `CodeTables::table_of`. In a tree without inner contexts `in` is 0.
    size_t at(uint32_t out, uint32_t in) const { return size_t{out} * (inner == 0 ? 1 : inner) + in; }
    size_t size() const { return outer == 0 ? 1 : at(outer, 0); }
};

// The frequencies of the symbols that occur in one context. They add up to 2,048.
struct CodeTable {
    struct Entry {
        uint16_t symbol, frequency, start;
    };
    std::vector<uint8_t> levels;  // [alphabet] 0 for a symbol that does not occur, otherwise 1 to kMostLevels
    std::vector<Entry> entries;   // [symbols that occur] ascending

    static constexpr unsigned kMostLevels = 32;
    // Frequencies are proportional to 2, 3, 4, 6, 8, 12, 16 ... by level.
    static uint64_t proportion(unsigned level) { return uint64_t{2 + (level - 1) % 2} << (level - 1) / 2; }
    void set_frequencies();
    // The bits that a symbol of some frequency takes, rounded up to a multiple of 2^-16.
    static double bits(uint32_t frequency);
};

// The tables of all contexts of a stream.
struct CodeTables {
    std::vector<CodeTable> tables;   // the first is the root's
    std::vector<uint32_t> table_of;  // [contexts] the index of the table that the context uses

    // Chooses the tables. counts: [contexts][alphabet], how often each symbol occurs in each context.
    static CodeTables of(const std::vector<uint32_t>& counts, uint32_t alphabet, ContextTree tree);
    void write(BitWriter& out, ContextTree tree) const;
    // Throws ModelError, whose message begins with `what`, if the bits are not valid tables.
    static CodeTables read(BitReader& in, uint32_t alphabet, ContextTree tree, const char* what);
};

// Collects symbols in reading order; writes them backwards.
class RansWriter {
  public:
    void symbol(const CodeTable& table, uint32_t symbol);
    void bits(uint64_t value, unsigned count);  // in steps of 16, the lowest first
    // Appends the states and the words.
    void finish(std::string& out) const;

  private:
    struct Step {
        uint16_t start, frequency;  // frequency 0: `start` is plain bits
        uint8_t bits;
    };
    std::vector<Step> steps_;
};

// A table for reading: the entry of the symbol that each slot belongs to. The number of an entry is kept in one byte, so
// that many tables fit into the cache. In alphabets of more than 256 symbols (`wide`) it is counted from the entry of the
// first slot of the same block, of 256 slots. A block cannot have more entries than slots.
template <bool wide>
struct SlotTable {
    struct Entry {
        uint16_t frequency, start;
        int32_t meaning;  // of the symbol
    };
    static constexpr unsigned kBlock = 256;
    static constexpr size_t kSlots = size_t{1} << kFrequencyBits, kBlocks = wide ? kSlots / kBlock : 0;
    struct Numbers {
        uint8_t of_slot[kSlots];  // counted from the number of the block
        uint16_t of_block[kBlocks];
    };
    const Entry* entries;
    const Numbers* numbers;

    [[gnu::always_inline]] const Entry& operator[](uint32_t slot) const {
        const uint32_t number = numbers->of_slot[slot];
        if constexpr (wide) return entries[number + numbers->of_block[slot / kBlock]];
        return entries[number];
    }
};

// Its functions are inlined, so that the states of a reader that is a local variable are in registers.
class RansReader {
  public:
    // Throws ModelError if there are no states in `bytes`.
    RansReader(std::string_view bytes, const char* what) : what_(what) {
        if (bytes.size() < 4 * kStates || bytes.size() % 2 != 0) fail(" are not a coded stream");
        words_.resize(bytes.size() / 2 + kAhead);
        std::memcpy(words_.data(), bytes.data(), bytes.size());  // the lower byte of a word is its first
        next_ = words_.data();
        end_ = next_ + bytes.size() / 2;
        for (uint32_t* x : {&x0_, &x1_, &x2_, &x3_}) {
            *x = next_[0] | uint32_t{next_[1]} << 16;
            next_ += 2;
            if (*x < kLeast) fail(" are not a coded stream");
        }
    }
    RansReader(RansReader&&) = default;  // a copy would read the words of this one

    // Throws ModelError if more was read than there is. Between two calls at most kAhead words may be read: a symbol takes
    // at most one, and plain bits one for 16.
    [[gnu::always_inline]] void check() const {
        if (next_ > end_) [[unlikely]]
            fail(" end too early");
    }

    // Reads a symbol by a table, and returns its meaning.
    template <bool wide>
    [[gnu::always_inline]] int32_t symbol(const SlotTable<wide>& table) {
        const uint32_t slot = x0_ & (kSlots - 1);
        const auto& entry = table[slot];
        turn(entry.frequency * (x0_ >> kFrequencyBits) + slot - entry.start);
        return entry.meaning;
    }

    // At most 16 plain bits, in one step.
    [[gnu::always_inline]] uint32_t few_bits(unsigned count) {
        const uint32_t value = x0_ & ((1u << count) - 1);
        turn(x0_ >> count);
        return value;
    }

    [[gnu::always_inline]] uint64_t bits(unsigned count) {
        if (count <= 16) [[likely]]
            return few_bits(count);
        uint64_t value = 0;
        for (unsigned done = 0; done < count; done += 16)
            value |= uint64_t{few_bits(std::min(16u, count - done))} << done;
        return value;
    }

    // Throws ModelError if the stream ended too early, or if words are left.
    void finish() const {
        for (const uint32_t x : {x0_, x1_, x2_, x3_})
            if (x != kLeast || next_ != end_) fail(" end too early or too late");
    }

    static constexpr uint32_t kLeast = 1u << 16, kSlots = 1u << kFrequencyBits;
    static constexpr size_t kAhead = 16;  // zeros behind the words

  private:
    [[noreturn]] void fail(const char* why) const { throw_error(what_, why); }
    [[noreturn]] static void throw_error(const char* what, const char* why) {
        throw ModelError(std::string(what) + why);
    }

    [[gnu::always_inline]] void turn(uint32_t x) {
        const bool due = x < kLeast;
        uint32_t refilled = x << 16 | *next_;
        asm("" : "+r"(refilled));  // so that there is no branch: no processor can predict when a refill is due
        next_ += due;
        x = due ? refilled : x;
        x0_ = x1_;
        x1_ = x2_;
        x2_ = x3_;
        x3_ = x;
    }

    uint32_t x0_ = 0, x1_ = 0, x2_ = 0, x3_ = 0;  // states, in the order of their turns
    const uint16_t *next_ = nullptr, *end_ = nullptr;
    std::vector<uint16_t> words_;
    const char* what_;
};

// The tables for reading of all contexts.
template <bool wide = false>
class SlotTables {
  public:
    // meaning(symbol): what reading it returns. Throws ModelError if a table that is not wide has more than 256 symbols.
    template <class Meaning>
    SlotTables(const CodeTables& tables, Meaning&& meaning);
    explicit SlotTables(const CodeTables& tables)
        : SlotTables(tables, [](uint32_t symbol) { return static_cast<int32_t>(symbol); }) {}
    const SlotTable<wide>& operator[](size_t context) const { return of_context_[context]; }
    [[gnu::always_inline]] uint32_t read(RansReader& in, size_t context = 0) const {
        return static_cast<uint32_t>(in.symbol(of_context_[context]));
    }
    // Reads a number in NumberCode with `low` < 64 further plain bits below it. Throws ModelError if the stream has ended,
    // or if the result is 2^64 or more.
    [[gnu::always_inline]] uint64_t read_number(RansReader& in, unsigned low = 0) const {
        in.check();
        const uint32_t symbol = read(in);
        if (symbol < 16 && low == 0) [[likely]]
            return symbol;
        const auto [least, bits] = kNumberMeanings[symbol];
        if (least > UINT64_MAX >> low) [[unlikely]]
            throw ModelError("a number in a coded stream is too large");
        return (least << low) + in.bits(bits + low);
    }

  private:
    using Table = SlotTable<wide>;
    std::vector<typename Table::Numbers> numbers_;  // [tables]
    std::vector<typename Table::Entry> entries_;    // of all tables
    std::vector<Table> of_context_;
};

template <bool wide>
template <class Meaning>
SlotTables<wide>::SlotTables(const CodeTables& tables, Meaning&& meaning) : numbers_(tables.tables.size()) {
    std::vector<size_t> first;
    for (size_t t = 0; t < numbers_.size(); ++t) {
        first.push_back(entries_.size());
        const std::vector<CodeTable::Entry>& entries = tables.tables[t].entries;
        if (!wide && entries.size() > 256) throw ModelError("a coded stream has a table that is too large");
        for (size_t number = 0, from = 0; number < entries.size(); ++number) {
            const auto& [symbol, frequency, start] = entries[number];
            entries_.push_back({frequency, start, meaning(symbol)});
            for (size_t slot = start, end = start + frequency, stop; slot < end; slot = stop) {
                if (wide && slot % Table::kBlock == 0)
                    numbers_[t].of_block[slot / Table::kBlock] = static_cast<uint16_t>(from = number);
                stop = wide ? std::min(end, (slot / Table::kBlock + 1) * Table::kBlock) : end;
                std::memset(numbers_[t].of_slot + slot, static_cast<uint8_t>(number - from), stop - slot);
            }
        }
    }
    for (const uint32_t table : tables.table_of)
        of_context_.push_back({entries_.data() + first[table], &numbers_[table]});
}

}  // namespace sapwood
