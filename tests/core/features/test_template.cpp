// Template lines, patterns, feature keys and names.
#include <map>
#include <set>

#include "base/errors.hpp"
#include "check.hpp"
#include "data.hpp"
#include "features/cell_numbers.hpp"
#include "features/pattern.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

// The matched part in brackets, or "no".
std::string match(const std::string& pattern, const std::string& text) {
    const auto found = Pattern(pattern).search(text);
    return found ? "[" + std::string(*found) + "]" : "no";
}

void test_patterns() {
    CHECK_EQ(match("b", "abc"), "[b]");
    CHECK_EQ(match("^b", "abc"), "no");
    CHECK_EQ(match("^a", "abc"), "[a]");
    CHECK_EQ(match("c$", "abc"), "[c]");
    CHECK_EQ(match("b$", "abc"), "no");
    CHECK_EQ(match("^abc$", "abc"), "[abc]");
    CHECK_EQ(match("", "abc"), "[]");
    CHECK_EQ(match("^$", "abc"), "no");
    CHECK_EQ(match("$", "abc"), "[]");
    CHECK_EQ(match(".", "日本"), "[日]");
    CHECK_EQ(match("a*", "aaa"), "[]");  // a star matches as few characters as possible
    CHECK_EQ(match("a*$", "baaa"), "[aaa]");
    CHECK_EQ(match("a?", "aaa"), "[a]");  // a question mark matches as many as possible
    CHECK_EQ(match(".?.?$", "word"), "[rd]");
    CHECK_EQ(match("^.?.?.?", "ab"), "[ab]");
    CHECK_EQ(match("x.*y", "axbycy"), "[xby]");
    CHECK_EQ(match("\\u\\l*\\d", "aMac7x"), "[Mac7]");
    CHECK_EQ(match("^\\u*$", "NATO"), "[NATO]");
    CHECK_EQ(match("^\\u*$", "NaTO"), "no");
    CHECK_EQ(match("\\d\\D", "12a"), "[2a]");
    CHECK_EQ(match("\\A", "ab3"), "[3]");
    CHECK_EQ(match("\\W", "ab3-"), "[-]");
    CHECK_EQ(match("\\p", "ab,"), "[,]");
    CHECK_EQ(match("\\P", ",a"), "[a]");
    CHECK_EQ(match("\\s", "a b"), "[ ]");
    CHECK_EQ(match("\\u", "éÉ"), "[É]");
    CHECK_EQ(match("\\.\\*\\$", "a.*$"), "[.*$]");
    CHECK_EQ(match("a^b$c", "a^b$c"), "[a^b$c]");  // in other places, ^ and $ are ordinary characters
    CHECK_EQ(match("\\$", "a$b"), "[$]");
    CHECK_THROWS(TemplateError, "must follow a character", Pattern("*a"));
    CHECK_THROWS(TemplateError, "must follow a character", Pattern("^?"));
    CHECK_THROWS(TemplateError, "must follow a character", Pattern("a**"));
    CHECK_THROWS(TemplateError, "cannot end in a backslash", Pattern("a\\"));
}

// Wapiti's matcher by its definition, with backtracking in exponential time; only for a, b, '.' and \d.
bool slow_match(const char* pattern, const char* text, size_t& length) {
    if (pattern[0] == 0) return true;
    if (pattern[0] == '$' && pattern[1] == 0) return text[0] == 0;
    const char* next = pattern + (pattern[0] == '\\' ? 2 : 1);
    const bool here = text[0] != 0 && (pattern[0] == '.' ||
                                       (pattern[0] == '\\' ? text[0] >= '0' && text[0] <= '9' : pattern[0] == text[0]));
    const size_t before = length;
    const auto skip = [&] { return length = before, slow_match(next + 1, text, length); };
    const auto take = [&](const char* then) { return length = before + 1, here && slow_match(then, text + 1, length); };
    if (*next == '?') return take(next + 1) || skip();
    if (*next == '*') return skip() || take(pattern);
    return take(next);
}

std::string slow_match(const std::string& pattern, const std::string& text) {
    const bool front = pattern.starts_with('^');
    for (size_t start = 0; start <= (front ? 0 : text.size()); ++start) {
        size_t length = 0;
        if (slow_match(pattern.c_str() + front, text.c_str() + start, length))
            return "[" + text.substr(start, length) + "]";
    }
    return "no";
}

