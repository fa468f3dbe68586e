// Phrase-structure trees as treebanks write them: ( (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ barks)) (. .)) ).
//
// Nodes stand in preorder, each with the number of the node after its subtree, so that a walk needs no stack: the first
// child of node k is k + 1, the sibling of a child c is nodes[c].next. Words hang at their tags and are no nodes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/label_set.hpp"

namespace sapwood {

struct PhraseTree {
    static constexpr uint32_t kNoWord = UINT32_MAX;

    struct Node {
        uint32_t label;       // a category or a tag
        uint32_t word;        // of a tag, else kNoWord
        uint32_t next;        // the node after the subtree
        uint32_t begin, end;  // the words that it spans

        bool is_tag() const { return word != kNoWord; }
    };

    std::vector<Node> nodes;  // the first is the root; none: a sentence without a tree
    size_t line = 0;          // of the file, where its bracket opens

    size_t words() const { return nodes.empty() ? 0 : nodes[0].end; }
    size_t depth() const;  // brackets around the word that has the most

    // visit(child) for the children of a node, by number, from left to right.
    template <class Visit>
    void each_child(uint32_t node, Visit&& visit) const {
        for (uint32_t child = node + 1; child < nodes[node].next; child = nodes[child].next) visit(child);
    }
    size_t children(uint32_t node) const {
        size_t count = 0;
        each_child(node, [&](uint32_t) { ++count; });
        return count;
    }
};

// The names that the numbers in trees stand for; shared by the trees that are compared.
struct Symbols {
    LabelSet labels;  // categories and tags
    LabelSet words;
};

// Reads trees, one after the other; a bracket without a label around a tree is taken off. Throws DataError with
// name:line: text outside of brackets, brackets that do not match, a bracket without anything in it, a word beside
// others, a tree of more than kDeepestTree levels.
std::vector<PhraseTree> read_trees(std::string_view bytes, const std::string& name, size_t first_line,
                                   Symbols& symbols);

// "(S (NP (DT the) (NN dog)) ...)" in one line.
std::string to_text(const PhraseTree& tree, const Symbols& symbols);

constexpr size_t kDeepestTree = 1000;

}  // namespace sapwood
