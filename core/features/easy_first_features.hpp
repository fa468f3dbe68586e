// The context of an attachment point (search/easy_first.hpp), which its features look at.
//
//     p-2 p-1 p0 p1 p2 p3 the window; p0 and p1 are the two trees that would be attached
//     p0l p0r p0l2 p0r2   the outermost and second outermost children of p0; likewise for the others
//     + w l p s t c f     an attribute of that word (features/words.hpp), d its label (children only)
//     p0x p0y p0z         the cluster of an item of the window
//     p0pp                the word, if its tag is that of a preposition (IN, TO, or ADP as the second tag)
//     p0nc p0len          whether it has children; the number of words of its partial tree
//     p0vl p0vr           the number of its children to the left and to the right
//     p0sl p0sr           the set of their labels; p0cl p0cr the set of their second tags
//     p0-p1               the distance to the next item; likewise p-2-p-1 to p2-p3
//
// The values of an item are stored in one block, which is updated when the item gets a child. The values of a point are
// the consecutive blocks of its window, and the values of the next point start one block later.
#pragma once
#include <string>
#include <vector>

#include "features/words.hpp"
#include "search/easy_first.hpp"

namespace sapwood {

class EasyFirstContext {
  public:
    static std::vector<std::string> atoms();

    // The places of the window that an atom depends on.
    static WindowPlaces places(size_t atom);

    explicit EasyFirstContext(std::vector<uint64_t> label_hashes) : label_hashes_(std::move(label_hashes)) {}

    // Starts a sentence, in which no word has children yet.
    void start(const Words& words);

    // Updates the block of an item that got a child.
    void renew(const PendingTrees& pending, const Words& words, uint32_t item);

    // Prepares the windows of `count` consecutive points of the list.
    void look(const PendingTrees& pending, uint32_t point, size_t count);

    // The values of the atoms, in their order, at the k-th of these points. Valid until the next call of look().
    const uint64_t* values(size_t k) const { return window_.data() + k * kBlock; }

  private:
    static constexpr size_t kWord = 8;  // size of Word::values; the last is p0pp, or the label of a child
    static constexpr size_t kNumbers = 9;
    static constexpr size_t kClusters = ClusterAtoms::kAttributes.size();
    static constexpr size_t kPlain = 5 * kWord + kNumbers, kBlock = kPlain + kClusters, kDistance = kPlain - 1;

    std::vector<uint64_t> label_hashes_;
    bool clusters_ = false;         // whether the sentence has them; otherwise the end of a block is not used
    std::vector<uint64_t> items_;   // [words + 2][kBlock]
    std::vector<uint64_t> window_;  // [points + 5][kBlock]
};

}  // namespace sapwood
