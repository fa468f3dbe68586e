#include "model/seen_sentences.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/stop_check.hpp"
#include "text/sentences.hpp"

namespace sapwood {

namespace {

constexpr size_t kFewestSeen = 2;       // long sentences of a sample that training saw; a single one may be chance
constexpr size_t kFewestShortSeen = 5;  // the same, where the sample has short sentences
constexpr double kByChance = 0.1;       // share of long sentences that may stand in two texts by chance
constexpr double kShortChance = 0.5;    // the same of short ones

uint64_t hash_of_cells(uint64_t h, const Columns& data, size_t begin, size_t end, size_t columns) {
    for (size_t t = begin; t < end; ++t)
        for (size_t c = 0; c < std::min(columns, data.width()); ++c) h = combine(h, hash_bytes(data.cell(t, c)));
    return h;
}

// Call visit(hash, tokens) for each sentence.
template <class Visit>
void each_hash(const Columns& data, size_t columns, Visit&& visit) {
    for (size_t s = 0; s < data.sentences(); ++s) {
        StopCheck::after(data.end(s) - data.begin(s));
        visit(hash_of_cells(0, data, data.begin(s), data.end(s), columns), data.end(s) - data.begin(s));
    }
}

template <class Visit>
void each_hash(const Conllu& data, size_t, Visit&& visit) {
    for (size_t s = 0; s < data.sentences(); ++s) {
        StopCheck::after(data.end(s) - data.begin(s));
        uint64_t h = 0;
        for (size_t w = data.begin(s); w < data.end(s); ++w) h = combine(h, hash_bytes(data.cell(w, Field::form)));
        visit(h, data.end(s) - data.begin(s));
    }
}

template <class Visit>
void each_hash(const Documents& data, size_t, Visit&& visit) {
    const Columns& tokens = data.tokens();
    for (size_t d = 0; d < data.size(); ++d) {
        StopCheck::after(data.end(d) - data.begin(d));
        const uint64_t h = hash_of_cells(0, tokens, data.begin(d), data.end(d), tokens.width());
        visit(combine(h, data.marked(d)), data.end(d) - data.begin(d));
    }
}

template <class Visit>
void each_hash(const FeatureRows& data, size_t, Visit&& visit) {
    for (size_t r = 0; r < data.size(); ++r) {
        StopCheck::after(data.end(r) - data.begin(r));
        visit(row_hash(data, r), data.end(r) - data.begin(r));
    }
}

uint32_t high_half(uint64_t hash) {
    return static_cast<uint32_t>(hash >> 32);
}

void keep_smallest(std::set<uint32_t>& kept, uint32_t hash) {
    if (kept.size() == SeenSentences::kMost && hash >= *kept.rbegin()) return;
    kept.insert(hash);
    if (kept.size() > SeenSentences::kMost) kept.erase(std::prev(kept.end()));
}

}  // namespace

void SeenSentences::add(uint64_t hash, size_t tokens) {
    if (tokens == 0) return;
    ++sentences_;
    keep_smallest(smallest_, high_half(hash));
    if (tokens < kLongEnough) return;
    ++long_ones_;
    keep_smallest(smallest_of_long_, high_half(hash));
}

void SeenSentences::add(const Columns& data) {
    each_hash(data, columns_, [&](uint64_t hash, size_t tokens) { add(hash, tokens); });
}
void SeenSentences::add(const Conllu& data) {
    each_hash(data, columns_, [&](uint64_t hash, size_t tokens) { add(hash, tokens); });
}
void SeenSentences::add(const Documents& data) {
    each_hash(data, columns_, [&](uint64_t hash, size_t tokens) { add(hash, tokens); });
}
void SeenSentences::add(const FeatureRows& data) {
    each_hash(data, columns_, [&](uint64_t hash, size_t tokens) { add(hash, tokens); });
}

std::vector<uint32_t> SeenSentences::learned() const {
    const bool has_long = kUsual * long_ones_ >= sentences_;
    const std::set<uint32_t>& kept = has_long ? smallest_of_long_ : smallest_;
    std::vector<uint32_t> found{static_cast<uint32_t>(has_long ? kLongEnough : 1)};
    found.insert(found.end(), kept.begin(), kept.end());
    return found;
}

void SeenSentences::check(const std::vector<uint32_t>& seen) {
    if (seen.empty()) return;
    if (seen.size() > kMost + 1 || !std::is_sorted(seen.begin() + 1, seen.end()) ||
        (seen[0] != 1 && seen[0] != kLongEnough))
        throw ModelError("its hashes of training sentences are not a short list in ascending order");
}

template <class Data>
double share_seen(const std::vector<uint32_t>& seen, size_t columns, const Data& data) {
    if (seen.empty()) return 0;  // files of earlier versions have none
    SeenSentences::check(seen);
    const uint32_t largest = seen.size() > SeenSentences::kMost ? seen.back() : UINT32_MAX;
    std::set<uint32_t> sample;
    each_hash(data, columns, [&](uint64_t hash, size_t tokens) {
        if (tokens >= seen[0] && high_half(hash) <= largest) sample.insert(high_half(hash));
    });
    const auto found = static_cast<size_t>(std::ranges::count_if(
        sample, [&](uint32_t hash) { return std::binary_search(seen.begin() + 1, seen.end(), hash); }));
    const double share = sample.empty() ? 0 : static_cast<double>(found) / static_cast<double>(sample.size());
    const bool is_short = seen[0] == 1;
    return found >= (is_short ? kFewestShortSeen : kFewestSeen) && share > (is_short ? kShortChance : kByChance) ? share
                                                                                                                 : 0;
}

template double share_seen(const std::vector<uint32_t>&, size_t, const Columns&);
template double share_seen(const std::vector<uint32_t>&, size_t, const Conllu&);
template double share_seen(const std::vector<uint32_t>&, size_t, const Documents&);
template double share_seen(const std::vector<uint32_t>&, size_t, const FeatureRows&);

}  // namespace sapwood
