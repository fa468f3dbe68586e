// The context of a transition: the words, labels and counts that its features look at.
//
//     S0 S1 S2      the stack from the top; N0 N1 N2 the front of the buffer
//     S0l S0r       outermost children of S0; S0l2 S0r2 the second outermost; likewise for S1, and N0l, N0l2
//     + w l p s t c f     an attribute of that word (features/words.hpp), x y z of its cluster, d its label
//     S0vl S0vr     number of children to the left and to the right; S0sl S0sr the set of their labels (also S1, N0)
//     S1-S0 S0-N0   distances between words
#pragma once
#include <string>
#include <vector>

#include "features/words.hpp"
#include "search/arc_hybrid.hpp"

namespace sapwood {

// A set of parts of a configuration: S0, S1, S2, the front of the buffer, the children of S0, of S1 and of N0.
using ConfigurationParts = uint8_t;
constexpr size_t kConfigurationParts = 7;
constexpr ConfigurationParts kWholeConfiguration = (1u << kConfigurationParts) - 1;

class TransitionContext {
  public:
    static std::vector<std::string> atoms();

    // The parts of a configuration that an atom's value depends on.
    static ConfigurationParts parts(uint16_t atom);

    // These parts and all others that they determine within one derivation. While a word is on top of the stack,
    // nothing below it changes; and the same two words are the top of the stack and the next word at most once.
    static ConfigurationParts determined_by(ConfigurationParts parts);

    explicit TransitionContext(std::vector<uint64_t> label_hashes);

    // Prepares a configuration.
    void look(const ArcHybrid& c);

    // A hash of some parts. If two configurations have the same digest, all atoms that depend only on these parts have
    // the same values in both.
    uint64_t digest(ConfigurationParts parts) const {
        return parts + sums_[0][parts % (1u << kHalf)] + sums_[1][parts >> kHalf];
    }

    // The values of the atoms, in their order. Valid until the next call.
    const uint64_t* values(const Words& words);

  private:
    static constexpr size_t kPlaces = 16, kNumbers = 12;
    static constexpr size_t kHalf = (kConfigurationParts + 1) / 2;  // of the parts

    std::vector<uint64_t> label_hashes_;  // [labels + 1] the first is 0, for words without one
    uint32_t place_[kPlaces];             // the word, 0 if there is none
    uint32_t label_[kPlaces];             // label + 1 of a child, 0 for other words
    uint64_t number_[kNumbers];
    uint64_t sums_[2][1 << kHalf] = {};  // digests of all sets of parts of each half
    std::vector<uint64_t> values_;
};

}  // namespace sapwood
