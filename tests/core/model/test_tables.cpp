// Packed tables, the damage that unpack() detects, and frozen tables.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "check.hpp"
#include "model/freeze.hpp"
#include "model/freeze_options.hpp"
#include "model/frozen_model.hpp"
#include "model/packed_table.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

template <class W>
W random_weight(Random& random) {
    if constexpr (std::is_floating_point_v<W>) {
        const int w = random.between(-1000, 1000);
        return static_cast<float>(w == 0 ? 1 : w) / 8;  // sums of these are exact
    } else {
        const int largest = std::numeric_limits<W>::max(), w = random.between(-largest, largest);
        return static_cast<W>(w == 0 ? 1 : w);
    }
}

template <class W>
PlainTable<W> random_table(Random& random, size_t features, unsigned key_bits, size_t width) {
    PlainTable<W> table;
    table.width = width;
    table.key_bits = key_bits;
    if (key_bits < 10) features = std::min(features, size_t{1} << key_bits);
    std::set<uint64_t> keys;
    while (keys.size() < features) keys.insert(random.bits() >> (64 - key_bits));
    table.keys.assign(keys.begin(), keys.end());
    for (size_t k = 0; k < features; ++k) {
        std::set<uint32_t> outputs;
        for (size_t n = random.below(std::min<size_t>(width, 9)) + 1; outputs.size() < n;)
            outputs.insert(static_cast<uint32_t>(random.below(width)));
        table.sizes.push_back(static_cast<uint32_t>(outputs.size()));
        for (uint32_t output : outputs) {
            table.outputs.push_back(output);
            table.values.push_back(random_weight<W>(random));
        }
    }
    return table;
}

template <class W>
bool operator==(const PlainTable<W>& a, const PlainTable<W>& b) {
    return a.width == b.width && a.key_bits == b.key_bits && a.keys == b.keys && a.sizes == b.sizes &&
           a.outputs == b.outputs && a.values == b.values;
}

// Packed or coded, a table stays what it is, and its coded form does not depend on where it comes from.
template <class W>
void check_round_trip(const PlainTable<W>& table) {
    constexpr unsigned bits = sizeof(W) * 8;
    const PackedTable packed = pack(table), in_code = coded(packed, bits), again = uncoded(in_code, bits);
    CHECK(in_code.coded && !again.coded);
    CHECK(unpack<W>(packed) == table);
    CHECK(unpack<W>(in_code) == table);
    CHECK(unpack<W>(again) == table);
    const auto size = [](const PackedTable& t) {
        return t.high.size() + t.low.size() + t.sizes.size() + t.outputs.size() + t.values.size();
    };
    CHECK_EQ(size(again), size(packed));
    CHECK_EQ(coded(again, bits).values, in_code.values);
}

template <class W>
void test_round_trip() {
    Random random(sizeof(W));
    for (unsigned key_bits = 4; key_bits <= 64; ++key_bits)
        for (size_t features : {0, 1, 2, 7, 64, 300})
            for (size_t width : {1, 2, 23, 64, 65, 1000}) {
                if (width == 1000 && key_bits % 10 != 0) continue;
                const PlainTable<W> table = random_table<W>(random, features, key_bits, width);
                check_round_trip(table);
            }
    for (size_t width : {255, 256, 257})
        check_round_trip(random_table<W>(random, 2000, 40, width));  // byte by byte, or not
    PlainTable<W> extremes;  // the first and last key, the first and last output, a feature with all outputs
    extremes.width = 5;
    extremes.keys = {0, 1, UINT64_MAX - 1, UINT64_MAX};
    extremes.sizes = {1, 5, 1, 1};
    extremes.outputs = {4, 0, 1, 2, 3, 4, 0, 4};
    extremes.values.assign(8, std::numeric_limits<W>::max());
    check_round_trip(extremes);
    extremes = {uint64_t{1} << 31, 64, {3}, {2}, {0, (1u << 31) - 1}, {1, 2}};
    check_round_trip(extremes);
    extremes = {1, 64, {UINT64_MAX}, {1}, {0}, {1}};
    check_round_trip(extremes);
}

