#include "text/phrase_tree.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/plain_text.hpp"

namespace sapwood {

namespace {

// Labels of brackets in the Penn-Helsinki corpora and Switchboard that have no words: of pages and speakers, of files.
constexpr std::array<std::string_view, 4> kRemarks{"CODE", "METADATA", "VERSION", "COMMENT"};

class TreeReader {
  public:
    TreeReader(std::string_view bytes, std::string name, size_t first_line, Symbols& symbols)
        : bytes_(bytes), name_(std::move(name)), line_(first_line), symbols_(symbols) {}

    std::vector<PhraseTree> read() {
        std::vector<PhraseTree> trees;
        while (skip_spaces()) {
            if (bytes_[at_] != '(') fail(line_, "text outside of brackets");
            tree_ = {};
            has_id_ = skipped_ = false;
            tree_.line = line_;
            bracket();
            if (!tree_.nodes.empty() || !skipped_) trees.push_back(std::move(tree_));
        }
        return trees;
    }

  private:
    [[noreturn]] void fail(size_t line, const std::string& what) const {
        throw DataError(name_ + ":" + std::to_string(line) + ": " + what);
    }

    bool skip_spaces() {
        for (; at_ < bytes_.size(); ++at_) {
            const char c = bytes_[at_];
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return true;
            line_ += c == '\n';
        }
        return false;
    }

    std::string_view symbol() {
        const size_t start = at_, stop = std::min(bytes_.find_first_of("() \t\r\n", at_), bytes_.size());
        at_ = stop;
        return bytes_.substr(start, stop - start);
    }

    // Passes over the rest of a bracket that says something about the text, and has none of its words.
    void skip_remark() {
        const size_t line = line_;
        for (size_t depth = 1; depth > 0; ++at_) {
            if (!skip_spaces()) fail(line, "the bracket that opens here does not close");
            depth += bytes_[at_] == '(';
            depth -= bytes_[at_] == ')';
        }
    }

    // Gives the traces of the Penn-Helsinki corpora, whose trees have an ID, the label that they have in the Penn
    // Treebank: *con*, *T*-1 and the 0 of relative clauses stand in phrases or complementisers there.
    void mark_traces() {
        for (PhraseTree::Node& node : tree_.nodes) {
            if (!node.is_tag()) continue;
            const std::string_view word = symbols_.words.name(node.word), label = symbols_.labels.name(node.label);
            const bool zero = word == "0" && (label == "C" || label.starts_with('W'));
            if (zero || (word.starts_with('*') && word.find('*', 1) != word.npos && word.size() > 2))
                node.label = symbols_.labels.number(kTraceLabel);
        }
    }

    // One tree, from its opening bracket to its closing one.
    void bracket() {
        struct Open {
            uint32_t node;
            size_t line;
            bool named;
            bool has_remark = false;
        };
        std::vector<Open> open;
        do {
            const size_t line = line_;
            StopCheck::every(tree_.nodes.size());
            if (!skip_spaces())
                fail(open.empty() ? line : open.back().line, "the bracket that opens here does not close");
            if (bytes_[at_] == '(') {
                ++at_;
                if (open.size() == kDeepestTree) fail(line_, "a tree of more than 1,000 levels");
                if (!skip_spaces()) fail(line_, "the bracket that opens here does not close");
                const bool named = bytes_[at_] != '(' && bytes_[at_] != ')', within = !open.empty();
                const std::string_view label = named ? symbol() : "";
                const bool is_id = label == "ID" && within && !open.back().named;
                if (is_id || std::ranges::find(kRemarks, label) != kRemarks.end()) {
                    skip_remark();
                    has_id_ |= is_id;
                    skipped_ = true;
                    if (within) open.back().has_remark = true;
                    continue;
                }
                if (within && open.back().named && tree_.nodes[open.back().node].is_tag())
                    fail(line_, "a word and a bracket stand side by side");
                if (!named && within) fail(line_, "a bracket within a tree has no label");
                if (within && !open.back().named && !tree_.nodes.empty())
                    fail(line_, "a bracket without a label has more than one tree in it");
                open.push_back({static_cast<uint32_t>(tree_.nodes.size()), line_, named});
                if (!named) continue;
                const auto words = static_cast<uint32_t>(words_);
                tree_.nodes.push_back({symbols_.labels.number(label), PhraseTree::kNoWord, 0, words, words});
            } else if (bytes_[at_] == ')') {
                ++at_;
                const Open closed = open.back();
                open.pop_back();
                if (!closed.named) continue;
                PhraseTree::Node& node = tree_.nodes[closed.node];
                node.next = static_cast<uint32_t>(tree_.nodes.size());
                node.end = static_cast<uint32_t>(words_);
                if (node.is_tag() || node.next != closed.node + 1) continue;
                if (!closed.has_remark) fail(closed.line, "a bracket has nothing in it");
                tree_.nodes.pop_back();
                if (!open.empty()) open.back().has_remark = true;
            } else {
                PhraseTree::Node* node = open.back().named ? &tree_.nodes[open.back().node] : nullptr;
                if (node == nullptr || node->is_tag() || tree_.nodes.size() > open.back().node + 1)
                    fail(line_, "a word stands beside others in its bracket");
                node->word = symbols_.words.number(symbol());
                ++words_;
            }
        } while (!open.empty());
        if (has_id_) mark_traces();
        words_ = 0;
    }

    std::string_view bytes_;
    std::string name_;
    size_t at_ = 0, line_;
    Symbols& symbols_;
    PhraseTree tree_;
    size_t words_ = 0;
    bool has_id_ = false, skipped_ = false;  // the tree has an ID; something in it was passed over
};

}  // namespace

size_t PhraseTree::depth() const {
    std::vector<uint32_t> ends;  // `next` of the node's ancestors and of the node itself
    size_t deepest = 0;
    for (uint32_t k = 0; k < nodes.size(); ++k) {
        while (!ends.empty() && ends.back() <= k) ends.pop_back();
        ends.push_back(nodes[k].next);
        deepest = std::max(deepest, ends.size());
    }
    return deepest;
}

std::vector<PhraseTree> read_trees(std::string_view bytes, const std::string& name, size_t first_line,
                                   Symbols& symbols) {
    const auto kept = check_text(bytes, name, first_line);
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    return TreeReader(bytes, name, first_line, symbols).read();
}

PhraseTree read_one_tree(std::string_view bytes, const std::string& name, Symbols& symbols) {
    std::vector<PhraseTree> trees = read_trees(bytes, name, 1, symbols);
    if (trees.empty()) throw DataError(name + ": it is empty");
    if (trees.size() > 1) throw DataError(name + ": it is " + std::to_string(trees.size()) + " trees, not one");
    return std::move(trees[0]);
}

std::string to_text(const PhraseTree& tree, const Symbols& symbols) {
    std::string text;
    std::vector<uint32_t> ends;  // `next` of the nodes whose brackets are open
    for (uint32_t k = 0; k < tree.nodes.size(); ++k) {
        const PhraseTree::Node& node = tree.nodes[k];
        for (; !ends.empty() && ends.back() == k; ends.pop_back()) text += ')';
        text += text.empty() ? "(" : " (";
        text += symbols.labels.name(node.label);
        if (node.is_tag()) text += ' ' + symbols.words.name(node.word);
        ends.push_back(node.next);
    }
    text.append(ends.size(), ')');
    return text;
}

}  // namespace sapwood
