#include "features/transition_features.hpp"

#include <algorithm>
#include <cstring>

namespace sapwood {

namespace {

constexpr const char* kPlaceNames[] = {"S0",  "S1",  "S2",   "N0",   "N1",   "N2",   "S0l", "S0r",
                                       "S1l", "S1r", "S0l2", "S0r2", "S1l2", "S1r2", "N0l", "N0l2"};
constexpr const char* kNumberNames[] = {"S0vl", "S0vr", "S1vl", "S1vr", "N0vl",  "S0sl",
                                        "S0sr", "S1sl", "S1sr", "N0sl", "S1-S0", "S0-N0"};
constexpr size_t kBlock = 8;  // attributes and the label
constexpr size_t kClusterBlock = ClusterAtoms::kAttributes.size();

constexpr ConfigurationParts kS0 = 1, kS1 = 2, kS2 = 4, kNext = 8, kS0Children = 16, kS1Children = 32, kN0Children = 64;
constexpr ConfigurationParts kPlaceParts[] = {
    kS0,         kS1,         kS2,         kNext,       kNext,       kNext,       kS0Children, kS0Children,
    kS1Children, kS1Children, kS0Children, kS0Children, kS1Children, kS1Children, kN0Children, kN0Children};
constexpr ConfigurationParts kNumberParts[] = {kS0Children, kS0Children, kS1Children, kS1Children,
                                               kN0Children, kS0Children, kS0Children, kS1Children,
                                               kS1Children, kN0Children, kS1 | kS0,   kS0 | kNext};

}  // namespace

TransitionContext::TransitionContext(std::vector<uint64_t> label_hashes) : label_hashes_(std::move(label_hashes)) {
    label_hashes_.insert(label_hashes_.begin(), 0);
}

std::vector<std::string> TransitionContext::atoms() {
    std::vector<std::string> names;
    for (const char* place : kPlaceNames)
        for (char attribute : std::string(Word::kAttributes) + "d") names.push_back(std::string(place) + attribute);
    names.insert(names.end(), std::begin(kNumberNames), std::end(kNumberNames));
    for (const char* place : kPlaceNames)
        for (const char attribute : ClusterAtoms::kAttributes) names.push_back(std::string(place) + attribute);
    return names;
}

void TransitionContext::look(const ArcHybrid& c) {
    const auto n = static_cast<uint32_t>(c.words());
    const uint32_t outside = n + 1, s0 = c.stack(0), s1 = c.stack(1), s2 = c.stack(2), b0 = c.next();
    const auto or_outside = [&](uint32_t word) { return word == 0 ? outside : word; };
    // The root stands at the end of the buffer, behind the last word.
    const auto buffer = [&](uint32_t word) { return word <= n ? word : word == n + 1 ? UINT32_MAX : outside; };
    const Children none{};
    const Children& S0 = s0 == 0 ? none : c.children(0);
    const Children& S1 = s1 == 0 ? none : c.children(1);
    const Children& N0 = c.children_of_next();
    const Child children[] = {S0.left.outermost, S0.right.outermost, S1.left.outermost, S1.right.outermost,
                              S0.left.second,    S0.right.second,    S1.left.second,    S1.right.second,
                              N0.left.outermost, N0.left.second};
    const uint32_t words[] = {or_outside(s0), or_outside(s1), s2, buffer(b0), buffer(b0 + 1), buffer(b0 + 2)};
    constexpr size_t kWords = std::size(words);
    static_assert(kWords + std::size(children) == kPlaces);
    for (size_t p = 0; p < kWords; ++p) {
        place_[p] = words[p];
        label_[p] = 0;
    }
    for (size_t k = 0; k < std::size(children); ++k) {
        place_[kWords + k] = children[k].word;
        label_[kWords + k] = children[k].word == 0 ? 0 : children[k].label + 1;
    }
    const auto bucket = [](uint32_t a, uint32_t b) -> uint64_t {
        const uint32_t d = b - a;
        return d < 5 ? d : d <= 6 ? 5 : d <= 9 ? 6 : 7;
    };
    const auto count = [](uint16_t k) -> uint64_t { return k < 4 ? k + 1u : 5u; };
    const uint64_t numbers[kNumbers] = {
        count(S0.left.count), count(S0.right.count), count(S1.left.count),         count(S1.right.count),
        count(N0.left.count), S0.left.labels + 1,    S0.right.labels + 1,          S1.left.labels + 1,
        S1.right.labels + 1,  N0.left.labels + 1,    s1 != 0 ? bucket(s1, s0) : 0, s0 != 0 ? bucket(s0, b0) : 0};
    std::copy(numbers, numbers + kNumbers, number_);
    uint64_t digest[kConfigurationParts];
    for (size_t part = 0; part < kConfigurationParts; ++part)
        digest[part] = combine(part + 1, part < 4 ? place_[part] : 0);
    const auto add = [&](ConfigurationParts part, uint64_t value) {
        uint64_t& h = digest[__builtin_ctz(part)];
        h = combine(h, value);
    };
    for (size_t p = 6; p < kPlaces; ++p) add(kPlaceParts[p], uint64_t{place_[p]} << 32 | label_[p]);
    for (size_t k = 0; k < kNumbers - 2; ++k) add(kNumberParts[k], number_[k]);
    for (size_t part = 0; part < kConfigurationParts; ++part) {
        const size_t half = part / kHalf, bit = size_t{1} << part % kHalf;
        for (size_t some = 0; some < bit; ++some) sums_[half][bit + some] = sums_[half][some] + digest[part];
    }
}

ConfigurationParts TransitionContext::parts(uint16_t atom) {
    if (atom < kPlaces * kBlock) return kPlaceParts[atom / kBlock];
    const size_t behind = atom - kPlaces * kBlock;
    return behind < kNumbers ? kNumberParts[behind] : kPlaceParts[(behind - kNumbers) / kClusterBlock];
}

ConfigurationParts TransitionContext::determined_by(ConfigurationParts parts) {
    if ((parts & kS0) == 0) return parts;
    return (parts & kNext) != 0 ? kWholeConfiguration : parts | kS1 | kS2 | kS1Children;
}

const uint64_t* TransitionContext::values(const Words& words) {
    values_.resize(kPlaces * (kBlock + kClusterBlock) + kNumbers);
    uint64_t* to = values_.data();
    // Nobody can guess which words are missing, so there is no branch for that, and no call for so few bytes.
    for (size_t p = 0; p < kPlaces; ++p, to += kBlock) {
        static constexpr Word kNoWord{};
        const Word& there = words[place_[p] == UINT32_MAX ? 0 : place_[p]];
        const Word& word = place_[p] == 0 ? kNoWord : there;
        std::memcpy(to, word.values.data(), sizeof word.values);
        to[kBlock - 1] = label_hashes_[label_[p]];
    }
    to = std::copy(number_, number_ + kNumbers, to);
    if (!words.has_clusters()) return values_.data();
    for (size_t p = 0; p < kPlaces; ++p, to += kClusterBlock) {
        static constexpr ClusterAtoms kNoCluster{};
        const ClusterAtoms& there = words.clusters(place_[p] == UINT32_MAX ? 0 : place_[p]);
        const ClusterAtoms& atoms = place_[p] == 0 ? kNoCluster : there;
        std::memcpy(to, atoms.values.data(), sizeof atoms.values);
    }
    return values_.data();
}

}  // namespace sapwood
