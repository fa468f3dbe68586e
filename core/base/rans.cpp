#include "base/rans.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "base/stop_check.hpp"

namespace sapwood {

namespace {

constexpr uint32_t kSlots = RansReader::kSlots;

// 2^16 * log2(n), rounded down, for n from 1 to 2,048. Each squaring of the mantissa gives one more bit of the logarithm.
uint64_t log2_of(uint32_t n) {
    const auto whole = static_cast<unsigned>(std::bit_width(n)) - 1;
    uint64_t log = whole, mantissa = (uint64_t{n} << 31) >> whole;  // 2^31 <= mantissa < 2^32
    for (int k = 0; k < 16; ++k) {
        mantissa = mantissa * mantissa >> 31;
        log <<= 1;
        if (mantissa >> 32 != 0) {
            mantissa >>= 1;
            log |= 1;
        }
    }
    return log;
}

// [2049] cost of a symbol by its frequency, in units of 2^-16 bits.
const std::array<uint32_t, kSlots + 1>& costs() {
    static const auto all = [] {
        std::array<uint32_t, kSlots + 1> costs{};
        for (uint32_t f = 1; f <= kSlots; ++f) costs[f] = static_cast<uint32_t>((kFrequencyBits << 16) - log2_of(f));
        return costs;
    }();
    return all;
}

using SymbolCounts = std::span<const uint64_t>;

uint64_t cost_of(SymbolCounts counts, const CodeTable& table) {
    uint64_t cost = 0;
    for (const auto& [symbol, frequency, start] : table.entries) cost += counts[symbol] * costs()[frequency];
    return cost;
}

CodeTable make_table(SymbolCounts counts) {
    CodeTable table;
    table.levels.resize(counts.size());
    const uint64_t total = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    for (size_t s = 0; s < counts.size(); ++s) {
        if (counts[s] == 0) continue;
        const uint64_t share = std::max<uint64_t>(2, counts[s] * 2 * kSlots / total);
        unsigned level = 1;
        while (2 * share >= CodeTable::proportion(level) + CodeTable::proportion(level + 1)) ++level;
        table.levels[s] = static_cast<uint8_t>(level);
    }
    table.set_frequencies();
    return table;
}

// Levels are written as differences from what they would be if the parent's all moved alike.
constexpr int kFirstLevel = 8;  // of a root
constexpr unsigned kRiceBits = 1;

struct Expected {
    const std::vector<uint8_t>* parent;  // none: a root
    int shift = parent == nullptr ? kFirstLevel : 0;

    bool possible(size_t s) const { return parent == nullptr || (*parent)[s] != 0; }
    int base(size_t s) const { return parent == nullptr ? 0 : (*parent)[s]; }
};

// Elias gamma: as many ones as bits follow the highest one, a zero, those bits.
void write_gamma(BitWriter& out, uint64_t number) {
    const auto more = static_cast<unsigned>(std::bit_width(number)) - 1;
    for (unsigned k = 0; k < more; ++k) out.put(1, 1);
    out.put(0, 1);
    out.put(number, more);
}

void write_levels(BitWriter& out, const std::vector<uint8_t>& levels, const std::vector<uint8_t>* parent) {
    Expected expected{parent};
    write_gamma(out, static_cast<uint64_t>(std::ranges::count_if(levels, [](uint8_t level) { return level != 0; })));
    uint64_t passed = 0;
    for (size_t s = 0; s < levels.size(); ++s) {
        if (!expected.possible(s)) continue;
        ++passed;
        if (levels[s] == 0) continue;
        write_gamma(out, passed);
        passed = 0;
        const int more = levels[s] - expected.base(s) - expected.shift;
        expected.shift += more;
        const auto zigzag = static_cast<unsigned>(more < 0 ? -2 * more - 1 : 2 * more);
        for (unsigned k = zigzag >> kRiceBits; k > 0; --k) out.put(1, 1);
        out.put(0, 1);
        out.put(zigzag, kRiceBits);
    }
}

uint64_t bits_of_levels(const std::vector<uint8_t>& levels, const std::vector<uint8_t>* parent) {
    std::string bytes;
    BitWriter out(bytes);
    write_levels(out, levels, parent);
    return bytes.size() * 8;
}

class TableReader {
  public:
    TableReader(BitReader& in, const char* what) : in_(in), what_(what) {}

