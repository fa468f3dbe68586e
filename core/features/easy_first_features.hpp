// The context of an attachment point (search/easy_first.hpp): what its features may look at.
//
//     p-2 p-1 p0 p1 p2 p3     the neighbours, p0 and p1 would be attached
//     p0l p0r p0l2 p0r2       outermost children of p0 and those next to them; likewise of the others
//     + w l p s t c f     an attribute of that word (features/words.hpp), d its label (children only)
//     p0pp                the word, if it is a preposition by its tag (IN, TO, or ADP as the second tag)
//     p0nc p0len          whether it has children, words of its partial tree
//     p0vl p0vr           number of children to the left and right
//     p0sl p0sr           the set of their labels; p0cl p0cr of their second tags
//     p0-p1               distance to the next item; likewise p-2-p-1 to p2-p3
//
// All that is known of an item is kept in one block, renewed when it gets a child; the values of a point are the
// blocks of its window, one after the other, and those of the next point begin one block further.
#pragma once
#include <string>
#include <vector>

#include "features/words.hpp"
#include "search/easy_first.hpp"

namespace sapwood {

class EasyFirstContext {
  public:
    static std::vector<std::string> atoms();

    // The places of the window that an atom looks at.
    static WindowPlaces places(size_t atom);

    explicit EasyFirstContext(std::vector<uint64_t> label_hashes) : label_hashes_(std::move(label_hashes)) {}

    // Takes in the words, none of which has children.
    void start(const Words& words);

    // Renews what is known of an item that got a child.
    void renew(const PendingTrees& pending, const Words& words, uint32_t item);

    // Takes in the windows of `count` points that follow each other in the list.
    void look(const PendingTrees& pending, uint32_t point, size_t count);

    // Values of the atoms at the k-th of them, in their order; valid until the next call of look().
    const uint64_t* values(size_t k) const { return window_.data() + k * kBlock; }

  private:
    static constexpr size_t kWord = 8;  // Word::values; the last is p0pp, or the label of a child
    static constexpr size_t kNumbers = 9;
    static constexpr size_t kBlock = 5 * kWord + kNumbers, kDistance = kBlock - 1;

    std::vector<uint64_t> label_hashes_;
    std::vector<uint64_t> items_;   // [words + 2][kBlock]
    std::vector<uint64_t> window_;  // [points + 5][kBlock]
};

}  // namespace sapwood