// The layout is a file format: these bytes must not change.
void test_bytes() {
    // Keys of 4 bits 2, 7, 15: two low bits each (10 11 11), high parts 0, 1, 3 in unary (1 01 001).
    const PlainTable<int8_t> table{3, 4, {2, 7, 15}, {1, 2, 1}, {1, 0, 2, 2}, {5, -5, 127, -127}};
    const PackedTable p = pack(table);
    CHECK_EQ(p.features, 3u);
    CHECK_EQ(p.weights, 4u);
    CHECK_EQ(p.size_bits, 2u);
    CHECK_EQ(p.output_bits, 2u);
    const auto bits = [](const std::string& bytes) {  // lowest bit first
        std::string out;
        for (unsigned char byte : bytes)
            for (int k = 0; k < 8; ++k) out += byte >> k & 1 ? '1' : '0';
        return out;
    };
    CHECK_EQ(p.key_bits, 4u);
    const unsigned low = 3;  // 4 - log2(3) rounded down
    CHECK_EQ(p.low.size(), (3 * low + 7) / 8);
    CHECK_EQ(bits(p.low), "0101111110000000");  // 2, 7, 7
    CHECK_EQ(bits(p.high), "11010000");         // high parts 0, 0, 1 at bits 0 + 0, 0 + 1, 1 + 2
    CHECK_EQ(bits(p.sizes), "10011000");        // 1, 2, 1
    CHECK_EQ(bits(p.outputs), "10000101");      // 1, 0, 2, 2
    CHECK_EQ(p.values, std::string("\x05\xFB\x7F\x81"));
}

using Change = std::function<void(PackedTable&)>;

void test_refused() {
    const PlainTable<int16_t> plain{5, 20, {2, 700, 70000}, {1, 3, 1}, {1, 0, 2, 4, 4}, {5, -5, 127, -127, 9}};
    const PackedTable good = pack(plain);
    CHECK(unpack<int16_t>(good) == plain);
    const std::pair<const char*, Change> bad[] = {
        {"width is out of range", [](auto& p) { p.width = 0; }},
        {"width is out of range", [](auto& p) { p.width = (uint64_t{1} << 31) + 1; }},
        {"width is out of range", [](auto& p) { p.width = UINT64_MAX; }},
        {"output_bits does not fit", [](auto& p) { p.width = 4; }},
        {"output_bits does not fit", [](auto& p) { p.width = 9; }},
        {"output_bits does not fit", [](auto& p) { p.output_bits = 0; }},
        {"output_bits does not fit", [](auto& p) { p.output_bits = 64; }},
        {"key_bits is out of range", [](auto& p) { p.key_bits = 0; }},
        {"key_bits is out of range", [](auto& p) { p.key_bits = 65; }},
        {"key_bits is out of range", [](auto& p) { p.key_bits = UINT32_MAX; }},
        {"size_bits is out of range", [](auto& p) { p.size_bits = 0; }},
        {"size_bits is out of range", [](auto& p) { p.size_bits = 33; }},
        {"keys.low has the wrong length", [](auto& p) { p.key_bits = 30; }},
        {"keys.low has the wrong length", [](auto& p) { p.low.pop_back(); }},
        {"keys.low has the wrong length", [](auto& p) { p.low += '\0'; }},
        {"sizes has the wrong length", [](auto& p) { p.size_bits = 8; }},
        {"sizes has the wrong length", [](auto& p) { p.sizes += '\0'; }},
        {"fewer sizes than features", [](auto& p) { p.sizes.clear(); }},
        {"fewer sizes than features", [](auto& p) { p.features = UINT64_MAX; }},
        {"outputs has the wrong length", [](auto& p) { p.outputs.pop_back(); }},
        {"outputs has the wrong length", [](auto& p) { p.outputs += '\0'; }},
        {"weights has the wrong length", [](auto& p) { p.values.pop_back(); }},
        {"weights has the wrong length", [](auto& p) { p.values += "ab"; }},
        {"weights has the wrong length", [](auto& p) { p.weights = 0; }},
        {"weights has the wrong length", [](auto& p) { p.weights = UINT64_MAX; }},
        {"weights has the wrong length", [](auto& p) { p.weights = (uint64_t{1} << 63) + 5; }},
        {"fewer keys than it says", [](auto& p) { p.high.clear(); }},
        {"fewer keys than it says", [](auto& p) { p.high[0] = static_cast<char>(p.high[0] & (p.high[0] - 1)); }},
        {"more keys than it says", [](auto& p) { p.high += '\x01'; }},
        {"bytes to spare", [](auto& p) { p.high += '\0'; }},
        {"key is out of range", [](auto& p) { p.high.insert(0, 1, '\0'); }},
        {"keys do not ascend", [](auto& p) { p.low = std::string(p.low.size(), '\0'); }},
        {"no weight or too many", [](auto& p) { p.sizes[0] = 0; }},
        {"no weight or too many", [](auto& p) { p.sizes[0] = 1 | 3 << 2 | 3 << 4; }},
        {"more weights than its features", [](auto& p) { p.sizes[0] = 1 | 1 << 2 | 1 << 4; }},
        {"weight is zero", [](auto& p) { p.values.replace(2, 2, 2, '\0'); }},
        {"weight is zero, infinite or out of range", [](auto& p) { p.values[2] = '\0', p.values[3] = '\x80'; }},
        {"output is out of range", [](auto& p) { p.outputs[0] |= 7; }},
        {"outputs of a feature do not ascend", [](auto& p) { p.outputs[0] |= 2 << 3; }},
    };
    for (const auto& [message, change] : bad) {
        PackedTable p = good;
        change(p);
        CHECK_THROWS(ModelError, message, unpack<int16_t>(p));
    }
    for (const float w : {INFINITY, -INFINITY, NAN, 0.0f, -0.0f}) {
        const PlainTable<float> table{1, 8, {1}, {1}, {0}, {w}};
        CHECK_THROWS(ModelError, "weight is zero, infinite", unpack<float>(pack(table)));
    }
}

