#include "text/sentences.hpp"

#include "base/hash.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

namespace {

// Calls hash_token(h, token) for all tokens of each long sentence.
template <class Data, class HashToken>
std::vector<uint64_t> hashes(const Data& data, size_t sentences, const HashToken& hash_token) {
    std::vector<uint64_t> found(sentences, 0);
    for (size_t s = 0; s < sentences; ++s) {
        const size_t begin = data.begin(s), end = data.end(s);
        StopCheck::after(end - begin);
        if (end - begin < kLongEnough) continue;
        uint64_t h = end - begin;
        for (size_t t = begin; t < end; ++t) h = hash_token(h, t);
        found[s] = h;
    }
    return found;
}

uint64_t with_cells(uint64_t h, const Columns& data, size_t token, size_t but) {
    for (size_t c = 0; c < data.width(); ++c)
        if (c != but) h = combine(h, hash_bytes(data.cell(token, c)));
    return h;
}

}  // namespace

std::vector<uint64_t> sentence_hashes(const Columns& data, size_t label) {
    return hashes(data, data.sentences(), [&](uint64_t h, size_t t) { return with_cells(h, data, t, label); });
}

std::vector<uint64_t> sentence_hashes(const Conllu& data) {
    return hashes(data, data.sentences(),
                  [&](uint64_t h, size_t t) { return combine(h, hash_bytes(data.cell(t, Field::form))); });
}

std::vector<uint64_t> sentence_hashes(const Documents& data) {
    const Columns& tokens = data.tokens();
    std::vector<uint64_t> found =
        hashes(data, data.size(), [&](uint64_t h, size_t t) { return with_cells(h, tokens, t, tokens.width()); });
    for (size_t d = 0; d < found.size(); ++d)
        if (found[d] != 0) found[d] = combine(found[d], data.marked(d));
    return found;
}

}  // namespace sapwood