    uint64_t bits(unsigned count) {
        if (in_.left() < count) fail(" end within their tables");
        return in_.get(count);
    }
    // The number of ones before the next zero, which is passed, too.
    unsigned ones() {
        for (unsigned ones = 0;;) {
            const auto looked = static_cast<unsigned>(std::min<uint64_t>(in_.left(), 32));
            if (looked == 0) fail(" end within their tables");
            const auto here = static_cast<unsigned>(std::countr_one(BitReader(in_).get(looked)));
            in_.get(std::min(here + 1, looked));
            ones += here;
            if (here < looked) return ones;
            if (ones > kMostOnes) fail(" have a number that is too large");
        }
    }

    uint64_t gamma() {
        const unsigned more = ones();
        if (more > 10) fail(" have a table that is too large");
        return uint64_t{1} << more | bits(more);
    }

    CodeTable table(uint32_t alphabet, const std::vector<uint8_t>* parent) {
        CodeTable table;
        table.levels.resize(alphabet);
        Expected expected{parent};
        size_t s = 0;  // the symbol after the one read
        for (uint64_t count = gamma(); count > 0; --count) {
            for (uint64_t pass = gamma(); pass > 0; --pass) {
                while (s < alphabet && !expected.possible(s)) ++s;
                if (s++ >= alphabet) fail(" have a table of more symbols than there are");
            }
            const unsigned zigzag = ones() << kRiceBits | static_cast<unsigned>(bits(kRiceBits));
            const int more = zigzag % 2 == 1 ? -static_cast<int>(zigzag / 2) - 1 : static_cast<int>(zigzag / 2);
            expected.shift += more;
            const int level = expected.base(s - 1) + expected.shift;
            if (level < 1 || level > static_cast<int>(CodeTable::kMostLevels)) fail(" have a frequency out of range");
            table.levels[s - 1] = static_cast<uint8_t>(level);
        }
        table.set_frequencies();
        return table;
    }

  private:
    [[noreturn]] void fail(const char* why) const { throw ModelError(std::string(what_) + why); }

    static constexpr unsigned kMostOnes = 1024;  // no number has so many