void test_random_patterns() {
    Random random(1);
    const std::vector<std::string> items = {"a", "b", ".", "\\d"}, repeats = {"", "", "*", "?"};
    for (int round = 0; round < 40000; ++round) {
        std::string pattern = random.chance(3) ? "^" : "", text;
        for (size_t k = random.below(6); k > 0; --k) pattern += random.pick(items) + random.pick(repeats);
        if (random.chance(3)) pattern += '$';
        for (size_t k = random.below(7); k > 0; --k) text += "ab1"[random.below(3)];
        if (match(pattern, text) != slow_match(pattern, text))
            CHECK_EQ(pattern + " in " + text + match(pattern, text), slow_match(pattern, text));
    }
}

void test_patterns_do_not_explode() {
    std::string pattern;
    for (int k = 0; k < 30; ++k) pattern += ".*a?";
    CHECK_EQ(match(pattern + "b$", std::string(2000, 'a')), "no");
}

// One digit per line of the template: how many labels to the left the line looks at.
std::string reaches(const std::string& text) {
    std::string out;
    const Template pattern = compile(text);
    for (const Line& line : pattern.lines()) out += std::to_string(line.reach);
    return out;
}

// Two digits per line: how many labels to the left and to the right.
std::string both_sides(const std::string& text) {
    std::string out;
    const Template pattern = compile(text);
    for (const Line& line : pattern.lines())
        out += (out.empty() ? "" : " ") + std::to_string(line.reach) + std::to_string(line.ahead);
    return out;
}

void test_template_lines() {
    CHECK_EQ(reaches("U00:%x[0,0]\nB\nB01:%x[0,1]\n"), "011");
    CHECK_EQ(reaches("u:%x[0,0]\nb\n"), "01");
    CHECK_EQ(reaches("*:%x[0,0]"), "01");
    CHECK_EQ(reaches("U:%y[-1]\nU:%y[-2]/%y[-1]\nB:%y[-2]\nU:%y[ -1 ]%y[-1]"), "1221");
    CHECK_EQ(both_sides("U:%y[+1]\nU:%y[1]/%y[ +2 ]\nB:%y[+1]\nU:%y[+2]/%x[0,0]/%y[-1]/%y[+1]/%y[-2]"), "01 02 11 22");
    CHECK_EQ(reaches("# a comment\n\n  U:%x[0,0]  # more\r\nU:#%x[0,0]\n"), "00");
    CHECK_EQ(reaches("\xEF\xBB\xBFU:%x[0,0]"), "0");
    CHECK_EQ(reaches("U:%t[0,0,\"a # b\"] # x"), "0");
    CHECK_EQ(compile("U:%x[-3,0]%x[+2,1]").padding(), 3u);
    CHECK_EQ(compile("U:%x[@9,0]").padding(), 1u);
    CHECK_EQ(compile("U:%x[0,0]").columns_needed(), 1u);
    CHECK_EQ(compile("U:%x[0,pos]").columns_needed(), 2u);
    CHECK_EQ(compile("U:%x[0,0]/%x[1,0]/%X[0,0]/%lower[0,word]").attributes().size(), 2u);
    const Template lists = compile("U:%in[0,0,\"b\"]%in[0,0,\"a\"]%in[1,0,\"b\"]");
    CHECK_EQ(lists.list_names(), (std::vector<std::string>{"b", "a"}));
    CHECK_EQ(lists.list_index("a"), 1u);
}

