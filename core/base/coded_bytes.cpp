#include "base/coded_bytes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/rans.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

using namespace byte_code;

namespace {

constexpr ContextTree kLiteralTree{256, 0};

unsigned char byte_at(std::string_view bytes, size_t place) {
    return static_cast<unsigned char>(bytes[place]);
}

// The contexts in which a reader of steps decodes: the previous byte.
size_t literal_context(std::string_view bytes, size_t place) {
    return place == 0 ? 0 : byte_at(bytes, place - 1);
}

struct Step {
    size_t literals, length, distance;  // length 0: no match follows
};

// Finds matches by chains of places whose next four bytes have the same hash.
class Matcher {
  public:
    explicit Matcher(std::string_view bytes) : bytes_(bytes), last_(kHashes, kNone), before_(bytes.size(), kNone) {}

    struct Match {
        size_t length = 0, distance = 0;
        // Bits that the match saves, roughly: a literal takes 4, a match 8 and those of its distance.
        int gain() const {
            return length == 0 ? 0 : static_cast<int>(4 * length) - 8 - static_cast<int>(std::bit_width(distance));
        }
    };

    // The best match at a place, among the last places with the same hash. All places before have to be added.
    Match best(size_t place) const {
        Match found;
        if (place + kLeastMatch > bytes_.size()) return found;
        size_t at = last_[hash(place)], steps = 0;
        for (int tried = 0; at != kNone && tried < kTried; ++tried, at = before_[at]) {
            size_t length = 0;
            while (place + length < bytes_.size() && bytes_[at + length] == bytes_[place + length]) ++length;
            steps += length;
            const Match match{length, place - at};
            if (length >= kLeastMatch && match.gain() > found.gain()) found = match;
        }
        StopCheck::every(place, steps);
        return found;
    }

    void add(size_t place) {
        if (place + kLeastMatch > bytes_.size()) return;
        size_t& last = last_[hash(place)];
        before_[place] = std::exchange(last, place);
    }

  private:
    static constexpr size_t kNone = SIZE_MAX, kHashes = size_t{1} << 16;
    static constexpr int kTried = 64;

    size_t hash(size_t place) const {
        uint32_t four = 0;
        for (size_t k = 0; k < kLeastMatch; ++k) four |= uint32_t{byte_at(bytes_, place + k)} << 8 * k;
        return four * 2654435761u >> 16;
    }

    std::string_view bytes_;
    std::vector<size_t> last_;    // [hashes] last place
    std::vector<size_t> before_;  // [places] the place before with the same hash
};

// A match is taken unless the one that begins a byte later saves more.
std::vector<Step> steps_of(std::string_view bytes) {
    std::vector<Step> steps;
    Matcher matcher(bytes);
    size_t first = 0, place = 0;  // of the literals, and after them
    Matcher::Match match = matcher.best(0);
    while (place < bytes.size()) {
        matcher.add(place);
        const Matcher::Match next = matcher.best(place + 1);
        if (match.length == 0 || next.gain() > match.gain() + 4) {
            match = next;
            ++place;
            continue;
        }
        steps.push_back({place - first, match.length, match.distance});
        for (size_t k = 1; k < match.length; ++k) matcher.add(place + k);
        first = place += match.length;
        match = matcher.best(place);
    }
    if (first < bytes.size()) steps.push_back({bytes.size() - first, 0, 0});
    return steps;
}

// Counts numbers, and then writes them.
struct Numbers {
    std::vector<uint32_t> counts = std::vector<uint32_t>(kNumberSymbols);
    CodeTables tables;

    void count(uint64_t number) { ++counts[NumberCode::of(number).symbol]; }
    void write(RansWriter& out, uint64_t number) const {
        const NumberCode code = NumberCode::of(number);
        out.symbol(tables.tables[0], code.symbol);
        out.bits(number, code.bits);
    }
};

// Tables of numbers that do not occur have one symbol.
void put_tables(BitWriter& bits, Numbers& numbers) {
    if (std::ranges::all_of(numbers.counts, [](uint32_t n) { return n == 0; })) numbers.counts[0] = 1;
    numbers.tables = CodeTables::of(numbers.counts, kNumberSymbols, {});
    numbers.tables.write(bits, {});
}

}  // namespace

