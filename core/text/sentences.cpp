#include "text/sentences.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/hash.hpp"
#include "base/stop_check.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

namespace {

constexpr size_t kFewestShort = 10;  // different short sentences; fewer say nothing

// Calls hash_token(h, token) for all tokens of each sentence.
template <class Data, class HashToken>
std::vector<uint64_t> hashes(const Data& data, size_t sentences, const HashToken& hash_token) {
    std::vector<uint64_t> found(sentences, 0);
    std::vector<size_t> tokens(sentences, 0);
    for (size_t s = 0; s < sentences; ++s) {
        const size_t begin = data.begin(s), end = data.end(s);
        StopCheck::after(end - begin);
        uint64_t h = tokens[s] = end - begin;
        for (size_t t = begin; t < end; ++t) h = hash_token(h, t);
        found[s] = h;
    }
    forget_short(found, tokens);
    return found;
}

uint64_t with_cells(uint64_t h, const Columns& data, size_t token, size_t but) {
    for (size_t c = 0; c < data.width(); ++c)
        if (c != but) h = combine(h, hash_composed(data.cell(token, c)));
    return h;
}

}  // namespace

std::vector<uint64_t> sentence_hashes(const Columns& data, size_t label) {
    return hashes(data, data.sentences(), [&](uint64_t h, size_t t) { return with_cells(h, data, t, label); });
}

std::vector<uint64_t> sentence_hashes(const Conllu& data) {
    return hashes(data, data.sentences(),
                  [&](uint64_t h, size_t t) { return combine(h, hash_composed(data.cell(t, Field::form))); });
}

std::vector<uint64_t> sentence_hashes(const Documents& data) {
    const Columns& tokens = data.tokens();
    std::vector<uint64_t> found =
        hashes(data, data.size(), [&](uint64_t h, size_t t) { return with_cells(h, tokens, t, tokens.width()); });
    for (size_t d = 0; d < found.size(); ++d)
        if (found[d] != 0) found[d] = combine(found[d], data.marked(d));
    return found;
}

void forget_short(std::vector<uint64_t>& hashes, const std::vector<size_t>& tokens) {
    std::unordered_map<uint64_t, size_t> times;  // of short sentences
    for (size_t s = 0; s < hashes.size(); ++s)
        if (0 < tokens[s] && tokens[s] < kLongEnough) ++times[hashes[s]];
    const auto several =
        static_cast<size_t>(std::ranges::count_if(times, [](const auto& each) { return each.second > 1; }));
    const bool by_chance = times.size() < kFewestShort || 3 * several < 2 * times.size();
    for (size_t s = 0; s < hashes.size(); ++s)
        if (tokens[s] == 0 || (by_chance && tokens[s] < kLongEnough)) hashes[s] = 0;
}

}  // namespace sapwood
