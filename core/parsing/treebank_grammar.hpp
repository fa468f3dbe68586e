// A grammar read off the trees of a treebank (Charniak 1996), markovised (Klein & Manning 2003, "Accurate unlexicalized
// parsing", section 2): the counts of its rules and words, from which a PhraseParser has its probabilities.
//
// A state is a label with the labels of vertical - 1 ancestors: "NP ^S". A node of more than two children is cut from
// left to right, by states that remember the last `horizontal` children: NP -> DT "@NP .. DT", "@NP .. DT" -> JJ
// "@NP .. DT JJ". No label has a space in it, so no two states share a name. Chains of unary rules are counted as a
// whole, and a node without one as a chain of itself (see search/cky.hpp).
#pragma once
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/phrase_tree.hpp"

namespace sapwood {

class TreebankGrammar {
  public:
    using TagCounts = std::map<uint32_t, uint32_t>;
    struct Word {
        TagCounts first, others;  // at the beginning of a sentence, and elsewhere

        TagCounts all() const;
    };

    TreebankGrammar(size_t vertical, size_t horizontal) : vertical_(vertical), horizontal_(horizontal) {}

    // Counts the rules and words of a tree, which is normalised.
    void add(const PhraseTree& tree, const Symbols& symbols);

    // Counts those of trees in brackets. Throws DataError with the number of a tree.
    static TreebankGrammar of_trees(const std::vector<std::string>& trees, size_t vertical, size_t horizontal);

    // Writes the counts, one a line, and reads them again. Throws ModelError for any other text.
    std::string to_text() const;
    static TreebankGrammar of_text(std::string_view text);

    size_t states() const { return labels_.size(); }
    // The category that a state has in a tree; empty for a state that binarisation has added.
    const std::string& label(uint32_t state) const { return labels_[state]; }

    const std::map<std::array<uint32_t, 3>, uint32_t>& binaries() const { return binaries_; }  // A -> B C
    const std::map<std::vector<uint32_t>, uint32_t>& chains() const { return chains_; }        // from the top
    const std::map<std::string, Word, std::less<>>& words() const { return words_; }

  private:
    uint32_t state(const std::string& name, std::string_view label);
    void count(const PhraseTree& tree, const Symbols& symbols, uint32_t node, std::vector<uint32_t>& above);

    size_t vertical_, horizontal_;
    LabelSet names_;
    std::vector<std::string> labels_;  // [states]
    std::map<std::array<uint32_t, 3>, uint32_t> binaries_;
    std::map<std::vector<uint32_t>, uint32_t> chains_;
    std::map<std::string, Word, std::less<>> words_;
};

}  // namespace sapwood