void test_template_errors() {
    const std::pair<const char*, const char*> bad[] = {
        {"X:%x[0,0]", "a line starts with U, B or *"},
        {"U:%z[0,0]", "unknown macro %z; there are %x"},
        {"U:%[0,0]", "unknown macro %;"},
        {"U:100%", "unknown macro %;"},
        {"U:%x", "expected '[' at character 5"},
        {"U:%x(0,0)", "expected '['"},
        {"U:%x[", "expected a row offset at character 6"},
        {"U:%x[a,0]", "expected a row offset"},
        {"U:%x[0]", "expected ','"},
        {"U:%x[0 0]", "expected ','"},
        {"U:%x[0,0", "expected ']' at character 9"},
        {"U:%x[0,0,1]", "expected ']'"},
        {"U:%x[101,0]", "a row offset is at most 100"},
        {"U:%x[-101,0]", "a row offset is at most 100"},
        {"U:%x[99999999999999999999,0]", "a row offset"},
        {"U:%x[0,3]", "there is no column 3; the data has 0 (word), 1 (pos), 2 (label) = the label"},
        {"U:%x[0,lemma]", "there is no column 'lemma'"},
        {"U:%x[0,-1]", "there is no column '-1'"},
        {"U:%x[0,]", "there is no column ''"},
        {"U:%x[0,2]", "column 2 is the label"},
        {"U:%x[0,label]", "column label is the label"},
        {"U:%x[*0,0]", "indirect rows"},
        {"U:%prefix[0,0]", "expected ','"},
        {"U:%prefix[0,0,0]", "at least one character"},
        {"U:%suffix[0,0,-2]", "at least one character"},
        {"U:%suffix[0,0,x]", "expected a length"},
        {"U:%suffix[0,0,101]", "a length is at most 100"},
        {"U:%t[0,0]", "expected ','"},
        {"U:%t[0,0,a]", "expected a text in double quotes"},
        {"U:%t[0,0,\"a]", "does not end"},
        {"U:%t[0,0,\"a\\\"]", "does not end"},
        {"U:%t[0,0,\"*\"]", "must follow a character"},
        {"U:%m[0,0,\"a\"", "expected ']'"},
        {"U:%y[0]", "%y takes [-2], [-1], [+1] or [+2]"},
        {"U:%y[3]", "%y takes [-2], [-1], [+1] or [+2]"},
        {"U:%y[-3]", "%y takes [-2], [-1], [+1] or [+2]"},
        {"U:%y[-2]", "%y[-2] needs %y[-1]"},
        {"U:%y[+2]/%y[-1]", "%y[+2] needs %y[+1]"},
        {"U:%y[-1,0]", "expected ']'"},
        {"U:\xFF", "not UTF-8"},
    };
    for (const auto& [line, message] : bad) {
        CHECK_THROWS(TemplateError, message, compile(line));
        if (std::string(line).find('\xFF') == std::string::npos)
            CHECK_THROWS(TemplateError, "template:3: ", compile(std::string("# first\nB\n") + line + "\nU\n"));
    }
    CHECK_THROWS(TemplateError, "template: the template has no line", compile(""));
    CHECK_THROWS(TemplateError, "template: the template has no line", compile("# nothing\n\n"));
    CHECK_THROWS(TemplateError, "template: not UTF-8", compile(std::string("U\0", 2)));
}

// Name and key of all lines of one group at every token.
using Features = std::vector<std::vector<std::pair<std::string, uint64_t>>>;  // [tokens][lines]

Features features(const Extractor& extractor, const Columns& data, unsigned group, size_t sentence = 0) {
    const size_t begin = data.begin(sentence), end = data.end(sentence), lines = extractor.lines(group);
    Extractor::Workspace workspace;
    extractor.read(data, begin, end, workspace);
    std::vector<uint64_t> keys((end - begin) * lines);
    extractor.keys(group, workspace, keys.data(), lines);
    Features all(end - begin);
    for (size_t i = 0; i < all.size(); ++i)
        for (size_t f = 0; f < lines; ++f)
            all[i].emplace_back(extractor.name(extractor.line(group, f), data, begin, end, i), keys[i * lines + f]);
    return all;
}

// The names of one line at every token, joined by spaces.
std::string names(const std::string& line, const std::string& text, std::vector<WordList> lists = {}) {
    std::string out;
    for (const auto& token : features(extractor(line, 0, std::move(lists)), columns(text), 0))
        out += (out.empty() ? "" : " ") + token.at(0).first;
    return out;
}

