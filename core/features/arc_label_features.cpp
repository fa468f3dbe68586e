#include "features/arc_label_features.hpp"

#include <algorithm>
#include <utility>

namespace sapwood {

namespace {

constexpr const char* kRelationPlaceNames[] = {"h", "m", "g", "h-1", "h+1", "m-1", "m+1", "ml", "mr", "i", "o"};
constexpr const char* kRelationNumberNames[] = {"mvl", "mvr", "d"};
constexpr size_t kRelationBlock = 8;  // size of Word::values
constexpr size_t kRelationClusterBlock = ClusterAtoms::kAttributes.size();

}  // namespace

std::vector<std::string> ArcLabelContext::atoms() {
    std::vector<std::string> names;
    for (const char* place : kRelationPlaceNames)
        for (size_t a = 0; a < kRelationBlock; ++a)
            names.push_back(a < Word::kAttributes.size() ? std::string(place) + Word::kAttributes[a] : "");
    names.insert(names.end(), std::begin(kRelationNumberNames), std::end(kRelationNumberNames));
    for (const char* place : kRelationPlaceNames)
        for (const char attribute : ClusterAtoms::kAttributes) names.push_back(std::string(place) + attribute);
    return names;
}

void ArcLabelContext::look(const Tree& tree) {
    tree_ = &tree;
    const auto n = static_cast<uint32_t>(tree.words());
    families_.assign(n + 1, Family{});
    // Takes the children of a side from the head outwards.
    const auto adopt = [&](uint32_t m, uint32_t Family::* outermost, uint32_t Family::* count) {
        Family& head = families_[tree.heads[m]];
        const uint32_t inner = std::exchange(head.*outermost, m);
        families_[m].inner = inner;
        if (inner != 0) families_[inner].outer = m;
        ++(head.*count);
    };
    for (uint32_t m = 1; m <= n; ++m)
        if (tree.heads[m] < m) adopt(m, &Family::rightmost, &Family::rights);
    for (uint32_t m = n; m >= 1; --m)
        if (tree.heads[m] > m) adopt(m, &Family::leftmost, &Family::lefts);
}

const uint64_t* ArcLabelContext::values(const Words& words, uint32_t m) {
    const uint32_t h = tree_->heads[m];
    const auto n = static_cast<uint32_t>(tree_->words());
    const Family& family = families_[m];
    const uint32_t none = UINT32_MAX;
    const auto word_or_none = [&](uint32_t word) { return word == 0 ? none : word; };
    const uint32_t places[] = {h,
                               m,
                               h == 0 ? n + 1 : tree_->heads[h],
                               h == 0 ? n + 1 : h - 1,
                               h + 1,
                               m - 1,
                               m + 1,
                               word_or_none(family.leftmost),
                               word_or_none(family.rightmost),
                               word_or_none(family.inner),
                               word_or_none(family.outer)};
    values_.resize(std::size(places) * (kRelationBlock + kRelationClusterBlock) + std::size(kRelationNumberNames));
    uint64_t* to = values_.data();
    for (uint32_t place : places) {
        if (place == none)
            std::fill_n(to, kRelationBlock, 0);
        else
            std::copy_n(words[place].values.data(), kRelationBlock, to);
        to += kRelationBlock;
    }
    const uint64_t distance = m > h ? m - h : h - m;
    *to++ = 1 + std::min(family.lefts, 3u);
    *to++ = 1 + std::min(family.rights, 3u);
    *to++ = (distance <= 4 ? distance : distance <= 7 ? 5 : distance <= 12 ? 6 : 7) << 1 | (m > h);
    if (!words.has_clusters()) return values_.data();
    for (uint32_t place : places) {
        if (place == none)
            std::fill_n(to, kRelationClusterBlock, 0);
        else
            std::copy_n(words.clusters(place).values.data(), kRelationClusterBlock, to);
        to += kRelationClusterBlock;
    }
    return values_.data();
}

}  // namespace sapwood
