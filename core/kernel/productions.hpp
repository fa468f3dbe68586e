// Numbers the productions of trees. Two categories have the same production if their labels and the labels of their
// children, in order, are equal; two tags do if their labels and words are equal. Trees that are compared share one
// table.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>

#include "text/phrase_tree.hpp"

namespace sapwood {

class Productions {
  public:
    // Returns the number of a node's production, and adds the production if it is new.
    uint32_t number(const PhraseTree& tree, uint32_t node) {
        const PhraseTree::Node& parent = tree.nodes[node];
        key_.assign({parent.label, parent.is_tag()});
        if (parent.is_tag())
            key_.push_back(parent.word);
        else
            tree.each_child(node, [&](uint32_t child) { key_.push_back(tree.nodes[child].label); });
        return numbers_.try_emplace(key_, static_cast<uint32_t>(numbers_.size())).first->second;
    }
    size_t size() const { return numbers_.size(); }

  private:
    std::unordered_map<std::u32string, uint32_t> numbers_;  // key: label, whether it is a tag, child labels or word
    std::u32string key_;
};

}  // namespace sapwood