// Sums that are made several at a time are those that are made one by one.
template <class W>
void check_parts(Random& random, const FrozenTable<W>& frozen, const std::vector<uint32_t>& rows) {
    struct Part {
        size_t first, size;
    };
    std::vector<Part> parts = {{0, 0}};
    for (size_t first = 0; first < rows.size(); first += parts.back().size)
        parts.push_back({first, std::min(rows.size() - first, random.pick<size_t>({1, 20, 400, 1000}))});
    using S = typename FrozenTable<W>::Score;
    const size_t stride = padded(frozen.width());
    AlignedVector<S> together(parts.size() * stride, S{77}), alone(stride);
    frozen.score_parts(rows.data(), parts,
                       [&](const Part& part) { return &together[(&part - parts.data()) * stride]; });
    for (size_t k = 0; k < parts.size(); ++k) {
        frozen.score(rows.data() + parts[k].first, parts[k].size, alone.data());
        for (size_t y = 0; y < frozen.width(); ++y) CHECK_EQ(together[k * stride + y], alone[y]);
    }
}

template <class W>
void check_frozen(Random& random, const PlainTable<W>& table) {
    const FrozenTable<W> frozen(table);
    using S = typename FrozenTable<W>::Score;
    CHECK_EQ(frozen.features(), table.keys.size());
    const auto row_of = [&](size_t k) { return k == 0 ? 0 : frozen.row(k - 1); };
    CHECK_EQ(frozen.width(), table.width);
    std::vector<size_t> first = {0};
    for (uint32_t size : table.sizes) first.push_back(first.back() + size);
    for (size_t k = 0; k < table.keys.size(); ++k) {
        // Only the top bits of a key are stored, so the others do not matter.
        const uint64_t noise = table.key_bits == 64 ? 0 : random.bits() >> table.key_bits;
        CHECK_EQ(frozen.find(table.keys[k] << (64 - table.key_bits) | noise), row_of(k + 1));
        std::vector<std::pair<uint32_t, W>> weights, right;
        frozen.each(row_of(k + 1), [&](uint32_t output, W w) { weights.emplace_back(output, w); });
        for (size_t j = first[k]; j < first[k + 1]; ++j) right.emplace_back(table.outputs[j], table.values[j]);
        CHECK(weights == right);
    }
    frozen.each(0, [](uint32_t, W) { CHECK(!"row 0 is empty"); });
    for (size_t n : {0, 1, 30, 300, 1000}) {
        std::vector<uint32_t> rows(n), numbers(n);
        for (size_t f = 0; f < n; ++f) {
            numbers[f] = static_cast<uint32_t>(random.below(frozen.features() + 1));
            rows[f] = row_of(numbers[f]);
        }
        AlignedVector<S> scores(padded(table.width), S{77});
        std::vector<double> right(table.width);
        frozen.score(rows.data(), n, scores.data());
        for (uint32_t row : numbers)
            for (size_t j = row == 0 ? 0 : first[row - 1]; j < first[row == 0 ? 0 : row]; ++j)
                right[table.outputs[j]] += static_cast<double>(table.values[j]);
        for (size_t y = 0; y < table.width; ++y) CHECK_EQ(static_cast<double>(scores[y]), right[y]);
        if constexpr (std::is_integral_v<W>) check_parts(random, frozen, rows);
    }
}

