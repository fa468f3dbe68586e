// CoNLL-U files, gold trees, pseudo-projective trees.
#include "text/conllu.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "check.hpp"
#include "parsing/treebank.hpp"
#include "random.hpp"
#include "search/projective.hpp"

using namespace sapwood;

namespace {

// Reads a file named "data", written with bars for tabs.
Conllu conllu(std::string text, size_t first_line = 1) {
    std::replace(text.begin(), text.end(), '|', '\t');
    auto owner = std::make_shared<std::string>(std::move(text));
    return Conllu(*owner, owner, "data", first_line);
}

// A line "1|form|_|_|_|_|head|deprel|_|_".
std::string row(const std::string& id, const std::string& form, const std::string& head = "0",
                const std::string& deprel = "root") {
    return id + "|" + form + "|_|_|_|_|" + head + "|" + deprel + "|_|_\n";
}

std::string rows(std::initializer_list<const char*> ids) {
    std::string text;
    for (const char* id : ids) text += row(id, "w");
    return text;
}

// Trees written as "a>2:nsubj b>0:root / ...".
std::string dump(const Conllu& data) {
    std::string out;
    for (size_t s = 0; s < data.sentences(); ++s) {
        if (s > 0) out += " / ";
        for (size_t w = data.begin(s); w < data.end(s); ++w) {
            if (w > data.begin(s)) out += ' ';
            out.append(data.cell(w, Field::form)).append(">").append(data.cell(w, Field::head));
            out.append(":").append(data.cell(w, Field::deprel));
        }
    }
    return out;
}

const std::string kUniversal =
    "\xEF\xBB\xBF\n"
    "# sent_id = first\n# text = can't go\n"
    "1-2|can't|_|_|_|_|_|_|_|SpaceAfter=No\n"
    "1|ca|can|AUX|MD|_|3|aux|_|_\r\n"
    "2|n't|not|PART|RB|_|3|advmod|_|_\n"
    "2.1|they|_|_|_|_|_|_|_|_\n"
    "3|go|go|VERB|VB|_|0|root|0:root|x y\n"
    "\n\n"
    "#sent_id=second\r\n"
    "0.1|x|_|_|_|_|_|_|_|_\r\n"
    "1|#|#|SYM|#|_|0|root|_|_\r";

void test_reading() {
    const Conllu data = conllu(kUniversal, 1);
    CHECK_EQ(dump(data), "ca>3:aux n't>3:advmod go>0:root / #>0:root");
    CHECK_EQ(data.words(), 4u);
    CHECK_EQ(data.cell(0, Field::id), "1");
    CHECK_EQ(data.cell(0, Field::misc), "_");
    CHECK_EQ(data.cell(2, Field::deps), "0:root");
    CHECK_EQ(data.cell(2, Field::misc), "x y");
    CHECK_EQ(data.where(2), "data:8: sentence 'first'");
    CHECK_EQ(data.where(3), "data:13: sentence 'second'");
    CHECK_EQ(conllu(rows({"1"}) + "\n" + rows({"1"}), 10).where(1), "data:12");

    const Conllu eight = conllu("1|a|_|X|X|_|2|x\n2|b|_|X|X|_|0|y\n");
    CHECK_EQ(dump(eight), "a>2:x b>0:y");
    CHECK_EQ(eight.cell(1, Field::deps), "_");
    CHECK_EQ(eight.cell(1, Field::misc), "_");
    CHECK_EQ(conllu("").sentences(), 0u);
    CHECK_EQ(conllu("\n \n\r\n").sentences(), 0u);
    CHECK_EQ(dump(conllu(rows({"1", "2"}) + " \n" + rows({"1"}))), "w>0:root w>0:root / w>0:root");
}

void test_writing() {
    for (const std::string& text :
         {kUniversal, std::string(), std::string("\xEF\xBB\xBF\r\n \n"), rows({"1-1", "1", "1.1", "1.2"})}) {
        const Conllu data = conllu(text);
        CHECK_EQ(data.write({}), data.bytes());
    }
    const Conllu data = conllu(kUniversal);
    const std::string changed = data.write({{Field::deprel, {"a", "bb", "\xC3\xA9", "#"}},
                                            {Field::form, {"x", "y", "long form", "z"}},
                                            {Field::misc, {"m", "m", "m", "m"}}});
    std::string expected(data.bytes());
    const auto put = [&expected](const std::string& old, const std::string& now) {
        std::string from = old, to = now;
        for (std::string* text : {&from, &to}) std::replace(text->begin(), text->end(), '|', '\t');
        CHECK(expected.find(from) != std::string::npos);
        expected.replace(expected.find(from), from.size(), to);
    };
    put("1|ca|can|AUX|MD|_|3|aux|_|_\r", "1|x|can|AUX|MD|_|3|a|_|m\r");
    put("2|n't|not|PART|RB|_|3|advmod|_|_", "2|y|not|PART|RB|_|3|bb|_|m");
    put("3|go|go|VERB|VB|_|0|root|0:root|x y", "3|long form|go|VERB|VB|_|0|\xC3\xA9|0:root|m");
    put("1|#|#|SYM|#|_|0|root|_|_", "1|z|#|SYM|#|_|0|#|_|m");
    CHECK_EQ(changed, expected);

    const std::vector<std::string_view> x(4, "x");
    CHECK_THROWS(DataError, "data: ids cannot be replaced", data.write({{Field::id, x}}));
    CHECK_THROWS(DataError, "column head is given twice", data.write({{Field::head, x}, {Field::head, x}}));
    CHECK_THROWS(DataError, "column head has 1 cells for 4 words", data.write({{Field::head, {"x"}}}));
    for (const char* bad : {"", "\t", "a\n", "\r"})
        CHECK_THROWS(DataError, "data:8: sentence 'first': the new cell of column head is empty or has a tab",
                     data.write({{Field::head, {"x", "x", bad, "x"}}}));
    CHECK_THROWS(DataError, "a NUL", data.write({{Field::head, {"x", "x", std::string_view("\0", 1), "x"}}}));
    CHECK_THROWS(DataError, "column deps cannot be replaced; the file has 8 columns only",
                 conllu("1|a|_|X|X|_|0|x\n").write({{Field::deps, {"x"}}}));
}

void test_selecting() {
    std::string text;
    for (int s = 1; s <= 10; ++s) text += "# sent_id = s" + std::to_string(s) + "\n" + rows({"1", "2"}) + "\n";
    const Conllu data = conllu(text);
    const Conllu rest = data.select({0, 1, 2, 3, 5, 6, 7, 8}), part = data.select({4, 9});
    CHECK_EQ(rest.sentences(), 8u);
    CHECK_EQ(part.words(), 4u);
    CHECK_EQ(part.where(3), "data:39: sentence 's10'");
    const std::string block(data.bytes().substr(0, data.bytes().size() / 10 - 1));
    CHECK(part.write({}).find("sent_id = s5") != std::string::npos);
    CHECK(part.write({}).find("sent_id = s6") == std::string::npos);
    CHECK_EQ(part.write({}).size() + rest.write({}).size(), data.bytes().size());
    CHECK_EQ(data.select({}).sentences(), 0u);
    CHECK_EQ(data.select({}).write({}), "");
}

void test_bad_rows() {
    const auto bad = [](const std::string& part, const std::string& text) {
        CHECK_THROWS(DataError, part, conllu(text));
    };
    bad("data:2: NUL", "# a\n" + std::string(1, '\0'));
    bad("data:1: invalid UTF-8", row("1", "\xE9"));
    bad("data:1: this line has 9 columns, not 10 or 8 (separated by tabs)", "1|a|_|_|_|_|0|x|_\n");
    bad("data:1: this line has 1 column, not 10 or 8; put tabs, not spaces", "1 a _ _ _ _ 0 x _ _\n");
    bad("data:2: this line has 8 columns, the lines before it 10", row("1", "a") + "2|b|_|_|_|_|0|x\n");
    bad("data:3: sentence 'x': this line has 11 columns", "# sent_id = x\n" + row("1", "a") + "2|a|_|_|_|_|_|_|_|_|_");
    bad("data:2: column 2 is empty", row("1", "a") + row("2", ""));
    bad("data:1: column 11 is empty", "1|a|_|_|_|_|0|x|_|_|\n");
    bad("data:1: column 1 is empty", "|1|a\n");
    bad("data:3: sentence 's': a comment inside a sentence", "# sent_id = s\n" + row("1", "a") + "# b\n");
    bad("data:2: a comment inside a sentence", row("1-2", "a") + "# b\n");
    bad("data:2: sentence 's': a sentence without words", "# a\n# sent_id = s\n\n" + row("1", "a"));
    bad("data:3: a sentence without words", "\n# a\n# b");
    bad("data:1: a sentence without words", row("0.1", "a"));
    bad("data:1: the line is longer than 16 MiB", row("1", std::string(1 << 24, 'a')));
    CHECK_THROWS(DataError, "data:13: ", conllu("\n\n\n1|a\n", 10));
    CHECK_THROWS(DataError, "data:10: column 1 is empty", conllu("|", 10));
}

void test_ids() {
    const auto good = [](std::initializer_list<const char*> ids) { return conllu(rows(ids)).words(); };
    const auto bad = [](const std::string& part, std::initializer_list<const char*> ids) {
        CHECK_THROWS(DataError, part, conllu(rows(ids)));
    };
    CHECK_EQ(good({"1", "2", "3"}), 3u);
    CHECK_EQ(good({"0.1", "0.2", "1-2", "1", "1.1", "2", "2.1", "3-3", "3"}), 3u);
    CHECK_EQ(good({"1-2", "1", "2", "3-4", "3", "4"}), 4u);
    bad("data:1: the id is '0', not 1", {"0"});
    bad("data:1: the id is '01', not 1", {"01"});
    bad("data:1: the id is 'a', not 1", {"a"});
    bad("data:2: the id is '3', not 2", {"1", "3"});
    bad("data:3: the id is '1', not 3", {"1", "2", "1"});
    bad("data:1: the id is '99999999999999999999', not 1", {"99999999999999999999"});
    for (const char* id : {"-1", "1-", "1-2-3", "1-a", ".1", "0.", "0.01", "1.1-2", "-", "."})
        bad("data:1: the id '" + std::string(id) + "' is neither a number", {id});
    bad("data:1: the range '2-3' is out of order", {"2-3"});
    bad("data:2: the range '1-2' is out of order", {"1", "1-2"});
    bad("data:2: the range '2-1' is out of order", {"1", "2-1"});
    bad("data:3: the range '2-3' is out of order", {"1-2", "1", "2-3"});
    bad("data:2: the range '1-2' is out of order", {"1-2", "1-2"});
    bad("data:2: the last range ends at word 3, the sentence at 1", {"1-3", "1"});
    bad("data:1: the empty node '1.1' is out of order; 0.1 would come directly after word 0", {"1.1"});
    bad("data:2: the empty node '1.2' is out of order", {"1", "1.2"});
    bad("data:3: the empty node '1.1' is out of order", {"1", "1.1", "1.1"});
    bad("data:3: the empty node '1.1' is out of order", {"1", "2-3", "1.1"});
    bad("data:1: the id 'a?-aaa", {"a\x01-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"});
}

// A tree with the heads of the words 1, 2 ...
Tree tree_of(const std::vector<uint32_t>& heads) {
    Tree tree;
    tree.resize(heads.size());
    std::copy(heads.begin(), heads.end(), tree.heads.begin() + 1);
    return tree;
}

void test_gold_trees() {
    const auto read = [](const std::vector<const char*>& heads, bool single_root = true) {
        LabelSet labels;
        std::string text = "# sent_id = s\n";
        for (size_t m = 1; m <= heads.size(); ++m)
            text += row(std::to_string(m), "w", heads[m - 1], m % 2 ? "odd" : "even");
        Tree tree = read_tree(conllu(text), 0, single_root, labels);
        CHECK(labels.names() == std::vector<std::string>({"odd", "even"}) || heads.size() < 2);
        CHECK_EQ(tree.labels.back(), (heads.size() + 1) % 2);
        return tree.heads;
    };
    CHECK_EQ(read({"2", "0", "2"}), (std::vector<uint32_t>{0, 2, 0, 2}));
    CHECK_EQ(read({"0", "0"}, false), (std::vector<uint32_t>{0, 0, 0}));
    CHECK_THROWS(DataError, "data:3: sentence 's': the word has no head", read({"0", "_"}));
    for (const char* head : {"3", "-1", "1.1", "x", "99999999999", "1 "})
        CHECK_THROWS(DataError, "data:3: sentence 's': the head is '" + std::string(head) + "', not a number",
                     read({"0", head}));
    CHECK_THROWS(DataError, "data:3: sentence 's': word 2 is its own head", read({"0", "2"}));
    CHECK_THROWS(DataError, "data:2: sentence 's': no word of the sentence has head 0", read({"2", "1"}));
    CHECK_THROWS(DataError, "data:4: sentence 's': word 3 is a second root beside word 1", read({"0", "1", "0"}));
    CHECK_THROWS(DataError, "data:3: sentence 's': the heads form a cycle: 2 -> 3 -> 2", read({"0", "3", "2"}));
    CHECK_THROWS(DataError, "a cycle: 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> 10 -> 11 -> ...",
                 read({"0", "3", "4", "5", "6", "7", "8", "9", "10", "11", "3"}));
    LabelSet labels;
    CHECK_THROWS(DataError,
                 "data:1: the relation 'a\xE2\x86\x91"
                 "b' has the mark",
                 read_tree(conllu(row("1", "w", "0",
                                      "a\xE2\x86\x91"
                                      "b")),
                           0, true, labels));
}

// Whether word k is a descendant of h.
bool under(const Tree& tree, uint32_t h, uint32_t k) {
    while (k != h && k != 0) k = tree.heads[k];
    return k == h;
}

// Projectivity by its definition, word by word.
std::vector<uint32_t> naive_non_projective_words(const Tree& tree) {
    std::vector<uint32_t> words;
    for (uint32_t m = 1; m <= tree.words(); ++m) {
        const uint32_t h = tree.heads[m];
        bool projective = true;
        for (uint32_t k = std::min(h, m) + 1; k < std::max(h, m); ++k) projective &= under(tree, h, k);
        if (!projective) words.push_back(m);
    }
    return words;
}

// Lifting by its definition.
size_t naive_lift(Tree& tree) {
    size_t lifts = 0;
    for (auto words = naive_non_projective_words(tree); !words.empty(); ++lifts) {
        uint32_t shortest = 0;
        size_t length = tree.words();
        for (const uint32_t m : words) {
            const size_t l = std::max(m, tree.heads[m]) - std::min(m, tree.heads[m]);
            if (l < length) length = l, shortest = m;
        }
        tree.heads[shortest] = tree.heads[tree.heads[shortest]];
        words = naive_non_projective_words(tree);
    }
    return lifts;
}

Tree random_tree(Random& random, size_t n, size_t labels) {
    std::vector<uint32_t> order, heads(n);
    for (uint32_t m = 1; m <= n; ++m) order.insert(order.begin() + static_cast<ptrdiff_t>(random.below(m)), m);
    for (size_t k = 0; k < n; ++k) {
        const size_t nearest = random.chance(2) ? k - std::min(k, size_t{2}) : 0;
        heads[order[k] - 1] = k == 0 ? 0 : order[nearest + random.below(k - nearest)];
        if (k > 0 && random.chance(8)) heads[order[k] - 1] = 0;
    }
    Tree tree = tree_of(heads);
    for (size_t m = 1; m <= n; ++m) tree.labels[m] = static_cast<uint32_t>(random.below(labels));
    return tree;
}

LabelSet letters(const std::vector<std::string>& names) {
    LabelSet labels;
    for (const std::string& name : names) labels.number(name);
    return labels;
}

void test_projectivity() {
    CHECK(is_projective(tree_of({})));
    CHECK(is_projective(tree_of({0, 1, 2})));
    CHECK(is_projective(tree_of({0, 0})));
    CHECK(is_projective(tree_of({2, 0, 2})));
    CHECK_EQ(non_projective_words(tree_of({0, 4, 1, 1})), (std::vector<uint32_t>{2}));
    CHECK_EQ(non_projective_words(tree_of({3, 0, 0})), (std::vector<uint32_t>{1}));  // crosses the root's arc
    Random random(3);
    for (int round = 0; round < 4000; ++round) {
        const Tree tree = random_tree(random, 1 + random.below(9), 2);
        CHECK_EQ(non_projective_words(tree), naive_non_projective_words(tree));
    }
}

void test_lifting() {
    // "A hearing is scheduled on the issue today": on -> hearing crosses the root.
    LabelSet labels = letters({"det", "nsubj", "aux", "root", "nmod", "case", "obl"});
    Tree tree = tree_of({2, 4, 4, 0, 7, 7, 2, 4});
    tree.labels = {0, 0, 1, 2, 3, 5, 0, 4, 6};
    const Tree original = tree;
    CHECK_EQ(projectivise(tree, labels), 1u);
    CHECK_EQ(tree.heads, (std::vector<uint32_t>{0, 2, 4, 4, 0, 7, 7, 4, 4}));
    CHECK_EQ(labels.name(tree.labels[7]), "nmod\xE2\x86\x91nsubj");
    deprojectivise(tree, LiftedLabels(labels));
    CHECK_EQ(tree.heads, original.heads);
    CHECK_EQ(tree.labels, original.labels);

    Random random(4);
    size_t restored = 0, single = 0;
    for (int round = 0; round < 4000; ++round) {
        const size_t n = 1 + random.below(9);
        LabelSet names = letters({"a", "b", "c", "d", "e", "f", "g", "h", "i"});
        Tree gold = random_tree(random, n, 9), lifted = gold, naive = gold;
        const bool distinct = random.chance(2);
        if (distinct)
            for (uint32_t m = 1; m <= n; ++m) gold.labels[m] = lifted.labels[m] = m - 1;
        const size_t words = projectivise(lifted, names);
        const size_t lifts = naive_lift(naive);
        CHECK_EQ(lifted.heads, naive.heads);
        CHECK(is_projective(lifted));
        CHECK(words <= lifts && (words == 0) == (lifts == 0));
        deprojectivise(lifted, LiftedLabels(names));
        CHECK_EQ(lifted.labels, gold.labels);
        CHECK(!find_flaw(lifted.heads, false).has_value());
        if (words == 1 && distinct) {  // the label identifies the only word that has it
            CHECK_EQ(lifted.heads, gold.heads);
            ++single;
        }
        restored += lifted.heads == gold.heads;
    }
    CHECK(single > 100 && restored > 2000);
}

void test_strange_marks() {
    const std::string mark(kLiftMark);
    LabelSet labels =
        letters({"a", mark, "x" + mark, mark + "a", "x" + mark + "a" + mark + "b", "c" + mark + "new", "new" + mark});
    const LiftedLabels lifted(labels);
    CHECK_EQ(labels.names().size(), 11u);  // _, x, c and new were added
    Random random(5);
    for (int round = 0; round < 2000; ++round) {
        Tree tree = random_tree(random, 1 + random.below(9), 7);
        deprojectivise(tree, lifted);
        CHECK(!find_flaw(tree.heads, false).has_value());
        for (size_t m = 1; m <= tree.words(); ++m) CHECK(labels.name(tree.labels[m]).find(mark) == std::string::npos);
    }
}

// Deep trees need no recursion, and lifting a word along the whole depth does not take quadratic time.
void test_deep_trees() {
    const uint32_t n = 1000000;
    std::vector<uint32_t> heads(n);
    for (uint32_t m = 1; m <= n; ++m) heads[m - 1] = m < n ? m + 1 : 0;
    CHECK(is_projective(tree_of(heads)));
    CHECK(!find_flaw(tree_of(heads).heads, true).has_value());
    heads[0] = 3;  // the arc crosses word 2, whose head is the last word
    heads[1] = n;
    Tree tree = tree_of(heads);
    LabelSet labels = letters({"a"});
    CHECK_EQ(non_projective_words(tree), (std::vector<uint32_t>{1}));
    CHECK_EQ(projectivise(tree, labels), 1u);
    CHECK_EQ(tree.heads[1], n);
    deprojectivise(tree, LiftedLabels(labels));
    CHECK_EQ(tree.heads[1], 2u);  // the first word below its head with relation a
    std::fill(heads.begin(), heads.end() - 1, n);
    CHECK(is_projective(tree_of(heads)));
}

}  // namespace

int main() {
    test_reading();
    test_writing();
    test_selecting();
    test_bad_rows();
    test_ids();
    test_gold_trees();
    test_projectivity();
    test_lifting();
    test_strange_marks();
    test_deep_trees();
    return check::failures();
}
