#include "parsing/treebank.hpp"

#include <algorithm>
#include <charconv>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "search/projective.hpp"

namespace sapwood {

namespace {

constexpr size_t kShownWords = 8;  // words of a cycle that a message shows

uint32_t read_head(const Conllu& data, size_t word, size_t words) {
    const std::string_view cell = data.cell(word, Field::head);
    if (cell == "_") throw DataError(data.where(word) + ": the word has no head; a gold tree is needed here");
    uint32_t head = 0;
    const char* end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, head);
    if (error != std::errc() || stop != end || head > words)
        throw DataError(data.where(word) + ": the head is " + quoted(cell) + ", not a number from 0 (root) to " +
                        std::to_string(words));
    return head;
}

std::string show_cycle(const std::vector<uint32_t>& heads, size_t word) {
    std::string text = std::to_string(word);
    size_t next = word, shown = 0;
    do {
        next = heads[next];
        text += ++shown > kShownWords ? " -> ..." : " -> " + std::to_string(next);
    } while (next != word && shown <= kShownWords);
    return text;
}

}  // namespace

Tree read_tree(const Conllu& data, size_t sentence, bool single_root, LabelSet& labels) {
    const size_t first = data.begin(sentence), n = data.end(sentence) - first;
    Tree tree;
    tree.resize(n);
    for (size_t m = 1; m <= n; ++m) {
        StopCheck::every(m);
        const size_t word = first + m - 1;
        const std::string_view relation = data.cell(word, Field::deprel);
        if (relation.find(kLiftMark) != std::string_view::npos)
            throw DataError(data.where(word) + ": the relation " + quoted(relation) +
                            " has the mark of a lifted word in it; train on the tree before it was projectivised");
        tree.heads[m] = read_head(data, word, n);
        tree.labels[m] = labels.number(relation);
    }
    if (const auto flaw = find_flaw(tree.heads, single_root))
        throw DataError(data.where(first + flaw->word - 1) + ": " + flaw->what);
    return tree;
}

Tree make_tree(const std::vector<uint32_t>& heads, const std::vector<std::string>& deprels, LabelSet& labels) {
    if (heads.size() != deprels.size())
        throw DataError(std::to_string(heads.size()) + " heads and " + std::to_string(deprels.size()) +
                        " relations; each word has one of both");
    Tree tree;
    tree.resize(heads.size());
    std::copy(heads.begin(), heads.end(), tree.heads.begin() + 1);
    for (size_t m = 1; m <= heads.size(); ++m) tree.labels[m] = labels.number(deprels[m - 1]);
    if (const auto flaw = find_flaw(tree.heads, false)) throw DataError(flaw->what);
    return tree;
}

std::optional<Flaw> find_flaw(const std::vector<uint32_t>& heads, bool single_root) {
    const size_t n = heads.size() - 1;
    size_t root = 0;
    for (size_t m = 1; m <= n; ++m) {
        const std::string word = "word " + std::to_string(m);
        if (heads[m] > n)
            return Flaw{m, word + " has head " + std::to_string(heads[m]) + ", the last word is " + std::to_string(n)};
        if (heads[m] == m) return Flaw{m, word + " is its own head"};
        if (heads[m] == 0 && root > 0 && single_root)
            return Flaw{m, word + " is a second root beside word " + std::to_string(root) +
                               "; give it a head, or allow several roots"};
        if (heads[m] == 0 && root == 0) root = m;
    }
    if (n > 0 && root == 0) return Flaw{1, "no word of the sentence has head 0, so it has no root"};

    std::vector<size_t> seen(n + 1);  // [n + 1] the word from which the upward path first reached this one
    for (size_t m = 1; m <= n; ++m) {
        size_t up = m;
        for (; up > 0 && seen[up] == 0; up = heads[up]) seen[up] = m;
        if (up > 0 && seen[up] == m) return Flaw{up, "the heads form a cycle: " + show_cycle(heads, up)};
    }
    return std::nullopt;
}

}  // namespace sapwood
