#include "features/structure_features.hpp"

#include "text/chunks.hpp"
#include "text/normal_form.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

enum StructureFeature : uint64_t {
    kThreeKinds = 1,
    kFourKinds,
    kTwoHeads,
    kKindsHead,
    kTags,
    kTagsBetween,
    kWords,
    kEnds,
    kLength,
    kFourLabels,
    kLabelsWord,
    kGrandparent,
    kGrandparentHeadWord,
    kGrandparentWord,
    kRelation,
    kModifiers,
    kValency,
    kFrame,
    kSiblingRelations,
};
constexpr std::string_view kStructureFeatureNames[] = {"three chunks",
                                                       "four chunks",
                                                       "two chunks",
                                                       "chunk",
                                                       "tags",
                                                       "tags in",
                                                       "words",
                                                       "ends",
                                                       "length",
                                                       "four labels",
                                                       "labels",
                                                       "grandparent",
                                                       "grandparent, word of head",
                                                       "grandparent, word",
                                                       "relation",
                                                       "modifiers",
                                                       "valency",
                                                       "frame",
                                                       "siblings"};

constexpr size_t kLongest = 6;  // a chunk's features list at most this many tokens
constexpr uint64_t kRoot = 0x2007;

uint64_t key(StructureFeature kind) {
    return combine(0x57B0C7ULL, kind);
}

// The hash of a text, which a trace is told of.
uint64_t hashed(std::string_view text) {
    const uint64_t value = hash_composed(text);
    if (JoinTrace* trace = JoinTrace::current()) trace->name(value, text);
    return value;
}

}  // namespace

void StructureFeatures::set_tokens(const std::vector<std::vector<std::string>>& tokens) {
    if (JoinTrace* trace = JoinTrace::current()) {
        for (uint64_t kind = kThreeKinds; kind <= kSiblingRelations; ++kind)
            trace->name(key(static_cast<StructureFeature>(kind)), kStructureFeatureNames[kind - 1]);
        trace->name(kRoot, "<root>");
    }
    const uint64_t no_tag = hashed("_");
    words_.clear();
    tags_.clear();
    for (const auto& row : tokens) {
        std::string lower;
        if (!row.empty()) append_lower(lower, row[0]);
        words_.push_back(hashed(lower));
        tags_.push_back(row.size() > 1 ? hashed(row[1]) : no_tag);
    }
}

void StructureFeatures::add_chunks(const std::vector<std::string>& labels, FeatureRows& rows) {
    struct Segment {  // a chunk, or a token outside of chunks
        uint64_t kind, head;
    };
    // Two boundaries come first, so segment k of the sentence is segments[k + 2].
    std::vector<Segment> segments(2, {kBoundary, kBoundary});
    const auto inside = [&](uint64_t kind, size_t begin, size_t end) {
        segments.push_back({kind, word(end - 1)});
        uint64_t by_tags = join(key(kTags), kind), by_words = join(key(kWords), kind);
        if (end - begin > kLongest) by_tags = join(by_tags, tag(begin), kBoundary, tag(end - 1));
        for (size_t i = begin; i < end && i < begin + kLongest; ++i) {
            if (end - begin <= kLongest) by_tags = join(by_tags, tag(i));
            by_words = join(by_words, word(i));
        }
        found_.add(by_tags);
        found_.add(by_words);
        found_.add(join(key(kTagsBetween), by_tags, tag(begin - 1), tag(end)));
        found_.add(join(key(kEnds), kind, word(begin), word(end - 1)));
        found_.add(join(key(kLength), kind, std::min<size_t>(end - begin, 8)));
    };
    const uint64_t outside = hashed("O");
    each_chunk(
        labels, [&](const Chunk& chunk) { inside(hashed(chunk.type), chunk.begin, chunk.end); },
        [&](size_t i) { inside(outside, i, i + 1); });
    segments.push_back({kBoundary, kBoundary});
    for (size_t k = 2; k < segments.size(); ++k) {
        const auto &a = segments[k - 2], &b = segments[k - 1], &c = segments[k];
        found_.add(join(key(kThreeKinds), a.kind, b.kind, c.kind));
        found_.add(join(key(kTwoHeads), b.kind, b.head, c.kind, c.head));
        found_.add(join(key(kKindsHead), b.kind, c.kind, c.head));
        if (k + 1 < segments.size())
            found_.add(join(key(kFourKinds), a.kind, b.kind, c.kind, segments[k + 1].kind, c.head));
    }
    found_.move_to(rows);
    rows.end_row();
}