    BitReader& in_;
    const char* what_;
};

}  // namespace

void CodeTable::set_frequencies() {
    uint64_t sum = 0;
    size_t top = 0;  // among the entries: the first of the highest level
    entries.clear();
    entries.reserve(levels.size() - static_cast<size_t>(std::ranges::count(levels, 0)));
    for (size_t s = 0; s < levels.size(); ++s) {
        if (levels[s] == 0) continue;
        sum += proportion(levels[s]);
        if (!entries.empty() && levels[s] > levels[entries[top].symbol]) top = entries.size();
        entries.push_back({static_cast<uint16_t>(s), 0, 0});
    }
    const uint64_t shared = kSlots - entries.size();
    uint32_t left = kSlots;
    for (Entry& entry : entries) {
        entry.frequency = static_cast<uint16_t>(1 + proportion(levels[entry.symbol]) * shared / sum);
        left -= entry.frequency;
    }
    entries[top].frequency = static_cast<uint16_t>(entries[top].frequency + left);
    uint32_t start = 0;
    for (Entry& entry : entries) {
        entry.start = static_cast<uint16_t>(start);
        start += entry.frequency;
    }
}

double CodeTable::bits(uint32_t frequency) {
    return static_cast<double>(costs()[frequency]) / (1 << 16);
}

CodeTables CodeTables::of(const std::vector<uint32_t>& counts, uint32_t alphabet, ContextTree tree) {
    // The sum of the counts of some contexts; empty if they are all 0, as most are in wide tables.
    const auto sum = [&](size_t from, size_t to) {
        std::vector<uint64_t> total;
        for (size_t c = from; c < to; ++c) {
            const auto here = std::span(counts).subspan(c * alphabet, alphabet);
            if (std::ranges::all_of(here, [](uint32_t n) { return n == 0; })) continue;
            total.resize(alphabet);
            for (uint32_t s = 0; s < alphabet; ++s) total[s] += here[s];
        }
        return total;
    };
    CodeTables all;
    all.table_of.assign(tree.size(), 0);
    all.tables.push_back(make_table(sum(0, tree.size())));
    for (uint32_t c = 0; c < tree.outer; ++c) {
        const size_t begin = tree.at(c, 0), end = tree.at(c + 1, 0);
        StopCheck::now();
        const std::vector<uint64_t> here = sum(begin, end);
        if (here.empty()) continue;
        CodeTable own = make_table(here);
        uint64_t cost = bits_of_levels(own.levels, &all.tables[0].levels) << 16;
        std::vector<std::pair<size_t, CodeTable>> inner;
        for (size_t in = begin; in < end; ++in) {
            const std::vector<uint64_t> part = sum(in, in + 1);
            if (part.empty()) continue;
            const uint64_t shared = cost_of(part, own);
            cost += shared;
            if (tree.inner == 0) continue;
            CodeTable mine = make_table(part);
            const uint64_t alone = cost_of(part, mine) + (bits_of_levels(mine.levels, &own.levels) << 16);
            if (alone >= shared) continue;
            cost = cost - shared + alone;
            inner.emplace_back(in, std::move(mine));
        }
        if (cost >= cost_of(here, all.tables[0])) continue;
        std::fill(all.table_of.begin() + static_cast<ptrdiff_t>(begin),
                  all.table_of.begin() + static_cast<ptrdiff_t>(end), static_cast<uint32_t>(all.tables.size()));
        all.tables.push_back(std::move(own));
        for (auto& [in, mine] : inner) {
            all.table_of[in] = static_cast<uint32_t>(all.tables.size());
            all.tables.push_back(std::move(mine));
        }
    }
    return all;
}

// Tables are written in the order in which contexts first use them: a parent before its children.
void CodeTables::write(BitWriter& out, ContextTree tree) const {
    write_levels(out, tables[0].levels, nullptr);
    uint32_t next = 1;
    for (uint32_t c = 0; c < tree.outer; ++c) {
        const size_t begin = tree.at(c, 0), end = tree.at(c + 1, 0);
        const bool own = std::any_of(table_of.begin() + static_cast<ptrdiff_t>(begin),
                                     table_of.begin() + static_cast<ptrdiff_t>(end), [](uint32_t t) { return t != 0; });
        out.put(own, 1);
        if (!own) continue;
        const uint32_t parent = next++;
        write_levels(out, tables[parent].levels, &tables[0].levels);
        if (tree.inner == 0) continue;
        for (size_t in = begin; in < end; ++in) {
            const bool mine = table_of[in] != parent;
            out.put(mine, 1);
            if (mine) write_levels(out, tables[next++].levels, &tables[parent].levels);
        }
    }
}

CodeTables CodeTables::read(BitReader& in, uint32_t alphabet, ContextTree tree, const char* what) {
    TableReader reader(in, what);
    CodeTables all;
    all.table_of.assign(tree.size(), 0);
    all.tables.push_back(reader.table(alphabet, nullptr));
    for (uint32_t c = 0; c < tree.outer; ++c) {
        if (reader.bits(1) == 0) continue;
        const auto parent = static_cast<uint32_t>(all.tables.size());
        all.tables.push_back(reader.table(alphabet, &all.tables[0].levels));
        for (size_t k = tree.at(c, 0); k < tree.at(c + 1, 0); ++k) {
            all.table_of[k] = parent;
            if (tree.inner == 0 || reader.bits(1) == 0) continue;
            all.table_of[k] = static_cast<uint32_t>(all.tables.size());
            all.tables.push_back(reader.table(alphabet, &all.tables[parent].levels));
        }
    }
    return all;
}

void RansWriter::symbol(const CodeTable& table, uint32_t symbol) {
    const auto entry = std::ranges::lower_bound(table.entries, symbol, {}, &CodeTable::Entry::symbol);
    steps_.push_back({entry->start, entry->frequency, kFrequencyBits});
}

void RansWriter::bits(uint64_t value, unsigned count) {
    for (unsigned done = 0; done < count; done += 16) {
        const unsigned take = std::min(16u, count - done);
        const auto part = static_cast<uint32_t>(value >> done) & ((1u << take) - 1);
        steps_.push_back({static_cast<uint16_t>(part), 0, static_cast<uint8_t>(take)});
    }
}

void RansWriter::finish(std::string& out) const {
    uint32_t states[kStates];
    std::ranges::fill(states, RansReader::kLeast);
    std::vector<uint16_t> words;  // backwards
    for (size_t k = steps_.size(); k-- > 0;) {
        StopCheck::every(k);
        const Step& step = steps_[k];
        uint32_t& x = states[k % kStates];
        const uint64_t frequency = step.frequency == 0 ? 1 : step.frequency;
        if (x >= frequency << (32 - step.bits)) {
            words.push_back(static_cast<uint16_t>(x));
            x >>= 16;
        }
        if (step.frequency == 0)
            x = x << step.bits | step.start;
        else
            x = x / step.frequency << kFrequencyBits | (x % step.frequency + step.start);
    }
    const auto put = [&](uint16_t word) {
        out.push_back(static_cast<char>(word & 255));
        out.push_back(static_cast<char>(word >> 8));
    };
    for (const uint32_t x : states) {
        put(static_cast<uint16_t>(x));
        put(static_cast<uint16_t>(x >> 16));
    }
    for (size_t k = words.size(); k-- > 0;) put(words[k]);
}

}  // namespace sapwood
