// Phrase-structure trees in the bracketed format of treebanks: ( (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ barks)) (. .))
// ).
//
// Nodes are stored in preorder, each with the number of the node after its subtree, so that traversing needs no stack:
// the first child of node k is k + 1, and the next sibling of a child c is nodes[c].next. A word is stored in the node
// of its tag and has no node of its own.
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
        uint32_t word;        // the word of a tag; kNoWord for a category
        uint32_t next;        // the node after the subtree
        uint32_t begin, end;  // the span of words from begin to end - 1

        bool is_tag() const { return word != kNoWord; }
    };

    std::vector<Node> nodes;  // the first is the root; empty for a sentence without a tree
    size_t line = 0;          // line of the file on which the first bracket opens

    size_t words() const { return nodes.empty() ? 0 : nodes[0].end; }
    size_t depth() const;  // the largest number of brackets around a word

    // Calls visit(child) with the number of each child of a node, from left to right.
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

// The labels and words behind the numbers in trees. Trees that are compared share one object.
struct Symbols {
    LabelSet labels;  // categories and tags
    LabelSet words;
};

// Reads a sequence of trees. A bracket without a label around a whole tree is dropped. Throws DataError, with
// name:line, for text outside of brackets, unbalanced brackets, an empty bracket, a word with siblings, and a tree of
// more than kDeepestTree levels. Of the Penn-Helsinki corpora, which have ( (S ...) (ID ...)), the brackets without
// words are passed over, as CODE and METADATA are everywhere, and empty categories get the tag -NONE-.
std::vector<PhraseTree> read_trees(std::string_view bytes, const std::string& name, size_t first_line,
                                   Symbols& symbols);

// Reads a text that consists of one tree. Throws DataError, as read_trees and if there is no tree or more than one.
PhraseTree read_one_tree(std::string_view bytes, const std::string& name, Symbols& symbols);

// The tree on one line: "(S (NP (DT the) (NN dog)) ...)".
std::string to_text(const PhraseTree& tree, const Symbols& symbols);

constexpr size_t kDeepestTree = 1000;
constexpr std::string_view kTraceLabel = "-NONE-";

}  // namespace sapwood