void test_names() {
    const std::string cat = "The DT\ncat NN\nsat VBD\n";
    CHECK_EQ(names("U0:%x[0,0]", cat), "U0:The U0:cat U0:sat");
    CHECK_EQ(names("U:%x[-1,0]/%x[1,pos]", cat), "U:_B-1/NN U:The/VBD U:cat/_B+1");
    CHECK_EQ(names("U%x[-2,0]", cat), "U_B-2 U_B-1 UThe");
    CHECK_EQ(names("U%x[5,0]", cat), "U_B+3 U_B+4 U_B+5");
    CHECK_EQ(names("U%x[@1,0]", cat), "UThe UThe UThe");
    CHECK_EQ(names("U%x[@-1,0]", cat), "Usat Usat Usat");
    CHECK_EQ(names("U%x[@4,0]", cat), "U_B+1 U_B+1 U_B+1");
    CHECK_EQ(names("Uconstant", cat), "Uconstant Uconstant Uconstant");
    CHECK_EQ(names("U%X[0,0]%lower[0,1]", cat), "Uthedt Ucatnn Usatvbd");
    CHECK_EQ(names("U%prefix[0,0,2]-%suffix[0,0,1]", cat), "UTh-e Uca-t Usa-t");
    CHECK_EQ(names("U%Prefix[0,0,2]", cat), "Uth Uca Usa");
    CHECK_EQ(names("U%shape[0,0]", "McDonald A\nU.S.-1984 B\nÉcole-日日本 C\n"), "UXxXx UX.X.-d UXx-日本");
    CHECK_EQ(names("U%digit[0,0],%hyphen[0,0],%capital[0,0]", "A-1 x\nb x\n"), "Utrue,true,true Ufalse,false,false");
    CHECK_EQ(names("U%t[0,0,\"^\\u\"]", cat), "Utrue Ufalse Ufalse");
    CHECK_EQ(names("U%m[0,0,\".?.?$\"]|%M[0,0,\"^\\u?\"]", cat), "Uhe|t Uat| Uat|");
    CHECK_EQ(names("U%m[0,0,\"z\"]", cat), "U U U");
}

void test_word_lists() {
    const WordList cities("Rome\nNew York\r\n  New   York City \n\nYork\n");
    CHECK_EQ(cities.longest, 3u);
    CHECK_EQ(cities.phrases.size(), 4u);
    const std::string line = "U%in[0,0,\"cities\"]";
    CHECK_EQ(names(line, "from x\nNew x\nYork x\nCity x\nto x\nRome x\n", {cities}), "UO UB UI UI UO UB");
    CHECK_EQ(names(line, "New x\nYork x\nYork x\n", {cities}), "UB UI UB");
    CHECK_EQ(names(line, "New x\n", {cities}), "UO");
    CHECK_EQ(names("U%in[1,0,\"cities\"]", "to x\nRome x\n", {cities}), "UB U_B+1");
    CHECK_EQ(names("U%In[0,0,\"cities\"]", "ROME x\n", {WordList("rome")}), "UB");
    CHECK_EQ(names(line, "Rome x\n", {WordList("")}), "UO");
    CHECK_EQ(names(line, "Rome x\n", {WordList("\xEF\xBB\xBFRome\n")}),
             "UB");  // a byte order mark is skipped
    std::string phrase;
    for (int k = 0; k < 65; ++k) phrase += "w ";
    CHECK_THROWS(DataError, "more than 64 words", WordList(phrase));
}

