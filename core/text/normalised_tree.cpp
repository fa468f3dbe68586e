#include "text/normalised_tree.hpp"

#include "base/errors.hpp"

namespace sapwood {

namespace {

std::string_view without_function(std::string_view label) {
    return label.substr(0, label.front() == '-' ? label.size() : label.find_first_of("-=", 1));
}

bool is_root(std::string_view label) {
    return label == kRootLabel || label == "ROOT" || label == "S1";
}

}  // namespace

PhraseTree normalised(const PhraseTree& tree, Symbols& symbols) {
    PhraseTree result;
    result.line = tree.line;
    if (tree.nodes.empty()) return result;
    const uint32_t root = symbols.labels.number(kRootLabel), trace = symbols.labels.number(kTraceLabel);
    std::vector<uint32_t> filled(tree.nodes.size() + 1, 0);  // number of words before a node, without traces
    for (size_t k = 0; k < tree.nodes.size(); ++k)
        filled[k + 1] = filled[k] + (tree.nodes[k].is_tag() && tree.nodes[k].label != trace);
    if (filled.back() == 0) return result;

    std::vector<std::pair<uint32_t, uint32_t>> open;  // nodes of the result, and the input node after their subtree
    const auto begin = [&](uint32_t label, uint32_t word, uint32_t at, uint32_t next) {
        open.emplace_back(static_cast<uint32_t>(result.nodes.size()), next);
        result.nodes.push_back({label, word, 0, filled[at], filled[next]});
    };
    const auto end_before = [&](uint32_t at) {
        for (; !open.empty() && open.back().second <= at; open.pop_back())
            result.nodes[open.back().first].next = static_cast<uint32_t>(result.nodes.size());
    };
    const auto size = static_cast<uint32_t>(tree.nodes.size());
    begin(root, PhraseTree::kNoWord, 0, size);
    for (uint32_t k = 0; k < size; ++k) {
        const PhraseTree::Node& node = tree.nodes[k];
        if (filled[node.next] == filled[k] || (k == 0 && is_root(symbols.labels.name(node.label)))) continue;
        end_before(k);
        // A copy of the name, because adding a name to the set may move the others in memory.
        const std::string name(node.is_tag() ? symbols.labels.name(node.label)
                                             : without_function(symbols.labels.name(node.label)));
        const uint32_t label = symbols.labels.number(name);
        const PhraseTree::Node& above = result.nodes[open.back().first];
        const bool same =
            !node.is_tag() && above.label == label && above.begin == filled[k] && above.end == filled[node.next];
        if (!same) begin(label, node.word, k, node.next);
    }
    end_before(size);
    return result;
}

std::vector<std::string> normalised_trees(std::string_view bytes, const std::string& name) {
    Symbols symbols;
    std::vector<std::string> trees;
    for (const PhraseTree& tree : read_trees(bytes, name, 1, symbols)) {
        const PhraseTree result = normalised(tree, symbols);
        if (result.depth() > kDeepestTree)
            throw DataError(name + ":" + std::to_string(result.line) + ": a tree of more than 1,000 levels, its root " +
                            std::string(kRootLabel) + " included");
        if (!result.nodes.empty()) trees.push_back(to_text(result, symbols));
    }
    return trees;
}

}  // namespace sapwood