template <class W>
void test_frozen() {
    Random random(10 + sizeof(W));
    for (unsigned key_bits : {4, 5, 17, 31, 32, 33, 40, 64})
        for (size_t features : {0, 1, 60, 1000})
            for (size_t width : {1, 3, 16, 17, 33, 48, 49, 64, 65, 300})
                check_frozen(random, random_table<W>(random, features, key_bits, width));
    check_frozen(random, random_table<W>(random, 60, 40, 300000));  // gaps of more than 16 bits
    // With the largest possible weights, sums of int8 must not overflow 16 bits.
    PlainTable<W> table{1,      8,      {1, 2},
                        {1, 1}, {0, 0}, {std::numeric_limits<int8_t>::max(), -std::numeric_limits<int8_t>::max()}};
    std::vector<uint32_t> rows(1000, 1);
    AlignedVector<typename FrozenTable<W>::Score> scores(16);
    FrozenTable<W>(table).score(rows.data(), rows.size(), scores.data());
    CHECK_EQ(static_cast<int>(scores[0]), 127000);
    rows.assign(1000, 2);
    FrozenTable<W>(table).score(rows.data(), rows.size(), scores.data());
    CHECK_EQ(static_cast<int>(scores[0]), -127000);
}

void test_unknown_keys_are_rare() {
    Random random(6);
    const FrozenTable<float> frozen(random_table<float>(random, 1000, 27, 3));
    int found = 0;
    for (int k = 0; k < 100000; ++k) found += frozen.find(random.bits()) != 0;
    CHECK(found <= 6);  // expected: 100,000 * 1000 / 2^27 = 0.75
}

void test_keys_in_one_bucket() {
    PlainTable<float> table;
    table.width = 1;
    for (uint32_t k = 0; k < 5000; ++k) {
        table.keys.push_back(k);  // as 64-bit keys all share a bucket, with the first multiplier
        table.sizes.push_back(1);
        table.outputs.push_back(0);
        table.values.push_back(1);
    }
    const FrozenTable<float> frozen(table);
    for (uint32_t k = 0; k < 5000; ++k) CHECK_EQ(frozen.find(k), frozen.row(k));
    CHECK_EQ(frozen.find(5000), 0u);
}

// Text whose features were chosen so that their keys share their first eleven bits: it trains, and what was trained can
// be used.
void test_crafted_text() {
    Learner learner({Update::perceptron, 1.0f, 1, false}, {1});
    std::vector<uint64_t> keys;
    Violation violation;
    for (uint64_t word = 0; keys.size() < 5000; ++word)
        if (const uint64_t key = hash_bytes(std::to_string(word)); key >> 53 == 77) {
            keys.push_back(key);
            violation.gold(0, learner.table(0).intern(key), 0);
        }
    learner.learn(violation);
    const PackedModel packed = freeze(learner, {.bits = 32});
    const FrozenModel model(packed.tables, packed.bits, packed.scale, {1});
    CHECK_EQ(model.weights().size(), keys.size());
    model.with_tables([&](const auto& tables) {
        for (uint64_t key : keys) CHECK(tables[0].find(key) != 0);
    });
}

// An index has at least 2^4 buckets, selected by four bits of the key. A table with fewer key bits would have to be
// refused, or its keys would match regardless of their other bits.
void test_short_keys() {
    for (unsigned key_bits : {1, 2, 3}) try {
            const PlainTable<float> table{1, key_bits, {0, 1}, {1, 1}, {0, 0}, {1, 2}};
            const FrozenTable<float> frozen(unpack<float>(pack(table)));
            CHECK_EQ(frozen.find((uint64_t{2} << (64 - key_bits)) - 1), 2u);
        } catch (const ModelError&) {
        }
}

