#include "model/familiarity.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/stop_check.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

namespace {

constexpr size_t kSlots = 1 << 13;
constexpr size_t kShortest = 3;  // bytes of a word of the first column; many languages share shorter ones
constexpr size_t kFolds = 10;
constexpr uint32_t kFewestTimes = 3;  // that a frequent word occurs

// Whether a cell of the first column is a word. In UTF-8, general punctuation begins with E2 80, and East Asian
// punctuation with E3 80.
bool is_word(std::string_view cell) {
    if (cell.size() < kShortest) return false;
    const auto byte = [&](size_t k) { return static_cast<unsigned char>(cell[k]); };
    if (byte(0) < 0x80) return (byte(0) | 0x20) >= 'a' && (byte(0) | 0x20) <= 'z';
    return byte(0) >= 0xC3 && !((byte(0) == 0xE2 || byte(0) == 0xE3) && byte(1) == 0x80);
}

// Whether a cell stands for no value; no tool has a column of which all these are values.
bool is_empty(std::string_view cell) {
    return cell.empty() || (cell.size() == 1 && std::string_view("_-*?X").find(cell[0]) != cell.npos);
}

uint32_t shortened(uint64_t hash) {
    return std::max(static_cast<uint32_t>(hash >> 32), uint32_t{1});
}

// The key of a word, or of a value in another column. In words, the bit that makes capitals of ASCII and Latin-1 small
// is set in all bytes.
uint32_t word_key(size_t column, std::string_view word) {
    const uint64_t small = column == 0 ? 0x2020202020202020ULL : 0;
    uint64_t h = combine(hash_seed(word.size()), column);
    const char* p = word.data();
    size_t n = word.size();
    for (; n > 8; p += 8, n -= 8) {
        uint64_t block;
        std::memcpy(&block, p, 8);
        h = combine(h, block | small);
    }
    return shortened(combine(h, load_bytes(p, n) | small));
}

uint32_t empty_key(size_t column) {
    return word_key(column, "_");
}

size_t characters(std::string_view text) {
    return static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<double> quantiles(std::vector<double> shares) {
    std::ranges::sort(shares);
    std::vector<double> found;
    for (const double q : FamiliarityLearner::kQuantiles)
        if (!shares.empty()) found.push_back(shares[static_cast<size_t>(q * static_cast<double>(shares.size()))]);
    return found;
}

}  // namespace

Familiarity::Familiarity(const std::vector<uint32_t>& frequent, std::vector<size_t> columns)
    : columns_(std::move(columns)), slots_(kSlots) {
    const bool ascend = std::ranges::adjacent_find(frequent, std::greater_equal()) == frequent.end();
    if (frequent.size() > kMost || !ascend || (!frequent.empty() && frequent.front() == 0))
        throw ModelError("its frequent words are not a short list of keys in ascending order");
    for (const uint32_t key : frequent) {
        size_t at = key % kSlots;
        while (slots_[at] != 0) at = (at + 1) % kSlots;
        slots_[at] = key;
    }
}

bool Familiarity::knows(uint32_t key) const {
    for (size_t at = key % kSlots; slots_[at] != 0; at = (at + 1) % kSlots)
        if (slots_[at] == key) return true;
    return false;
}

template <class Look>
std::vector<FamiliarityCounts> Familiarity::in_windows(size_t words, size_t window, Look&& look) {
    std::vector<FamiliarityCounts> counts;
    size_t begin = 0;  // of the last window
    for (size_t k = 0; k < words; ++k) {
        StopCheck::every(k);
        if (counts.empty()) {
            counts.emplace_back();
        } else if (counts.back().characters >= window) {
            k += (kInterval - 1) * (k - begin);
            if (k >= words) break;
            begin = k;
            counts.emplace_back();
        }
        look(k, counts.back());
    }
    return counts;
}

void Familiarity::look_at(std::string_view cell, FamiliarityCounts& now) const {
    std::string scratch;
    cell = composed(cell, scratch);
    now.characters += characters(cell) + 1;
    if (!is_word(cell)) return;
    ++now.words.words;
    now.words.known += knows(word_key(0, cell));
}

void Familiarity::look_at(uint32_t key, FamiliarityCounts& now) const {
    ++now.characters;
    ++now.words.words;
    now.words.known += knows(key);
}

std::vector<FamiliarityCounts> Familiarity::count(const Columns& data, size_t window) const {
    if (columns_[0] >= data.width()) return {};
    return in_windows(data.tokens(), window,
                      [&](size_t i, FamiliarityCounts& now) { look_at(data.cell(i, columns_[0]), now); });
}

std::vector<FamiliarityCounts> Familiarity::count(const Conllu& data, size_t window) const {
    return in_windows(data.words(), window,
                      [&](size_t w, FamiliarityCounts& now) { look_at(data.cell(w, Field::form), now); });
}

std::vector<FamiliarityCounts> Familiarity::count(const FeatureRows& data, size_t window) const {
    const auto& keys = data.keys();
    return in_windows(keys.size(), window, [&](size_t k, FamiliarityCounts& now) { look_at(shortened(keys[k]), now); });
}

template <class Data, class Look>
std::vector<FamiliarityCounts> Familiarity::in_units(const Data& data, size_t units, Look&& look) {
    std::vector<FamiliarityCounts> counts(units);
    for (size_t u = 0; u < units; ++u)
        for (size_t k = data.begin(u); k < data.end(u); ++k) {
            StopCheck::every(k);
            look(k, counts[u]);
        }
    return counts;
}

std::vector<FamiliarityCounts> Familiarity::count_each(const Columns& data) const {
    if (columns_[0] >= data.width()) return {};
    return in_units(data, data.sentences(),
                    [&](size_t i, FamiliarityCounts& now) { look_at(data.cell(i, columns_[0]), now); });
}

std::vector<FamiliarityCounts> Familiarity::count_each(const Conllu& data) const {
    return in_units(data, data.sentences(),
                    [&](size_t w, FamiliarityCounts& now) { look_at(data.cell(w, Field::form), now); });
}

std::vector<FamiliarityCounts> Familiarity::count_each(const Documents& data) const {
    if (columns_[0] >= data.tokens().width()) return {};
    return in_units(data, data.size(),
                    [&](size_t i, FamiliarityCounts& now) { look_at(data.tokens().cell(i, columns_[0]), now); });
}

std::vector<FamiliarityCounts> Familiarity::count_each(const FeatureRows& data) const {
    return in_units(data, data.size(),
                    [&](size_t k, FamiliarityCounts& now) { look_at(shortened(data.keys()[k]), now); });
}

template <class Cell>
Familiarity::Cells Familiarity::cells_in_windows(size_t words, size_t window, Cell&& cell) const {
    Cells found;
    std::string scratch;
    for (size_t begin = 0; columns_.size() > 1 && begin < words; begin += window) {
        auto& counts = found.emplace_back(columns_.size() - 1);
        for (size_t k = begin; k < std::min(begin + window, words); k += begin == 0 ? 1 : kInterval)
            for (size_t c = 1; c < columns_.size(); ++c) {
                StopCheck::every(k);
                const std::string_view value = composed(cell(k, columns_[c]), scratch);
                const bool empty = is_empty(value);
                FamiliarCells& now = counts[c - 1];
                ++now.cells;
                now.empty += empty;
                now.known += knows(empty ? empty_key(c) : word_key(c, value));
            }
    }
    return found;
}

Familiarity::Cells Familiarity::count_cells(const Columns& data, size_t window) const {
    return cells_in_windows(data.tokens(), window, [&](size_t i, size_t column) {
        return column < data.width() ? data.cell(i, column) : std::string_view();
    });
}

Familiarity::Cells Familiarity::count_cells(const Conllu& data, size_t window) const {
    return cells_in_windows(data.words(), window,
                            [&](size_t w, size_t field) { return data.cell(w, static_cast<Field>(field)); });
}

std::vector<FamiliarityCounts> Familiarity::count(const Doc& data, size_t window) const {
    std::vector<FamiliarityCounts> counts;
    for (size_t s = 0; s < data.familiar.size(); ++s) {
        if (counts.empty() || counts.back().characters >= window) counts.emplace_back();
        FamiliarityCounts& now = counts.back();
        const auto begin = [&](size_t k) { return k == 0 ? 0 : data.tokens[data.sentences[k].first_token].begin; };
        now.characters += begin(s + 1) - begin(s);
        now.words.words += data.familiar[s].words;
        now.words.known += data.familiar[s].known;
    }
    return counts;
}

FamiliarWords Familiarity::count(const Columns& data, size_t begin, size_t end) const {
    FamiliarWords found;
    std::string scratch;
    for (size_t i = begin; i < end; ++i) {
        StopCheck::every(i);
        const std::string_view cell = composed(data.cell(i, 0), scratch);
        if (!is_word(cell)) continue;
        ++found.words;
        found.known += knows(word_key(0, cell));
    }
    return found;
}

template <class Cell>
void FamiliarityLearner::add_words(size_t begin, size_t end, Cell&& cell) {
    for (size_t c = 0; c < columns_.size(); ++c)
        for (size_t i = begin; i < end; ++i) {
            StopCheck::every(i - begin);
            add_word(cell(i, columns_[c]), c);
        }
    end_sentence();
}

void FamiliarityLearner::add(const Columns& data) {
    seen_.add(data);
    for (size_t s = 0; s < data.sentences(); ++s)
        add_words(data.begin(s), data.end(s), [&](size_t i, size_t column) { return data.cell(i, column); });
}

void FamiliarityLearner::add(const Documents& data) {
    seen_.add(data);
    const Columns& tokens = data.tokens();
    for (size_t d = 0; d < data.size(); ++d)
        add_words(data.begin(d), data.end(d), [&](size_t i, size_t column) { return tokens.cell(i, column); });
}

void FamiliarityLearner::add(const Conllu& data) {
    seen_.add(data);
    for (size_t s = 0; s < data.sentences(); ++s)
        add_words(data.begin(s), data.end(s),
                  [&](size_t w, size_t field) { return data.cell(w, static_cast<Field>(field)); });
}

void FamiliarityLearner::add(const FeatureRows& data) {
    seen_.add(data);
    for (size_t r = 0; r < data.size(); ++r) {
        for (size_t k = data.begin(r); k < data.end(r) && keys_[0].size() < kFarthest; ++k)
            keys_[0].push_back(shortened(data.keys()[k]));
        end_sentence();
    }
}

void FamiliarityLearner::add_word(std::string_view cell, size_t column) {
    std::string scratch;
    cell = composed(cell, scratch);
    if (keys_[column].size() >= kFarthest || (column == 0 && !is_word(cell))) return;
    keys_[column].push_back(column > 0 && is_empty(cell) ? empty_key(column) : word_key(column, cell));
}

void FamiliarityLearner::end_sentence() {
    for (size_t c = 0; c < keys_.size(); ++c)
        if (keys_[c].size() > (ends_[c].empty() ? 0 : ends_[c].back())) ends_[c].push_back(keys_[c].size());
}

std::vector<uint32_t> FamiliarityLearner::frequent_keys() const {
    std::unordered_map<uint32_t, uint32_t> times;
    for (const auto& keys : keys_)
        for (size_t k = 0; k < keys.size(); ++k) {
            StopCheck::every(k);
            ++times[keys[k]];
        }
    std::vector<std::pair<uint32_t, uint32_t>> often;  // how often, key
    for (const auto& [key, n] : times)
        if (n >= kFewestTimes) often.emplace_back(n, key);
    std::ranges::sort(often, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    often.resize(std::min(often.size(), Familiarity::kMost));
    std::vector<uint32_t> keys;
    for (const auto& [n, key] : often) keys.push_back(key);
    std::ranges::sort(keys);
    return keys;
}

FamiliarityLearner::Column FamiliarityLearner::column(size_t number, const std::vector<uint32_t>& frequent) const {
    const auto& keys = keys_[number];
    const auto& ends = ends_[number];
    const auto fold_of = [&](size_t k) { return k * kFolds / keys.size(); };
    const auto place = [&](uint32_t key) {
        const auto at = std::ranges::lower_bound(frequent, key);
        return at != frequent.end() && *at == key ? static_cast<size_t>(at - frequent.begin()) : SIZE_MAX;
    };
    std::vector<std::array<uint32_t, kFolds>> times(frequent.size());  // of a word in each fold
    std::vector<uint32_t> all(frequent.size());
    for (size_t k = 0; k < keys.size(); ++k) {
        StopCheck::every(k);
        if (const size_t f = place(keys[k]); f != SIZE_MAX) ++times[f][fold_of(k)], ++all[f];
    }
    std::vector<size_t> known(keys.size() + 1);  // of the words before this one
    for (size_t k = 0; k < keys.size(); ++k) {
        StopCheck::every(k);
        const size_t f = place(keys[k]);
        known[k + 1] = known[k] + (f != SIZE_MAX && all[f] > times[f][fold_of(k)]);
    }
    const auto share = [&](size_t begin, size_t end) {
        return static_cast<double>(known[end] - known[begin]) / static_cast<double>(end - begin);
    };
    std::vector<double> sentences, windows;
    for (size_t s = 0; s < ends.size(); ++s) sentences.push_back(share(s == 0 ? 0 : ends[s - 1], ends[s]));
    for (size_t k = 0; k + kWindow <= keys.size(); k += kWindow) windows.push_back(share(k, k + kWindow));
    Column found{keys.empty() ? 0 : share(0, keys.size()), quantiles(sentences), quantiles(windows)};
    if (number == 0 || windows.empty()) return found;
    const auto empty = [&](size_t begin, size_t end) {
        const auto first = keys.begin();
        const auto n = std::count(first + ptrdiff_t(begin), first + ptrdiff_t(end), empty_key(number));
        return static_cast<double>(n) / static_cast<double>(end - begin);
    };
    std::vector<double> empties;
    for (size_t k = 0; k + kWindow <= keys.size(); k += kWindow) empties.push_back(empty(k, k + kWindow));
    std::ranges::sort(empties);
    found.empty = empty(0, keys.size());
    found.most_empty = empties[empties.size() * 99 / 100];
    return found;
}

FamiliarityLearner::Learned FamiliarityLearner::learned() const {
    if (keys_.empty() || keys_[0].size() < kFewest) return {{}, {}, seen_.learned()};
    Learned found{frequent_keys(), {}, seen_.learned()};
    for (size_t c = 0; c < keys_.size(); ++c) found.columns.push_back(column(c, found.frequent));
    return found;
}

}  // namespace sapwood
