// The context of a transition: which words, labels and counts its features may look at.
//
//     S0 S1 S2      the stack from the top, N0 N1 N2 the buffer
//     S0l S0r       outermost children of S0, S0l2 S0r2 those next to them; likewise of S1, and N0l, N0l2
//     + w l p s t c f     an attribute of that word (features/words.hpp), d its label
//     S0vl S0vr     number of children to the left and right; S0sl S0sr the set of their labels (also S1, N0)
//     S1-S0 S0-N0   distances
#pragma once
#include <string>
#include <vector>

#include "features/words.hpp"
#include "search/arc_hybrid.hpp"

namespace sapwood {

// Parts of a configuration, as a set: S0, S1, S2, the next words, the children of S0, of S1 and of N0.
using ConfigurationParts = uint8_t;
constexpr size_t kConfigurationParts = 7;
constexpr ConfigurationParts kWholeConfiguration = (1u << kConfigurationParts) - 1;

class TransitionContext {
  public:
    static std::vector<std::string> atoms();

    // The parts of a configuration that an atom's value depends on.
    static ConfigurationParts parts(uint16_t atom);

    // Those parts, and what they determine in the configurations of one derivation: as long as a word is on top of
    // the stack nothing below it changes, and no two words are the top of the stack and the next word twice.
    static ConfigurationParts determined_by(ConfigurationParts parts);

    explicit TransitionContext(std::vector<uint64_t> label_hashes) : label_hashes_(std::move(label_hashes)) {}

    // Takes in a configuration.
    void look(const ArcHybrid& c);

    // Where two configurations have the same digest of some parts, all atoms that depend on these have the same values.
    uint64_t digest(ConfigurationParts parts) const;

    // Values of the atoms, in their order; valid until the next call.
    const uint64_t* values(const Words& words);

  private:
    static constexpr size_t kPlaces = 16, kNumbers = 12;

    std::vector<uint64_t> label_hashes_;
    uint32_t place_[kPlaces];  // word, 0 missing
    uint32_t label_[kPlaces];  // of children: label + 1
    uint64_t number_[kNumbers];
    uint64_t digest_[kConfigurationParts];
    std::vector<uint64_t> values_;
};

}  // namespace sapwood
