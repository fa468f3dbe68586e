#include "parsing/treebank_grammar.hpp"

#include <charconv>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

// Lines of the text are s(tate), b(inary rule), c(hain), w(ord), f(irst word); fields stand between tabs.
std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (size_t at = 0; at <= line.size();) {
        const size_t stop = std::min(line.find('\t', at), line.size());
        fields.push_back(line.substr(at, stop - at));
        at = stop + 1;
    }
    return fields;
}

[[noreturn]] void fail(std::string_view line) {
    throw ModelError("its grammar has a line that is none: '" + std::string(prefix(line, 40)) + "'");
}

uint32_t number_of(std::string_view text, size_t below, std::string_view line) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value >= below) fail(line);
    return value;
}

void write_word(std::string& text, char kind, const std::string& word, const TreebankGrammar::TagCounts& tags) {
    if (tags.empty()) return;
    text += kind;
    text += '\t' + word;
    for (const auto& [tag, count] : tags) text += '\t' + std::to_string(tag) + '\t' + std::to_string(count);
    text += '\n';
}

}  // namespace

TreebankGrammar::TagCounts TreebankGrammar::Word::all() const {
    TagCounts sum = others;
    for (const auto& [tag, count] : first) sum[tag] += count;
    return sum;
}

uint32_t TreebankGrammar::state(const std::string& name, std::string_view label) {
    const uint32_t number = names_.number(name);
    if (number == labels_.size()) labels_.emplace_back(label);
    return number;
}

void TreebankGrammar::add(const PhraseTree& tree, const Symbols& symbols) {
    std::vector<uint32_t> above;
    if (!tree.nodes.empty()) count(tree, symbols, 0, above);
}

// Counts a node at the top of a chain, and all below. above: labels from the root down.
void TreebankGrammar::count(const PhraseTree& tree, const Symbols& symbols, uint32_t node,
                            std::vector<uint32_t>& above) {
    const auto name_of = [&](uint32_t label) { return symbols.labels.name(label); };
    const auto state_of = [&](uint32_t child) {
        const std::string& label = name_of(tree.nodes[child].label);
        std::string name = label;
        for (size_t k = 1; k < vertical_ && k <= above.size(); ++k) name += " ^" + name_of(above[above.size() - k]);
        return state(name, label);
    };
    const size_t depth = above.size();
    std::vector<uint32_t> path = {state_of(node)};
    while (!tree.nodes[node].is_tag() && tree.nodes[node + 1].next == tree.nodes[node].next) {
        above.push_back(tree.nodes[node].label);
        path.push_back(state_of(++node));
    }
    uint32_t parent = path.back();
    ++chains_[std::move(path)];
    const PhraseTree::Node& bottom = tree.nodes[node];
    if (bottom.is_tag()) {
        Word& word = words_[symbols.words.name(bottom.word)];
        ++(bottom.begin == 0 ? word.first : word.others)[parent];
        above.resize(depth);
        return;
    }
    const std::string start = '@' + names_.name(parent) + " ..";
    above.push_back(bottom.label);
    std::vector<uint32_t> children;
    tree.each_child(node, [&](uint32_t child) { children.push_back(child); });
    for (size_t k = 0; k + 1 < children.size(); ++k) {
        const uint32_t left = state_of(children[k]);
        uint32_t right;
        if (k + 2 == children.size()) {
            right = state_of(children[k + 1]);
        } else {
            std::string name = start;
            for (size_t c = k + 1 - std::min(horizontal_, k + 1); c <= k; ++c)
                name += ' ' + name_of(tree.nodes[children[c]].label);
            right = state(name, "");
        }
        ++binaries_[{parent, left, right}];
        parent = right;
    }
    for (const uint32_t child : children) count(tree, symbols, child, above);
    above.resize(depth);
}

TreebankGrammar TreebankGrammar::of_trees(const std::vector<std::string>& trees, size_t vertical, size_t horizontal) {
    TreebankGrammar grammar(vertical, horizontal);
    for (size_t k = 0; k < trees.size(); ++k) {
        StopCheck::after(trees[k].size() * 100);
        Symbols symbols;
        for (const PhraseTree& tree : read_trees(trees[k], "trees", k + 1, symbols)) grammar.add(tree, symbols);
    }
    return grammar;
}

std::string TreebankGrammar::to_text() const {
    std::string text;
    for (uint32_t s = 0; s < states(); ++s) text += "s\t" + labels_[s] + '\t' + names_.name(s) + '\n';
    for (const auto& [rule, count] : binaries_)
        text += "b\t" + std::to_string(rule[0]) + '\t' + std::to_string(rule[1]) + '\t' + std::to_string(rule[2]) +
                '\t' + std::to_string(count) + '\n';
    for (const auto& [path, count] : chains_) {
        text += "c\t" + std::to_string(count);
        for (const uint32_t state : path) text += '\t' + std::to_string(state);
        text += '\n';
    }
    for (const auto& [word, tags] : words_) {
        write_word(text, 'w', word, tags.others);
        write_word(text, 'f', word, tags.first);
    }
    return text;
}

TreebankGrammar TreebankGrammar::of_text(std::string_view text) {
    TreebankGrammar grammar(1, 0);
    if (find_invalid_utf8(text) != std::string_view::npos) throw ModelError("its grammar is not UTF-8");
    constexpr size_t kLargest = UINT32_MAX;
    while (!text.empty()) {
        const size_t stop = text.find('\n');
        if (stop == std::string_view::npos) fail(text);
        const std::string_view line = text.substr(0, stop);
        text.remove_prefix(stop + 1);
        const std::vector<std::string_view> fields = fields_of(line);
        const auto state = [&](size_t k) { return number_of(fields[k], grammar.states(), line); };
        const auto shown_state = [&](size_t k) {  // one that a tree shows
            const uint32_t value = state(k);
            return !grammar.labels_[value].empty() ? value : (fail(line), 0);
        };
        const auto count = [&](size_t k) {
            const uint32_t value = number_of(fields[k], kLargest, line);
            return value > 0 ? value : (fail(line), 0);
        };
        const std::string_view kind = fields[0];
        if (kind == "s" && fields.size() == 3 && fields[1].find_first_of("() \r") == std::string_view::npos) {
            if (grammar.state(std::string(fields[2]), fields[1]) + 1 != grammar.states()) fail(line);
        } else if (kind == "b" && fields.size() == 5) {
            grammar.binaries_[{state(1), state(2), state(3)}] = count(4);
        } else if (kind == "c" && fields.size() > 2) {
            std::vector<uint32_t> path;
            for (size_t k = 2; k < fields.size(); ++k) path.push_back(shown_state(k));
            grammar.chains_[std::move(path)] = count(1);
        } else if ((kind == "w" || kind == "f") && fields.size() > 3 && fields.size() % 2 == 0) {
            Word& word = grammar.words_[std::string(fields[1])];
            TagCounts& tags = kind == "f" ? word.first : word.others;
            for (size_t k = 2; k < fields.size(); k += 2) tags[shown_state(k)] = count(k + 1);
        } else {
            fail(line);
        }
    }
    if (grammar.states() == 0 || grammar.chains_.empty() || grammar.words_.empty())
        throw ModelError("its grammar is empty");
    return grammar;
}

}  // namespace sapwood
