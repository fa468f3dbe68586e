#include "features/arc_features.hpp"

#include <algorithm>
#include <unordered_map>

namespace sapwood {

namespace {

// The places of each role: the word itself and its two neighbours.
constexpr const char* kHeadPlaces[] = {"h", "h-1", "h+1"};
constexpr const char* kModifierPlaces[] = {"m", "m-1", "m+1"};
constexpr int kOffsets[] = {0, -1, 1};
constexpr size_t kPlaces = 3;
constexpr size_t kOwn = Word::kAttributes.size(), kAttributes = kOwn + ClusterAtoms::kAttributes.size();
constexpr size_t kArcBlock = kPlaces * kAttributes;  // number of atoms per role

// The value of an atom for the word at a position, 0 if the value is missing.
uint64_t value_of(const Words& words, size_t position, uint16_t atom) {
    const size_t place = position + static_cast<size_t>(kOffsets[atom / kAttributes]);
    const bool outside = place > words.size();  // also true before the root, where the subtraction wraps around
    const size_t inside = outside ? words.size() + 1 : place, attribute = atom % kAttributes;
    if (attribute < kOwn) return words[inside].values[attribute];
    return words.has_clusters() ? words.clusters(inside).values[attribute - kOwn] : 0;
}

// Combines the values of some of a word's atoms into `key`. Returns 0 if one of them is missing.
uint64_t fold_atoms(const Words& words, size_t position, const std::vector<uint16_t>& atoms, uint64_t key) {
    for (uint16_t atom : atoms) {
        const uint64_t value = value_of(words, position, atom);
        if (value == 0) return 0;
        key = combine(key, value);
    }
    return key;
}

}  // namespace

std::vector<std::string> ArcFeatures::atoms(const std::string& third) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& place) {
        for (char attribute : Word::kAttributes) names.push_back(place + attribute);
        for (char attribute : ClusterAtoms::kAttributes) names.push_back(place + attribute);
    };
    for (const char* place : kHeadPlaces) add(place);
    for (const char* place : kModifierPlaces) add(place);
    add(third);
    return names;
}

ArcFeatures::ArcFeatures(Conjunctions conjunctions) : conjunctions_(std::move(conjunctions)) {
    for (size_t k = 0; k < lines(); ++k) {
        Line line{k, {}, {}, {}, {}, {}, {}, {}};
        for (uint16_t atom : conjunctions_.atoms(k)) {
            auto& role = atom < kArcBlock ? line.head : atom < 2 * kArcBlock ? line.modifier : line.third;
            role.push_back(atom % kArcBlock);
        }
        auto& group = !line.third.empty()     ? triple_
                      : line.modifier.empty() ? head_
                      : line.head.empty()     ? modifier_
                                              : arc_;
        group.push_back(std::move(line));
    }
}

void ArcFeatures::read(const Words& words) {
    const size_t positions = words.size() + 2;  // the root, the words, and the boundary
    for (auto* group : {&head_, &modifier_, &arc_, &triple_})
        for (Line& line : *group) {
            for (auto* folded : {&line.heads, &line.modifiers, &line.thirds}) folded->resize(positions);
            const uint64_t seed = conjunctions_.seed(line.number);
            for (size_t i = 0; i < positions; ++i) {
                line.heads[i] = fold_atoms(words, i, line.head, seed);
                line.modifiers[i] = fold_atoms(words, i, line.modifier, seed);
                line.thirds[i] = fold_atoms(words, i, line.third, seed);
            }
        }
    std::unordered_map<uint64_t, uint32_t> last;
    for (Line& line : triple_) {
        last.clear();
        line.before.assign(positions, 0);
        for (uint32_t i = 1; i + 1 < positions; ++i) {
            uint32_t& at = last[line.thirds[i]];
            line.before[i] = at;
            at = i;
        }
    }
}

size_t ArcFeatures::head_keys(size_t h, uint64_t* out) const {
    const uint64_t* begin = out;
    for (const Line& line : head_) {
        *out = line.heads[h];
        out += *out != 0;
    }
    return static_cast<size_t>(out - begin);
}

