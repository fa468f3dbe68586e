#include "features/easy_first_features.hpp"

#include <algorithm>

namespace sapwood {

namespace {

constexpr const char* kWindowPlaceNames[kWindow] = {"p-2", "p-1", "p0", "p1", "p2", "p3"};
constexpr const char* kChildNames[] = {"", "l", "r", "l2", "r2"};
constexpr const char* kWindowNumberNames[] = {"nc", "len", "vl", "vr", "sl", "sr", "cl", "cr"};

constexpr size_t kTag = Word::kAttributes.find('t'), kSecondTag = Word::kAttributes.find('c');

uint64_t bucket(uint32_t k) {
    return k <= 4 ? k : k <= 6 ? 5 : k <= 9 ? 6 : 7;
}

uint64_t count(uint16_t k) {
    return k < 4 ? k + 1u : 5u;
}

}  // namespace

std::vector<std::string> EasyFirstContext::atoms() {
    std::vector<std::string> names;
    for (size_t place = 0; place < kWindow; ++place) {
        const std::string p = kWindowPlaceNames[place];
        for (const std::string child : kChildNames) {
            for (char attribute : Word::kAttributes) names.push_back(p + child + attribute);
            names.push_back(child.empty() ? p + "pp" : p + child + "d");
        }
        for (const char* number : kWindowNumberNames) names.push_back(p + number);
        names.push_back(place + 1 < kWindow ? p + "-" + kWindowPlaceNames[place + 1] : "");
        for (const char attribute : ClusterAtoms::kAttributes) names.push_back(p + attribute);
    }
    return names;
}

WindowPlaces EasyFirstContext::places(size_t atom) {
    const size_t place = atom / kBlock;
    const bool distance = atom % kBlock == kDistance;
    return static_cast<WindowPlaces>((distance ? 0b11u : 0b1u) << place);
}

void EasyFirstContext::start(const Words& words) {
    static const uint64_t in = hash_bytes("IN"), to = hash_bytes("TO"), adposition = hash_bytes("ADP");
    const size_t n = words.size();
    items_.assign((n + 2) * kBlock, 0);
    clusters_ = words.has_clusters();
    for (size_t item = 0; item <= n + 1; ++item) {
        uint64_t* to_block = items_.data() + item * kBlock;
        const auto& values = words[item].values;
        std::copy(values.begin(), values.end(), to_block);
        if (clusters_) std::copy_n(words.clusters(item).values.begin(), kClusters, to_block + kPlain);
        if (item > n) break;
        const bool preposition = values[kTag] == in || values[kTag] == to || values[kSecondTag] == adposition;
        to_block[kWord - 1] = preposition ? values[0] : 0;
        std::fill_n(to_block + 5 * kWord, std::size(kWindowNumberNames), 1);
    }
}

void EasyFirstContext::renew(const PendingTrees& pending, const Words& words, uint32_t item) {
    const auto& [left, right] = pending.node(item).children;
    uint64_t* to = items_.data() + item * kBlock + kWord;
    for (const Child& child : {left.outermost, right.outermost, left.second, right.second}) {
        if (child.word != 0) {
            const auto& values = words[child.word].values;
            std::copy(values.begin(), values.end(), to);
            to[kWord - 1] = label_hashes_[child.label];
        }
        to += kWord;
    }
    const auto member = [&](const Child& child) {
        return child.word == 0 ? 0 : uint64_t{1} << (words[child.word].values[kSecondTag] % 63 + 1);
    };
    *to++ = left.count + right.count > 0 ? 2 : 1;
    *to++ = bucket(pending.size(item));
    *to++ = count(left.count);
    *to++ = count(right.count);
    *to++ = left.labels + 1;
    *to++ = right.labels + 1;
    to[0] |= member(left.outermost);
    to[1] |= member(right.outermost);
}

void EasyFirstContext::look(const PendingTrees& pending, uint32_t point, size_t points) {
    const size_t blocks = points + kWindow - 1;
    if (window_.size() < blocks * kBlock) window_.resize(blocks * kBlock);
    uint64_t* to = window_.data();
    const auto put = [&](uint32_t item) {
        std::copy_n(items_.data() + item * kBlock, kPlain, to);
        if (clusters_) std::copy_n(items_.data() + item * kBlock + kPlain, kClusters, to + kPlain);
        if (const uint32_t next = pending.after(item); next != pending.outside()) to[kDistance] = bucket(next - item);
        to += kBlock;
    };
    const uint32_t before = pending.before(point);
    put(pending.before(before));
    put(before);
    uint32_t item = point;
    for (size_t k = 2; k < blocks; ++k, item = pending.after(item)) put(item);
}

}  // namespace sapwood