// 64-bit keys that differ only in the bits between those of the bucket and those of the fingerprint pass unpack().
// Either they are distinguished or the table is refused; one key must not get the weights of the other.
void test_keys_alike_in_the_middle() {
    const PlainTable<float> table{1, 64, {5, 5 | uint64_t{1} << 40}, {1, 1}, {0, 0}, {1, 2}};
    try {
        const FrozenTable<float> frozen(unpack<float>(pack(table)));
        CHECK_EQ(frozen.find(table.keys[0]), 1u);
        CHECK_EQ(frozen.find(table.keys[1]), 2u);
    } catch (const ModelError&) {
    }
}

std::string& random_array(Random& random, PackedTable& p) {
    std::string* arrays[] = {&p.high, &p.low, &p.sizes, &p.outputs, &p.values};
    return *arrays[random.below(5)];
}

void damage(Random& random, PackedTable& p) {
    std::string& array = random_array(random, p);
    const uint64_t numbers[] = {
        0, 1, 2, random.below(100), p.features + 1, p.weights - 1, UINT64_MAX, uint64_t{1} << random.below(64)};
    switch (random.below(12)) {
        case 0:
            p.features = numbers[random.below(8)];
            break;
        case 1:
            p.weights = numbers[random.below(8)];
            break;
        case 2:
            p.width = numbers[random.below(8)];
            break;
        case 3:
            p.key_bits = static_cast<unsigned>(random.below(70));
            break;
        case 4:
            p.size_bits = static_cast<unsigned>(random.below(70));
            break;
        case 5:
            p.output_bits = static_cast<unsigned>(random.below(70));
            break;
        case 6:
            array.resize(random.below(array.size() + 4));
            break;
        case 7:
            std::swap(array, random_array(random, p));
            break;
        default:
            if (!array.empty())
                for (size_t k = random.below(3) + 1; k > 0; --k)
                    array[random.below(array.size())] ^= static_cast<char>(1 << random.below(8));
    }
}

template <class W>
void test_damaged() {
    Random random(20 + sizeof(W));
    std::vector<PackedTable> tables;
    for (unsigned key_bits : {6, 22, 40, 64})
        for (size_t width : {1, 23, 200}) {
            tables.push_back(pack(random_table<W>(random, 40, key_bits, width)));
            tables.push_back(coded(tables.back(), sizeof(W) * 8));
        }
    int read = 0, refused = 0;
    for (int round = 0; round < 20000 / 3; ++round) {
        PackedTable p = random.pick(tables);
        for (size_t k = random.below(2) + 1; k > 0; --k) damage(random, p);
        try {
            const PlainTable<W> table = unpack<W>(p);
            if (!(unpack<W>(pack(table)) == table)) CHECK(!"what was read is a table");
            if (round % 32 == 0 && table.width < 300) check_round_trip(table);
            if (std::is_integral_v<W> && table.width < 100000 && round % 8 == 0) check_frozen(random, table);
            FrozenTable<W> frozen(table);
            ++read;
        } catch (const ModelError&) {
            ++refused;
        }
    }
    CHECK(read > 500 && refused > 500);
}

// One table of three outputs, in which feature k has the k-th list of weights.
PackedModel freeze(const std::vector<std::vector<float>>& weights, unsigned bits) {
    Learner learner({Update::perceptron, 1.0f, 1, false}, {3});
    for (size_t k = 0; k < weights.size(); ++k)
        for (uint32_t y = 0; y < 3; ++y) {
            if (weights[k][y] == 0) continue;
            const uint32_t f = learner.table(0).intern(static_cast<uint64_t>(k + 1) << 60);
            learner.table(0).update(f, y, weights[k][y], 0);
            learner.table(0).count_update(f);
        }
    return freeze(learner, {bits, 0}, {3}, {{0, 1, 2}});
}

