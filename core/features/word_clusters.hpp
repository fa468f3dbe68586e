// Word clusters (Brown et al. 1992): each word has a class, and each class a bit string, the path to it from the root
// of a binary tree, so that classes whose strings begin with the same bits are alike.
//
// The words themselves are not kept. A word is known by a fingerprint, the top `key_bits` bits of its hash. There are
// kSpareBits = 10 bits more than the number of words has, so that a word which is not in the table is taken for one that
// is once in 1,024 to 2,048 look-ups. Of words with the same fingerprint the table has the one that comes first.
//
//     high, low   the fingerprints, ascending, in Elias-Fano form: at most 13 bits a word
//     classes     the class of each, bits_for(classes - 1) bits; with 1,000 classes a word takes 23 bits in all
//     tree        the tree's nodes in pre-order, two bits each: whether there is a child 0, and a child 1. Leaves are
//                 classes, in their order.
//
// Which form of a word is looked up is decided here, for all tasks: the word as it is; else lower-cased; else that with
// all its digits replaced by 1. Cluster files have words as they are in running text, capitals and numbers included.
//
// In memory fingerprints that begin with the same bits, about eight, lie side by side with their classes, four bytes a
// word. A look-up takes two cache lines, however the fingerprints of a damaged or crafted file are distributed.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

struct PackedClusters {
    uint64_t words = 0;
    unsigned key_bits = 1;
    std::string high, low, classes, tree;  // the arrays

    bool operator==(const PackedClusters&) const = default;
};

class WordClusters {
  public:
    static constexpr uint32_t kNone = UINT32_MAX;           // the class of a word that has none
    static constexpr std::string_view kNoCluster = "none";  // and what stands for its bits
    static constexpr unsigned kSpareBits = 10;              // of a fingerprint
    static constexpr size_t kMostClasses = (1u << 16) - 1;  //
    static constexpr size_t kLongestString = 255;           // bits of a class
    static constexpr uint64_t kMostWords = uint64_t{1} << 31;

    // Takes the arrays of a model file. Throws ModelError, whose message names the table, if they are not as written above.
    explicit WordClusters(PackedClusters packed, const char* name = "word clusters");

    // words: [n] hashes of the words, all different, those that matter most first; classes: [n]; strings: the bits of
    // each class, distinct, ascending, and none the beginning of another.
    WordClusters(const std::vector<uint64_t>& words, const std::vector<uint32_t>& classes,
                 const std::vector<std::string>& strings);

    // The class of a word, or kNone. `scratch` is memory to work with.
    uint32_t find(std::string_view word, std::string& scratch) const;

    // The forms that are looked up after the word itself: it in lower case; and that with each digit replaced by 1, for
    // which is returned whether it is another form.
    static void lower_form(std::string_view word, std::string& lower);
    static bool replace_digits(std::string& lower);

    size_t classes() const { return strings_.size(); }
    // The first `length` bits of a class, or all bits if `length` is 0. The class may be kNone.
    std::string_view bits(uint32_t of_class, size_t length = 0) const {
        if (of_class == kNone) return kNoCluster;
        const std::string_view all = strings_[of_class];
        return length == 0 ? all : all.substr(0, length);
    }

    const PackedClusters& packed() const { return packed_; }

  private:
    void unpack();
    uint32_t find_hash(uint64_t hash) const;

    PackedClusters packed_;
    std::vector<std::string> strings_;  // [classes]
    unsigned low_bits_ = 0;             // of a fingerprint, those that do not tell its place in first_
    std::vector<uint32_t> first_;       // [2^(key_bits - low_bits) + 1] where words begin that have the same top bits
    std::vector<uint32_t> entries_;     // [words] low bits << 16 | class
};

}  // namespace sapwood