size_t ArcFeatures::modifier_keys(size_t m, uint64_t* out) const {
    const uint64_t* begin = out;
    for (const Line& line : modifier_) {
        *out = line.modifiers[m];
        out += *out != 0;
    }
    return static_cast<size_t>(out - begin);
}

size_t ArcFeatures::arc_keys(size_t h, size_t m, uint64_t* out) const {
    const uint64_t* begin = out;
    for (const Line& line : arc_) {
        const uint64_t a = line.heads[h], b = line.modifiers[m];
        *out = combine(a, b);
        out += (a != 0) & (b != 0);
    }
    return static_cast<size_t>(out - begin);
}

size_t ArcFeatures::triple_keys(size_t h, size_t third, size_t m, uint64_t* out) const {
    const uint64_t* begin = out;
    for (const Line& line : triple_) {
        const uint64_t a = line.heads[h], b = line.modifiers[m], c = line.thirds[third];
        *out = combine(combine(a, b), c);
        out += (a != 0) & (b != 0) & (c != 0);
    }
    return static_cast<size_t>(out - begin);
}

size_t ArcFeatures::between_keys(size_t h, size_t m, uint64_t* out) const {
    const uint64_t* begin = out;
    const size_t left = std::min(h, m), right = std::max(h, m);
    for (const Line& line : triple_) {
        const uint64_t a = line.heads[h], b = line.modifiers[m];
        if (a == 0 || b == 0) continue;
        const uint64_t arc = combine(a, b);
        for (size_t i = left + 1; i < right; ++i) {
            *out = combine(arc, line.thirds[i]);
            out += static_cast<int>(line.before[i] <= left) & static_cast<int>(line.thirds[i] != 0);
        }
    }
    return static_cast<size_t>(out - begin);
}

void ArcFeatures::add_arc(size_t h, size_t m, std::vector<Found>& out) const {
    const auto add = [&](const Line& line, uint64_t key, size_t third, bool whole) {
        if (whole) out.push_back({key, static_cast<uint32_t>(line.number), static_cast<uint32_t>(third)});
    };
    for (const Line& line : head_) add(line, line.heads[h], 0, line.heads[h] != 0);
    for (const Line& line : modifier_) add(line, line.modifiers[m], 0, line.modifiers[m] != 0);
    for (const Line& line : arc_) {
        const uint64_t a = line.heads[h], b = line.modifiers[m];
        add(line, combine(a, b), 0, a != 0 && b != 0);
    }
    const size_t left = std::min(h, m), right = std::max(h, m);
    for (const Line& line : triple_) {
        const uint64_t a = line.heads[h], b = line.modifiers[m];
        for (size_t i = left + 1; i < right; ++i)
            add(line, combine(combine(a, b), line.thirds[i]), i,
                a != 0 && b != 0 && line.thirds[i] != 0 && line.before[i] <= left);
    }
}

void ArcFeatures::add_triple(size_t h, size_t third, size_t m, std::vector<Found>& out) const {
    for (const Line& line : triple_) {
        const uint64_t a = line.heads[h], b = line.modifiers[m], c = line.thirds[third];
        if (a != 0 && b != 0 && c != 0)
            out.push_back(
                {combine(combine(a, b), c), static_cast<uint32_t>(line.number), static_cast<uint32_t>(third)});
    }
}

std::string ArcFeatures::text(const Found& found, const Words& words, size_t h, size_t m,
                              const std::function<std::string(uint64_t)>& text_of) const {
    return conjunctions_.text(found.line, values(words, h, found.third, m).data(), text_of);
}

// The values of all atoms, [atoms].
std::vector<uint64_t> ArcFeatures::values(const Words& words, size_t h, size_t third, size_t m) const {
    std::vector<uint64_t> values;
    for (size_t position : {h, m, third})
        for (uint16_t atom = 0; atom < (values.size() < 2 * kArcBlock ? kArcBlock : kAttributes); ++atom)
            values.push_back(value_of(words, position, atom));
    return values;
}

}  // namespace sapwood