std::string code_bytes(std::string_view bytes) {
    if (bytes.empty()) return "";
    const std::vector<Step> steps = steps_of(bytes);
    Numbers runs, lengths, distances;
    std::vector<uint32_t> literals(kLiteralTree.size() * 256);
    const auto each_literal = [&](const Step& step, size_t first, auto&& visit) {
        for (size_t k = first; k < first + step.literals; ++k) visit(literal_context(bytes, k), byte_at(bytes, k));
    };
    size_t place = 0;
    for (const Step& step : steps) {
        runs.count(step.literals);
        each_literal(step, place, [&](size_t context, unsigned char byte) { ++literals[context * 256 + byte]; });
        place += step.literals + step.length;
        if (step.length == 0) continue;
        lengths.count(step.length - kLeastMatch);
        distances.count(step.distance - 1);
    }
    std::string out;
    BitWriter bits(out);
    for (Numbers* numbers : {&runs, &lengths, &distances}) put_tables(bits, *numbers);
    const CodeTables tables = CodeTables::of(literals, 256, kLiteralTree);
    tables.write(bits, kLiteralTree);
    RansWriter writer;
    place = 0;
    for (const Step& step : steps) {
        runs.write(writer, step.literals);
        each_literal(step, place, [&](size_t context, unsigned char byte) {
            writer.symbol(tables.tables[tables.table_of[context]], byte);
        });
        place += step.literals + step.length;
        if (step.length == 0) continue;
        lengths.write(writer, step.length - kLeastMatch);
        distances.write(writer, step.distance - 1);
    }
    writer.finish(out);
    if (out.size() >= bytes.size() || bytes.size() / kMostBytesPerByte >= out.size()) return std::string(bytes);
    return out;
}

std::string decode_bytes(std::string_view code, size_t size, const char* what) {
    const auto fail = [&](const char* why) { throw ModelError(std::string(what) + why); };
    if (size / kMostBytesPerByte >= code.size()) fail(" are fewer than they claim to be");
    BitReader bits(code);
    const auto tables_of = [&](uint32_t alphabet, ContextTree tree) {
        return SlotTables<>(CodeTables::read(bits, alphabet, tree, what));
    };
    const SlotTables<> runs = tables_of(kNumberSymbols, {}), lengths = tables_of(kNumberSymbols, {}),
                       distances = tables_of(kNumberSymbols, {}), literals = tables_of(256, kLiteralTree);
    const auto rest = static_cast<unsigned>(bits.left() % 8);
    if (rest != 0 && bits.get(rest) != 0) fail(" have bits set between their tables and their states");
    RansReader in(code.substr(code.size() - bits.left() / 8), what);
    std::string out;
    out.reserve(size);
    for (size_t round = 0; out.size() < size; ++round) {
        const uint64_t run = runs.read_number(in);
        StopCheck::every(round, run);
        if (run > size - out.size()) fail(" are more than they claim to be");
        for (uint64_t k = 0; k < run; ++k) {
            in.check();
            out.push_back(static_cast<char>(literals.read(in, literal_context(out, out.size()))));
        }
        if (out.size() == size) break;
        const uint64_t length = lengths.read_number(in), distance = distances.read_number(in);
        if (length > size - out.size() || length + kLeastMatch > size - out.size())
            fail(" are more than they claim to be");
        if (distance >= out.size()) fail(" repeat what is before their beginning");
        for (size_t k = 0, from = out.size() - distance - 1; k < length + kLeastMatch; ++k)
            out.push_back(out[from + k]);
    }
    in.finish();
    return out;
}

}  // namespace sapwood