// Two features have the same key if and only if they have the same text.
void test_keys_are_texts() {
    const std::string text = R"(
U0:%x[-2,0]
U0:%x[-1,0]
U0:%x[0,0]
U0:%x[1,0]
U0:%x[2,0]
U0:%x[@1,0]
U0:%x[@5,0]
U0:%X[0,0]
U0:%prefix[0,0,2]
U0:%suffix[0,0,1]
U0:%in[0,0,"l"]
U0:%m[0,0,"z"]
U1:%x[0,0]
U2:%x[0,0]/%x[1,0]
U2:%x[1,0]/%x[0,0]
U2:%shape[0,0]/%x[0,1]
U3:%x[0,0]%x[0,1]
U4:%t[0,0,"a"]
U4:%digit[0,0]
U4:%m[0,0,"a.?"]
U
U0
U0:%y[-1]
U1:%y[-1]/%x[0,0]
U1:%y[-1]/%x[-1,0]
B
B:%x[0,0]
U0:%y[-2]/%y[-1]
U0:%y[+1]
U1:%x[0,0]/%y[+1]
U0:%y[-1]/%y[+1]
U0:%y[+1]/%y[-1]
U0:%y[+1]/%y[+2]
)";
    const Extractor all = extractor(text, 2, {WordList("a\nab a\n")}, 2);
    CHECK_EQ(all.lines(0), 22u);
    CHECK_EQ(all.lines(1), 5u);
    CHECK_EQ(all.lines(2), 1u);
    CHECK_EQ(all.lines(line_group(0, 1)), 2u);
    CHECK_EQ(all.lines(line_group(1, 1)), 2u);
    CHECK_EQ(all.lines(line_group(0, 2)), 1u);
    CHECK_EQ(all.label_lines(), 11u);
    Random random(3);
    const std::vector<std::string> words = {"a",    "A",    "ab",  "aB", "b1", "true", "B", "x", "abcdefghijklmnop",
                                            "_B-1", "_B+1", "_B+2"};
    std::map<std::string, uint64_t> key_of;
    std::map<uint64_t, std::string> name_of;
    for (int round = 0; round < 200; ++round) {
        std::string data;
        for (size_t k = random.below(5) + 1; k > 0; --k) data += random.pick(words) + " |" + random.pick(words) + "\n";
        for (unsigned group = 0; group < kLineGroups; ++group)
            for (const auto& token : features(all, columns(data), group))
                for (const auto& [name, key] : token) {
                    CHECK_EQ(key_of.try_emplace(name, key).first->second, key);
                    CHECK_EQ(name_of.try_emplace(key, name).first->second, name);
                }
    }
    CHECK(key_of.size() > 300);
}

// A sentence's features do not depend on earlier sentences or on other sentences in the data.
void test_sentences_are_apart() {
    const Extractor e = extractor("U:%x[-1,0]/%x[0,0]/%x[2,0]\nU:%x[@-1,0]\nU:%in[0,0,\"l\"]", 0, {WordList("a b\nb")});
    const Columns together = columns("a x\nb x\n\nb x\nb x\na x\n\nc x\n");
    CHECK(features(e, together, 0, 0) == features(e, columns("a x\nb x\n"), 0));
    CHECK(features(e, together, 0, 1) == features(e, columns("b x\nb x\na x\n"), 0));
    CHECK(features(e, together, 0, 2) == features(e, columns("c x\n"), 0));
    Extractor::Workspace workspace;
    e.read(together, 0, 2, workspace);
    e.read(together, 5, 6, workspace);  // reuses a workspace
    std::vector<uint64_t> keys(3);
    e.keys(0, workspace, keys.data(), 3);
    for (size_t f = 0; f < 3; ++f) CHECK_EQ(keys[f], features(e, together, 0, 2)[0][f].second);
}

// Adds a cell, which may be empty.
void add(Columns& data, std::string_view cell) {
    data.add_cell(cell.empty() ? Columns::part(0, 0) : data.keep(cell));
}

// The keys of lines that look at one cell, by cell and in their lines' order; and the others.
void test_lines_of_one_cell() {
    const std::string text =
        "U00:%x[-1,word]\nU01:%shape[-1,word]\nU02:%x[0,word]\nU03:%suffix[0,word,2]/%X[0,word]\nU04:%x[0,pos]\n"
        "U05:%x[0,word]/%x[0,pos]\nU06:%x[@1,word]\nU07:%x[@1,word]\nU08:%x[+1,pos]\nU09:%prefix[1,pos,1]\nU10:%y[-1]";
    const Extractor all = extractor(text, 1);
    CHECK_EQ(all.cell_lines().size(), 3u);
    CHECK_EQ(all.lines(0), 10u);
    CHECK_EQ(all.lines(kJointGroup), 4u);
    Columns data = Columns::over("", 3, "data");
    data.allow_gaps();
    for (const std::string word : {"a", "b", "a", "", "one-of-more-than-sixteen-bytes", "a", "another-of-more-than-16"})
        for (const std::string& cell : {word, word.substr(0, 1), std::string("L")}) add(data, cell);
    data.end_sentence();
    Extractor::Workspace whole, joint;
    joint.joint_only = true;
    for (int round = 0; round < 2; ++round) {
        all.read(data, 0, data.tokens(), whole);
        all.read(data, 0, data.tokens(), joint);
        std::vector<uint64_t> wanted(data.tokens() * all.lines(0)), others(data.tokens() * all.lines(kJointGroup));
        all.keys(0, whole, wanted.data(), all.lines(0));
        all.keys(kJointGroup, joint, others.data(), all.lines(kJointGroup));
        for (size_t i = 0; i < data.tokens(); ++i) {
            std::map<const Line*, uint64_t> found;
            for (const Extractor::CellLines& lines : all.cell_lines()) {
                std::vector<uint64_t> keys(lines.lines.size());
                const uint32_t id = all.ids(lines.column, joint)[static_cast<ptrdiff_t>(i) + lines.offset];
                CHECK_EQ(id >= all.lasting_ids(lines.column, joint),
                         id > 0 && data.tokens() > i + lines.offset &&
                             data.cell(i + lines.offset, lines.column).size() > 16);
                all.cell_keys(lines, joint, id, keys.data());
                for (size_t k = 0; k < keys.size(); ++k) found[lines.lines[k]] = keys[k];
            }
            for (size_t k = 0; k < all.lines(kJointGroup); ++k)
                found[&all.line(kJointGroup, k)] = others[i * all.lines(kJointGroup) + k];
            for (size_t k = 0; k < all.lines(0); ++k) CHECK_EQ(found.at(&all.line(0, k)), wanted[i * all.lines(0) + k]);
        }
    }
}

