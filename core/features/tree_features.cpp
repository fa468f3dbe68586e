#include "features/tree_features.hpp"
#include "text/normal_form.hpp"

#include <algorithm>

namespace sapwood {

namespace {

enum TreeFeature : uint64_t {
    kRule = 1,
    kRuleAbove,
    kChildren,
    kWordAncestors,
    kTagAncestors,
    kHeads,
    kHeadTags,
    kFirstLast,
    kFirstLastTags,
    kAround,
    kAroundTags,
    kSize,
    kRight,
    kNotRight,
    kParallel,
};
constexpr std::string_view kTreeFeatureNames[] = {
    "rule",         "rule under",   "children",        "word",   "tags",        "heads",
    "head tags",    "first-last",   "first-last tags", "around", "around tags", "size",
    "right branch", "other branch", "parallel"};

constexpr uint32_t kNone = UINT32_MAX;

uint64_t key(TreeFeature kind) {
    return combine(0x7EEE5ULL, kind);
}
void keep(std::vector<uint64_t>& hashes, const std::vector<std::string>& names) {
    for (size_t k = hashes.size(); k < names.size(); ++k) {
        hashes.push_back(hash_composed(names[k]));
        if (JoinTrace* trace = JoinTrace::current()) trace->name(hashes.back(), names[k]);
    }
}

}  // namespace

uint64_t TreeFeatures::label(uint32_t number) {
    if (number >= labels_.size()) keep(labels_, symbols_.labels.names());
    return labels_[number];
}
uint64_t TreeFeatures::word(uint32_t number) {
    if (number >= words_.size()) keep(words_, symbols_.words.names());
    return words_[number];
}

void TreeFeatures::add(const PhraseTree& tree, FeatureRows& rows) {
    if (JoinTrace* trace = JoinTrace::current())
        for (uint64_t kind = kRule; kind <= kParallel; ++kind)
            trace->name(key(static_cast<TreeFeature>(kind)), kTreeFeatureNames[kind - 1]);
    if (!tree.nodes.empty()) gather(tree);
    found_.move_to(rows);
}

void TreeFeatures::gather(const PhraseTree& tree) {
    const auto& nodes = tree.nodes;
    const auto n = static_cast<uint32_t>(nodes.size());
    parent_.assign(n, kNone);
    head_.assign(n, kNone);
    tags_.resize(tree.words());
    for (uint32_t k = 0; k < n; ++k) {
        tree.each_child(k, [&](uint32_t child) { parent_[child] = k; });
        if (nodes[k].is_tag()) tags_[nodes[k].begin] = k;
    }
    // A simple head rule instead of a table: the head of a nominal is its last word, of any other category its first.
    for (uint32_t k = 0; k < n; ++k) {
        const std::string& name = symbols_.labels.name(nodes[k].label);
        const bool last = !name.empty() && name[0] == 'N';
        head_[k] = last ? nodes[k].end - 1 : nodes[k].begin;
    }
    const auto above = [&](uint32_t k) { return parent_[k] == kNone ? kBoundary : label(nodes[parent_[k]].label); };

    size_t right = 0;
    for (uint32_t k = 0; k < n; ++k) right += nodes[k].end == nodes[0].end;
    for (size_t k = 0; k < right; ++k) found_.add(key(kRight));
    for (size_t k = right; k < n; ++k) found_.add(key(kNotRight));

    for (uint32_t k = 0; k < n; ++k) {
        const uint64_t own = label(nodes[k].label);
        if (nodes[k].is_tag()) {
            const uint64_t w = word(nodes[k].word);
            uint64_t by_word = join(key(kWordAncestors), w, own), by_tag = join(key(kTagAncestors), own);
            uint32_t up = parent_[k];
            for (int level = 0; level < 3 && up != kNone; ++level, up = parent_[up]) {
                by_word = join(by_word, label(nodes[up].label));
                by_tag = join(by_tag, label(nodes[up].label));
                if (level < 2) found_.add(by_word);
                found_.add(by_tag);
            }
            continue;
        }
        uint64_t rule = join(key(kRule), own), left = kBoundary;
        uint32_t conjunct = kNone;  // the category before a conjunction
        bool conjoined = false;
        tree.each_child(k, [&](uint32_t child) {
            const uint64_t each = label(nodes[child].label);
            rule = join(rule, each);
            found_.add(join(key(kChildren), own, left, each));
            left = each;
            if (!nodes[child].is_tag()) {
                if (conjoined && conjunct != kNone)
                    found_.add(join(key(kParallel), label(nodes[conjunct].label) == each,
                                    tree.children(conjunct) == tree.children(child),
                                    std::min<size_t>(nodes[conjunct].end - nodes[conjunct].begin, 3) ==
                                        std::min<size_t>(nodes[child].end - nodes[child].begin, 3)));
                conjunct = child;
                conjoined = false;
            } else if (symbols_.labels.name(nodes[child].label) == "CC") {
                conjoined = true;
            }
            // The child's head word below the head word of its parent.
            if (head_[child] != head_[k]) {
                const auto& below = nodes[tags_[head_[child]]];
                const auto& governor = nodes[tags_[head_[k]]];
                found_.add(join(key(kHeads), own, each, word(below.word), word(governor.word)));
                found_.add(join(key(kHeadTags), own, each, word(below.word), label(governor.label)));
                found_.add(join(key(kHeadTags), own, each, label(below.label), label(governor.label)));
            }
        });
        found_.add(join(key(kChildren), own, left, kBoundary));
        found_.add(rule);
        found_.add(join(key(kRuleAbove), rule, above(k)));
        edges(tree, k);
    }
}

void TreeFeatures::edges(const PhraseTree& tree, uint32_t node) {
    const auto& nodes = tree.nodes;
    const uint64_t own = label(nodes[node].label);
    const size_t begin = nodes[node].begin, end = nodes[node].end, words = tree.words();
    const auto tag_at = [&](size_t i) { return label(nodes[tags_[i]].label); };
    const auto word_at = [&](size_t i) { return word(nodes[tags_[i]].word); };
    const uint64_t tag_before = begin == 0 ? kBoundary : tag_at(begin - 1);
    const uint64_t tag_behind = end == words ? kBoundary : tag_at(end);
    found_.add(join(key(kFirstLast), own, word_at(begin), word_at(end - 1)));
    found_.add(join(key(kFirstLastTags), own, tag_at(begin), tag_at(end - 1)));
    found_.add(
        join(key(kAround), own, begin == 0 ? kBoundary : word_at(begin - 1), end == words ? kBoundary : word_at(end)));
    found_.add(join(key(kAroundTags), own, tag_before, tag_behind));
    found_.add(join(key(kAroundTags), own, tag_before, tag_at(begin), tag_at(end - 1), tag_behind));
    found_.add(join(key(kSize), own, bucket(end - begin), bucket(words - end), tag_behind));
}

}  // namespace sapwood