void test_freeze() {
    const std::vector<std::vector<float>> weights = {{254, 0, -1}, {0, 0, 0.9f}, {-254, 3, 2}};
    const PackedModel eight = freeze(weights, 8);
    CHECK_EQ(eight.scale, 2.0);
    CHECK_EQ(eight.features, 3u);
    CHECK_EQ(eight.weights, 6u);
    const PlainTable<int8_t> table = unpack<int8_t>(eight.tables[0]);
    CHECK_EQ(table.key_bits, 12u);
    CHECK_EQ(table.keys, (std::vector<uint64_t>{uint64_t{1} << 8, uint64_t{3} << 8}));  // the second became zero
    CHECK_EQ(eight.full_keys[0], (std::vector<uint64_t>{uint64_t{1} << 60, uint64_t{3} << 60}));
    CHECK_EQ(table.sizes, (std::vector<uint32_t>{1, 3}));
    CHECK_EQ(table.outputs, (std::vector<uint32_t>{0, 0, 1, 2}));
    CHECK(table.values == (std::vector<int8_t>{127, -127, 2, 1}));  // -1 / 2 and 3 / 2 round to even
    const PlainTable<float> same = unpack<float>(freeze(weights, 32).tables[0]);
    CHECK_EQ(same.values, (std::vector<float>{254, -1, 0.9f, -254, 3, 2}));
    CHECK_EQ(freeze(weights, 16).scale, 254.0 / 32767);
    for (unsigned bits : {8, 16, 32}) {
        const PackedModel empty = freeze({}, bits);
        CHECK_EQ(empty.features, 0u);
        CHECK_EQ(empty.tables[0].features, 0u);
        CHECK(empty.scale > 0);
    }
}

// A learner that looks at 12 bits of each key learns what another one learns of keys that have no more, and so does the
// model: it finds a row by any key with these bits.
void test_hashed_keys() {
    constexpr unsigned kBits = 12;
    Random random(9);
    const auto cut = [](uint64_t key) { return key >> (64 - kBits) << (64 - kBits); };
    Learner hashed({Update::perceptron, 1.0f, 2, true, kBits}, {3}), whole({Update::perceptron, 1.0f, 2, true}, {3});
    std::vector<uint64_t> keys(6000);
    for (uint64_t& key : keys) key = random.bits();
    for (const uint64_t key : keys) CHECK_EQ(hashed.table(0).intern(key), whole.table(0).intern(cut(key)));
    CHECK(hashed.table(0).features() <= 1u << kBits);
    for (int update = 0; update < 4000; ++update) {
        Violation a, b;
        for (int part = 0; part < 3; ++part) {
            const uint64_t key = random.pick(keys);
            const auto y = static_cast<uint32_t>(random.below(3));
            a.gold(0, hashed.table(0).intern(key), y);
            b.gold(0, whole.table(0).find(cut(key)), y);
        }
        hashed.learn(a);
        whole.learn(b);
    }
    std::vector<uint32_t> rows(keys.size());
    hashed.table(0).find_rows(keys.data(), keys.size(), rows.data());
    for (size_t k = 0; k < keys.size(); ++k)
        CHECK_EQ(rows[k], whole.table(0).scored_row(whole.table(0).find(cut(keys[k]))));
    for (unsigned bits : {8, 16, 32}) {
        const PackedModel model = freeze(hashed, {.bits = bits}), same = freeze(whole, {.bits = bits});
        CHECK_EQ(model.tables[0].key_bits, kBits);
        if (bits == 32) {
            std::vector<uint64_t> expected = unpack<float>(same.tables[0]).keys;
            for (uint64_t& key : expected) key >>= same.tables[0].key_bits - kBits;
            CHECK(unpack<float>(model.tables[0]).keys == expected);
        }
        with_weight_type(bits, [&](auto zero) {
            using W = decltype(zero);
            const FrozenTable<W> frozen(unpack<W>(model.tables[0]));
            size_t found = 0;
            for (const uint64_t key : keys) {
                CHECK_EQ(frozen.find(key), frozen.find(cut(key)));
                found += frozen.find(key) != 0;
            }
            CHECK(found > 3000);
        });
    }
}

void test_freeze_bad_bits() {
    for (unsigned bits : {1, 7, 64}) CHECK_THROWS(OptionError, "8, 16 or 32", freeze({{1, 2, 3}}, bits));
}

}  // namespace

int main() {
    test_round_trip<int8_t>();
    test_round_trip<int16_t>();
    test_round_trip<float>();
    test_bytes();
    test_refused();
    test_frozen<int8_t>();
    test_frozen<int16_t>();
    test_frozen<float>();
    test_unknown_keys_are_rare();
    test_keys_in_one_bucket();
    test_crafted_text();
    test_short_keys();
    test_keys_alike_in_the_middle();
    test_damaged<int8_t>();
    test_damaged<int16_t>();
    test_damaged<float>();
    test_freeze();
    test_freeze_bad_bits();
    test_hashed_keys();
    return check::failures();
}