// So many lines of one cell that their sums would not fit into 16 bits are summed in several parts, which need two lines.
void test_many_lines_of_one_cell() {
    for (const auto& [count, sets, others] : {std::array<size_t, 3>{256, 1, 1}, {257, 1, 2}, {300, 2, 1}}) {
        std::string text = "U:%x[1,word]\n";
        for (size_t k = 0; k < count; ++k) text += "U" + std::to_string(k) + ":%x[0,word]\n";
        const Extractor all = extractor(text, 1);
        CHECK_EQ(all.cell_lines().size(), sets);
        CHECK_EQ(all.cell_lines()[0].lines.size(), 256u);
        CHECK_EQ(all.lines(kJointGroup), others);
    }
}

// An empty cell is a gap in some data and a value in others.
void test_gaps_come_and_go() {
    const Extractor reader = extractor("U00:%x[0,word]\nU01:%suffix[0,word,1]", 0);
    Extractor::Workspace workspace;
    uint64_t keys[2];
    for (int round = 0; round < 2; ++round)
        for (const bool gaps : {false, true}) {
            Columns data = Columns::over("", 1, "data");
            if (gaps) data.allow_gaps();
            add(data, "");
            data.end_sentence();
            reader.read(data, 0, 1, workspace);
            reader.keys(0, workspace, keys, 2);
            CHECK_EQ(keys[0] == kNoFeature && keys[1] == kNoFeature, gaps);
        }
}

// The lines and lists of an extractor remain valid when it is moved.
void test_extractor_moves() {
    Extractor first = extractor("U:%in[0,0,\"l\"]/%m[0,0,\"^.\"]\nB", 1, {WordList("ab")});
    const Columns data = columns("ab x\n");
    const Features before = features(first, data, 0);
    const Extractor second = std::move(first);
    CHECK(features(second, data, 0) == before);
    CHECK_EQ(second.constant_key(1, 0), features(second, data, 1)[0][0].second);
    CHECK(second.varies(0, 0) && !second.varies(1, 0));
}

void test_reach_leaves_lines_out() {
    const std::string text = "U:%x[0,0]\nB\nU:%y[-2]%y[-1]\nU1:%x[0,0]";
    for (unsigned reach = 0; reach < 3; ++reach) {
        const Extractor e = extractor(text, reach);
        CHECK_EQ(e.lines(0), 2u);
        CHECK_EQ(e.lines(1), reach >= 1 ? 1u : 0u);
        CHECK_EQ(e.lines(2), reach >= 2 ? 1u : 0u);
        CHECK_EQ(e.reach(), reach);
    }
    for (unsigned ahead = 0; ahead < 3; ++ahead) {
        const Extractor e = extractor("U:%y[+1]\nB:%y[+1]\nB:%y[+1]%y[+2]", 1, {}, ahead);
        CHECK_EQ(e.label_lines(), ahead + (ahead > 0));
        CHECK_EQ(e.ahead(), ahead);
    }
}

