#include "features/word_clusters.hpp"

#include <algorithm>
#include <numeric>

#include "base/bits.hpp"
#include "base/elias_fano.hpp"
#include "base/errors.hpp"
#include "base/hash.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr unsigned kLowBits = 16;    // of a fingerprint beside its class in memory
constexpr unsigned kNeighbours = 3;  // 2^3 words, about, have the same top bits

unsigned width_of(uint64_t words) {
    return static_cast<unsigned>(std::bit_width(words));
}

void require(bool condition, const char* what) {
    if (!condition) throw ModelError(what);
}

// Writes the subtree of strings[begin .. end - 1], which have `depth` bits in common.
void write_tree(const std::vector<std::string>& strings, size_t begin, size_t end, size_t depth, BitWriter& out) {
    if (end - begin == 1 && strings[begin].size() == depth) return out.put(0, 2);
    const auto from = strings.begin() + static_cast<ptrdiff_t>(begin),
               to = strings.begin() + static_cast<ptrdiff_t>(end);
    const auto ones = std::partition_point(from, to, [&](const std::string& s) { return s[depth] == '0'; });
    const auto middle = static_cast<size_t>(ones - strings.begin());
    out.put((middle > begin ? 1 : 0) | (middle < end ? 2 : 0), 2);
    if (middle > begin) write_tree(strings, begin, middle, depth + 1, out);
    if (middle < end) write_tree(strings, middle, end, depth + 1, out);
}

void read_tree(BitReader& in, std::string& path, std::vector<std::string>& strings) {
    require(in.left() >= 2, "the tree ends too early");
    const uint64_t children = in.get(2);
    if (children == 0) {
        require(!path.empty() && strings.size() < WordClusters::kMostClasses, "the tree has no class or too many");
        strings.push_back(path);
        return;
    }
    require(path.size() < WordClusters::kLongestString, "the tree is too deep");
    for (const unsigned child : {0u, 1u}) {
        if ((children >> child & 1) == 0) continue;
        path.push_back(child == 0 ? '0' : '1');
        read_tree(in, path, strings);
        path.pop_back();
    }
}

}  // namespace

WordClusters::WordClusters(PackedClusters packed, const char* name) : packed_(std::move(packed)) {
    try {
        unpack();
    } catch (const ModelError& error) {
        throw ModelError(std::string("the ") + name + ": " + error.what());
    }
}

WordClusters::WordClusters(const std::vector<uint64_t>& words, const std::vector<uint32_t>& classes,
                           const std::vector<std::string>& strings) {
    packed_.key_bits = width_of(words.size()) + kSpareBits;
    std::vector<size_t> order(words.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](size_t k) { return words[k] >> (64 - packed_.key_bits); };
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    order.erase(std::unique(order.begin(), order.end(), [&](size_t a, size_t b) { return key(a) == key(b); }),
                order.end());
    packed_.words = order.size();

    std::vector<uint64_t> keys;
    BitWriter numbers(packed_.classes), nodes(packed_.tree);
    for (const size_t k : order) {
        keys.push_back(key(k));
        numbers.put(classes[k], bits_for(strings.size() - 1));
    }
    EliasFano ascending = pack_keys(keys, packed_.key_bits);
    packed_.high = std::move(ascending.high);
    packed_.low = std::move(ascending.low);
    write_tree(strings, 0, strings.size(), 0, nodes);
    unpack();
}

void WordClusters::unpack() {
    const PackedClusters& p = packed_;
    BitReader nodes(p.tree);
    std::string path;
    read_tree(nodes, path, strings_);
    require(nodes.left() < 8 && nodes.get(static_cast<unsigned>(nodes.left())) == 0, "the tree has bytes to spare");

    require(p.words >= 1 && p.words <= kMostWords, "the number of words is out of range");
    const unsigned width = width_of(p.words);
    require(p.key_bits >= width && p.key_bits <= width + kLowBits - kNeighbours, "the key_bits are out of range");
    const std::vector<uint64_t> keys = unpack_keys(p.high, p.low, p.words, p.key_bits, "the table");
    const unsigned class_bits = bits_for(strings_.size() - 1);
    require(p.classes.size() == bytes_for(p.words, class_bits), "the classes have the wrong length");

    const unsigned top_bits = std::max(width, kNeighbours) - kNeighbours;
    low_bits_ = p.key_bits - top_bits;
    first_.assign((size_t{1} << top_bits) + 1, 0);
    BitReader classes(p.classes);
    for (const uint64_t key : keys) {
        const auto of_class = static_cast<uint32_t>(classes.get(class_bits));
        require(of_class < strings_.size(), "a class is out of range");
        entries_.push_back(static_cast<uint32_t>(key & ((uint64_t{1} << low_bits_) - 1)) << kLowBits | of_class);
        ++first_[(key >> low_bits_) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
}

uint32_t WordClusters::find_hash(uint64_t hash) const {
    const uint64_t key = hash >> (64 - packed_.key_bits);
    const uint64_t place = key >> low_bits_;
    const auto low = static_cast<uint32_t>(key & ((uint64_t{1} << low_bits_) - 1));
    const uint32_t* const end = entries_.data() + first_[place + 1];
    const uint32_t* const found = std::lower_bound(entries_.data() + first_[place], end, low << kLowBits);
    return found != end && *found >> kLowBits == low ? *found & kMostClasses : kNone;
}

uint32_t WordClusters::find(std::string_view word, std::string& scratch) const {
    if (const uint32_t found = find_hash(hash_bytes(word)); found != kNone) return found;
    lower_form(word, scratch);
    if (scratch != word)
        if (const uint32_t found = find_hash(hash_bytes(scratch)); found != kNone) return found;
    return replace_digits(scratch) ? find_hash(hash_bytes(scratch)) : kNone;
}

void WordClusters::lower_form(std::string_view word, std::string& lower) {
    lower.clear();
    append_lower(lower, word);
}

bool WordClusters::replace_digits(std::string& lower) {
    bool changed = false;
    for (char& c : lower)
        if (is_digit(static_cast<unsigned char>(c))) changed |= c != '1', c = '1';
    return changed;
}

}  // namespace sapwood