void StructureFeatures::add_labels(const std::vector<std::string>& labels, FeatureRows& rows) {
    std::vector<uint64_t> hashes(3, kBoundary);
    for (const std::string& label : labels) hashes.push_back(hashed(label));
    hashes.push_back(kBoundary);
    for (size_t i = 0; i <= labels.size(); ++i) {
        found_.add(join(key(kFourLabels), hashes[i], hashes[i + 1], hashes[i + 2], hashes[i + 3]));
        if (i < labels.size()) found_.add(join(key(kLabelsWord), hashes[i + 1], hashes[i + 2], hashes[i + 3], word(i)));
    }
    found_.move_to(rows);
    rows.end_row();
}

void StructureFeatures::add_tree(const std::vector<uint32_t>& heads, const std::vector<std::string>& deprels,
                                 FeatureRows& rows) {
    const size_t n = heads.size();
    const auto word_of = [&](size_t node) { return node == 0 ? kRoot : word(node - 1); };
    const auto tag_of = [&](size_t node) { return node == 0 ? kRoot : tag(node - 1); };
    std::vector<uint64_t> relations;
    for (const std::string& deprel : deprels) relations.push_back(hashed(deprel));
    std::vector<std::vector<size_t>> modifiers(n + 1);
    for (size_t m = 1; m <= n; ++m) {
        const size_t head = heads[m - 1];
        modifiers[head].push_back(m);
        const uint64_t above = head == 0 ? kBoundary : tag_of(heads[head - 1]), left = m < head;
        found_.add(join(key(kGrandparent), above, tag_of(head), tag_of(m), left));
        found_.add(join(key(kGrandparentHeadWord), above, word_of(head), tag_of(m), left));
        found_.add(join(key(kGrandparentWord), above, tag_of(head), word_of(m), left));
        found_.add(join(key(kRelation), relations[m - 1], tag_of(head), word_of(m)));
    }
    std::vector<uint64_t> frame;
    for (size_t head = 0; head <= n; ++head) {
        if (modifiers[head].empty()) continue;
        uint64_t by_tags = join(key(kModifiers), tag_of(head));
        size_t lefts = 0;
        uint64_t neighbour = kBoundary;
        frame.clear();
        const auto siblings = [&](uint64_t next) {
            found_.add(join(key(kSiblingRelations), tag_of(head), neighbour, next));
            neighbour = next;
        };
        for (size_t k = 0; k <= modifiers[head].size(); ++k) {
            const size_t m = k < modifiers[head].size() ? modifiers[head][k] : n + 1;
            if (m > head && (k == 0 || modifiers[head][k - 1] < head)) {  // the first modifier on the right
                siblings(kBoundary);
                by_tags = join(by_tags, kBoundary);
            }
            if (k == modifiers[head].size()) break;
            lefts += m < head;
            siblings(tag_of(m));
            by_tags = join(by_tags, tag_of(m));
            frame.push_back(relations[m - 1]);
        }
        siblings(kBoundary);
        std::ranges::sort(frame);
        uint64_t by_relations = join(key(kFrame), tag_of(head));
        for (const uint64_t relation : frame) by_relations = join(by_relations, relation);
        found_.add(by_tags);
        found_.add(by_relations);
        found_.add(join(key(kValency), word_of(head), std::min<size_t>(lefts, 4),
                        std::min<size_t>(modifiers[head].size() - lefts, 4)));
    }
    found_.move_to(rows);
    rows.end_row();
}

}  // namespace sapwood