// Keys are combined, group by group, with the hashes of the labels that the line looks at.
void test_labels_join_keys() {
    const Extractor e = extractor("U0:%y[+1]/%y[+2]\nU1:%x[0,0]\nU2:%y[-1]/%y[+1]\nU3:%y[-2]/%y[-1]", 2, {}, 2);
    Extractor::Workspace workspace;
    const Columns data = columns("a x\nb x\n");
    e.read(data, 0, 2, workspace);
    std::vector<uint64_t> keys(2 * 3), joined(3);
    e.label_keys(workspace, keys.data());
    const auto key = [&](unsigned group) { return features(e, data, group)[1][0].second; };
    e.join_labels(keys.data() + 3, {11, 12, 13, 14}, joined.data());
    CHECK_EQ(joined[0], combine(combine(key(line_group(2, 0)), 11), 12));
    CHECK_EQ(joined[1], combine(combine(key(line_group(1, 1)), 12), 13));
    CHECK_EQ(joined[2], combine(combine(key(line_group(0, 2)), 13), 14));
}

void test_hash_is_fixed() {  // models carry keys, so these numbers must never change
    CHECK_EQ(hash_bytes(""), hash_bytes(std::string()));
    CHECK_EQ(hash_bytes("sapwood"), 0x7D8E3DE21C3A1DFCu);
    CHECK_EQ(hash_bytes("a longer text than eight bytes"), 0xD63DB14B6A870B0Du);
    CHECK_EQ(combine(hash_bytes("a"), hash_bytes("b")), 0x68E9FCCA00F4F2B2u);
    CHECK(combine(1, 2) != combine(2, 1));
    std::set<uint64_t> keys;  // many similar texts have different keys
    for (int n = 0; n < 100000; ++n) keys.insert(hash_bytes(std::to_string(n)));
    for (size_t size = 0; size < 100; ++size) keys.insert(hash_bytes(std::string(size, 'x')));
    CHECK_EQ(keys.size(), 100100u);
}

void test_template_error_messages() {
    CHECK_THROWS(TemplateError, "%Y",
                 compile("U:%Y[-1]"));  // "unknown macro %y; there are ... %y" is no help
    CHECK_THROWS(TemplateError, "expected a row offset", compile("U:%x[+-1,0]"));
    CHECK_THROWS(TemplateError, "rows are counted from 1", compile("U:%x[@0,0]"));
}

void test_template_extreme_offset() {
    CHECK_THROWS(TemplateError, "a row offset", compile("U:%x[-2147483648,0]"));
    CHECK_THROWS(TemplateError, "a row offset", compile("U:%x[@-2147483648,0]"));
    CHECK_THROWS(TemplateError, "a length", compile("U:%prefix[0,0,-2147483648]"));
}

// Cells of at most 16 bytes are told apart in every byte and in their length, and keep their numbers.
void test_cell_numbers() {
    CellNumbers numbers;
    std::map<std::string, uint32_t> known;
    for (int round = 0; round < 2; ++round)
        for (size_t length = 0; length <= 20; ++length)
            for (size_t at = 0; at <= length; ++at)
                for (const char c : {'\0', 'b', '\xFF'}) {
                    std::string cell(length, 'a');
                    if (at < length) cell[at] = c;
                    const auto [number, fresh] = numbers.find(CellNumbers::Wanted(cell));
                    if (length > 16) {
                        CHECK_EQ(number, CellNumbers::kLong);
                        continue;
                    }
                    const auto [entry, is_new] = known.try_emplace(cell, static_cast<uint32_t>(known.size()));
                    CHECK_EQ(number, entry->second);
                    CHECK_EQ(fresh, is_new);
                }
    CHECK_EQ(numbers.size(), known.size());
}

}  // namespace

int main() {
    test_patterns();
    test_random_patterns();
    test_patterns_do_not_explode();
    test_template_lines();
    test_template_errors();
    test_names();
    test_word_lists();
    test_keys_are_texts();
    test_sentences_are_apart();
    test_lines_of_one_cell();
    test_many_lines_of_one_cell();
    test_gaps_come_and_go();
    test_extractor_moves();
    test_reach_leaves_lines_out();
    test_labels_join_keys();
    test_hash_is_fixed();
    test_cell_numbers();
    test_template_error_messages();
    test_template_extreme_offset();
    return check::failures();
}
