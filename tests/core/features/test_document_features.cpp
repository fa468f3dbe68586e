// Tokens, readers of examples, and templates for documents.
#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "check.hpp"
#include "features/document_features.hpp"
#include "text/tokens.hpp"

using namespace sapwood;

namespace {

std::vector<std::string> tokens(std::string_view text) {
    std::vector<std::string> all;
    for (size_t at = 0;;) {
        const std::string_view token = next_token(text, at);
        if (token.empty()) return all;
        all.emplace_back(token);
    }
}

void test_tokens() {
    using List = std::vector<std::string>;
    CHECK(tokens("").empty());
    CHECK(tokens(" \t\r\n").empty());
    CHECK_EQ(tokens("what's up?"), (List{"what's", "up", "?"}));
    CHECK_EQ(tokens("e-mail, 3.5% (ca.)"), (List{"e-mail", ",", "3.5", "%", "(", "ca", ".", ")"}));
    CHECK_EQ(tokens("caf\xC3\xA9--'x'"), (List{"caf\xC3\xA9", "-", "-", "'", "x", "'"}));
}

// The texts and values of a document's features, sorted by text.
std::map<std::string, float> document_features(const std::string& lines, const Documents& documents, size_t document,
                                               std::vector<std::string> columns, std::vector<std::string> fields = {}) {
    const size_t label = columns.size();
    const DocumentFeatures extractor(Template(lines, "t", Header{std::move(columns), label, true, std::move(fields)}),
                                     {});
    extractor.check(documents);
    DocumentFeatures::Workspace workspace;
    FeatureRows rows;
    extractor.read(documents, document, workspace, rows);
    std::vector<uint64_t> keys = rows.keys();
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const std::vector<std::string> names = extractor.names(documents, keys);
    std::map<std::string, float> found;
    for (size_t k = 0; k < rows.keys().size(); ++k) {
        const auto at = std::lower_bound(keys.begin(), keys.end(), rows.keys()[k]) - keys.begin();
        found[names[static_cast<size_t>(at)]] += rows.binary() ? 1.0f : rows.values()[k];
    }
    return found;
}

// The two sentences of the lecture (Schneider 2017), each with "interest" marked.
Documents lecture() {
    Documents documents(1, 0, "lecture");
    for (const char* text : {"Wall Street vets raise concerns about interest rates , politics",
                             "Pet 's best interest in mind , but vets must follow law"}) {
        std::string word;
        for (const char* c = text;; ++c) {
            if (*c != ' ' && *c != 0) {
                word += *c;
                continue;
            }
            if (word == "interest") documents.mark_next();
            documents.add_cell(word);
            word.clear();
            if (*c == 0) break;
        }
        documents.end_document("", 0);
    }
    return documents;
}

void test_the_table_of_the_lecture() {
    const std::string lines =
        "U:bias\nU1:capitalized?=%capital[0,0]\nN1:#wordsBefore %before\nN2:#wordsAfter %after\n"
        "N3:relativeOffset %offset\nU2:leftWord=%x[-1,0]\nU3:rightWord=%x[1,0]\nA1:%x[0,0]\nA2:%x[0,0] "
        "%x[1,0]\n";
    const Documents documents = lecture();
    const auto x = document_features(lines, documents, 0, {"word"}),
               y = document_features(lines, documents, 1, {"word"});
    CHECK_EQ(x.at("U:bias"), 1.0f);
    CHECK_EQ(x.at("U1:capitalized?=false"), 1.0f);
    CHECK_EQ(x.at("N1:#wordsBefore %before"), 6.0f);
    CHECK_EQ(y.at("N1:#wordsBefore %before"), 3.0f);
    CHECK_EQ(x.at("N2:#wordsAfter %after"), 3.0f);
    CHECK_EQ(y.at("N2:#wordsAfter %after"), 8.0f);
    CHECK(std::abs(x.at("N3:relativeOffset %offset") - 0.6667f) < 0.001f);
    CHECK(std::abs(y.at("N3:relativeOffset %offset") - 0.2727f) < 0.001f);
    CHECK(x.contains("U2:leftWord=about") && y.contains("U2:leftWord=best"));
    CHECK(x.contains("U3:rightWord=rates") && y.contains("U3:rightWord=in"));
    for (const char* word : {"A1:Wall", "A1:Street", "A1:vets", "A2:Wall Street", "A2:Street vets", "A2:vets raise"})
        CHECK(x.contains(word));
    CHECK(!y.contains("A1:Wall") && y.contains("A1:vets") && y.contains("A1:best") && !x.contains("A1:best"));
}

void test_lines_for_documents() {
    Documents documents(1, 2, "d");
    documents.add_field("drama");
    documents.add_field("2.5");
    documents.add_text("Oh no no NO");
    documents.end_document("bad", 7);
    const auto found = document_features("C1:%X[0,0]\nA2:%CHARS[0,0,3]\nU3:%d[genre]\nN4:%d[price]\nN5:%tokens\n",
                                         documents, 0, {"word"}, {"genre", "price"});
    const std::map<std::string, float> expected{{"C1:oh", 1},    {"C1:no", 3},           {"A2:<oh", 1},
                                                {"A2:oh>", 1},   {"A2:<no", 1},          {"A2:no>", 1},
                                                {"U3:drama", 1}, {"N4:%d[price]", 2.5f}, {"N5:%tokens", 4}};
    CHECK(found == expected);
    CHECK_THROWS(DataError, "d:7: no word is marked", document_features("U1:%x[1,0]\n", documents, 0, {"word"}));
    CHECK_THROWS(DataError, "'drama' is not a number",
                 document_features("N1:%d[genre]\n", documents, 0, {"word"}, {"genre", "price"}));
    CHECK_EQ(documents.answers().where(0), std::string("d:7"));

    Documents empty(1, 0, "e");
    empty.end_document("", 0);
    const auto bias = document_features("U:bias\nU1:%x[@1,0]\nA1:%x[0,0]\n", empty, 0, {"word"});
    CHECK_EQ(bias.size(), size_t{2});  // the first word of an empty document is the boundary
}

// Saved models contain keys, so the hash of a line's text must not change.
void test_keys_of_lines() {
    Documents documents(1, 2, "d");
    documents.add_field("drama");
    documents.add_field("2.5");
    documents.add_cell("Oh");
    documents.mark_next();
    documents.add_cell("no");
    documents.end_document("", 0);
    const auto keys_of = [&](const std::string& line) {
        const DocumentFeatures document_features(Template(line, "t", Header{{"word"}, 1, true, {"genre", "price"}}),
                                                 {});
        DocumentFeatures::Workspace workspace;
        FeatureRows rows;
        document_features.read(documents, 0, workspace, rows);
        return rows.keys();
    };
    const auto key = [](const std::string& skeleton, const std::vector<std::string>& values) {
        uint64_t h = hash_bytes(skeleton);
        for (const std::string& value : values) h = combine(h, hash_bytes(value));
        return h;
    };
    const auto sorted = [](std::vector<uint64_t> keys) {
        std::sort(keys.begin(), keys.end());
        return keys;
    };
    using Keys = std::vector<uint64_t>;
    CHECK_EQ(keys_of("U:bias\n"), (Keys{hash_bytes("U:bias")}));
    CHECK_EQ(keys_of("U1:%X[-1,0]/%x[0,0]\n"), (Keys{key("U1:\1/\1", {"oh", "no"})}));
    CHECK_EQ(keys_of("U1:%x[1,0]\n"), (Keys{key("U1:\1", {"_B+1"})}));
    CHECK_EQ(keys_of("A1:%x[0,0] %x[1,0]\n"), sorted({key("A1:\1 \1", {"Oh", "no"}), key("A1:\1 \1", {"no", "_B+1"})}));
    CHECK_EQ(keys_of("C1:%x[0,0]\n"), sorted({key("C1:\1", {"Oh"}), key("C1:\1", {"no"})}));
    CHECK_EQ(keys_of("A2:%chars[-1,0,3]\n"), sorted({key("A2:\1", {"<Oh"}), key("A2:\1", {"Oh>"})}));
    CHECK_EQ(keys_of("U3:%d[genre]\n"), (Keys{key("U3:\1", {"drama"})}));
    CHECK_EQ(keys_of("N4:%d[price]\n"), (Keys{hash_bytes("N4:%d[price]")}));
    CHECK_EQ(keys_of("N5:%offset\n"), (Keys{hash_bytes("N5:%offset")}));
    CHECK(keys_of("U3:%d[genre]\n") != keys_of("U3:%d[price]\n"));
    CHECK(keys_of("N1:%d[price]0\n") != keys_of("N1:%d[price]\n"));
}

void test_select() {
    FeatureRows binary, valued;
    for (uint64_t row = 0; row < 4; ++row) {
        for (uint64_t k = 0; k < row; ++k) {
            binary.add(10 * row + k);
            valued.add(10 * row + k, row == 2 ? 0.5f : 1.0f);
        }
        binary.end_row();
        valued.end_row();
    }
    const std::vector<uint64_t> expected = {30, 31, 32, 20, 21, 30, 31, 32};
    const FeatureRows chosen = binary.select({3, 0, 2, 3});
    CHECK(chosen.binary());
    CHECK_EQ(chosen.keys(), expected);
    CHECK_EQ(chosen.size(), size_t{4});
    CHECK_EQ(chosen.begin(1), chosen.end(1));
    CHECK_EQ(valued.select({3, 0, 2, 3}).keys(), expected);
    CHECK_EQ(valued.select({3, 0, 2, 3}).values(), (std::vector<float>{1, 1, 1, 0.5f, 0.5f, 1, 1, 1}));
    CHECK_EQ(binary.select({}).size(), size_t{0});
}

void test_templates_that_documents_cannot_have() {
    const auto refuse = [](const char* line, const char* what) {
        CHECK_THROWS(TemplateError, what, Template(line, "t", Header{{"word"}, 1, true, {"genre"}}));
    };
    refuse("B\n", "starts with U, A, C, N or S");
    refuse("U1:%y[-1]\n", "unknown macro %y");
    refuse("U1:%d[author]\n", "no field 'author'; they have genre");
    refuse("U1:%chars[0,0,3]\n", "only macro of an A or C line");
    refuse("A1:%chars[0,0,3]%x[0,0]\n", "only macro of an A or C line");
    refuse("N1:price\n", "an N line has one of");
    refuse("N1:%before %after\n", "an N line has one macro");
    refuse("N1:%x[0,0]\n", "unknown number %x");
    refuse("S1:%x[0,0]\n", "an S line has one macro, a test");
    refuse("S1:%digit[1,0]\n", "an S line has one macro, a test");
    refuse("S1:%digit[0,0]%hyphen[0,0]\n", "an S line has one macro, a test");
    refuse("S1:stop\n", "an S line has one macro, a test");
    const auto refuse_columns = [](const char* line) {
        CHECK_THROWS(TemplateError, "t:1", Template(line, "t", Header{{"word", "label"}, 1}));
    };
    refuse_columns("A1:%x[0,0]\n");
    refuse_columns("N1:%before\n");
    refuse_columns("U1:%d[genre]\n");
    refuse_columns("U1:%chars[0,0,3]\n");
}

// The rows of a text without some of its words are those of the text that never had them.
void test_words_that_are_left_out() {
    const auto documents = [](std::string_view text) { return Documents::read_fasttext(text, "f", 1, false); };
    const auto rows = [](const Documents& texts, const char* pattern) {
        std::vector<WordList> lists;
        if (std::string_view(pattern).find("%in") != std::string_view::npos) lists.emplace_back("of course\nthe\n");
        const DocumentFeatures features(Template(pattern, "t", Header{{"word"}, 1, true, {}}), std::move(lists));
        DocumentFeatures::Workspace workspace;
        FeatureRows found;
        for (size_t d = 0; d < texts.size(); ++d) features.read(texts, d, workspace, found);
        return std::pair(found.keys(), found.values());
    };
    const Documents whole = documents("of course the film , the play\nthe\n\nof the play\n");
    const std::string lines = "A:%x[0,0]/%x[1,0]\nC:%chars[0,0,2]\nN:%tokens\n";
    const auto words = lines + "S:%in[0,0,\"l\"]\n", marks = words + "S:%t[0,0,\"^\\p\"]\n";
    CHECK(rows(whole, words.c_str()) == rows(documents("film , play\n\n\nof play\n"), lines.c_str()));
    CHECK(rows(whole, marks.c_str()) == rows(documents("film play\n\n\nof play\n"), lines.c_str()));
}

void test_fasttext() {
    const auto read = [](std::string_view text, bool skip = true) {
        return Documents::read_fasttext(text, "f", 1, skip);
    };
    const Documents two = read("\xEF\xBB\xBF__label__a x y\r\n\n  __label__b\tz\nno label");
    CHECK_EQ(two.size(), size_t{3});
    CHECK_EQ(two.answers().labels(), (std::vector<std::string>{"a", "b"}));
    CHECK_EQ(two.answers().gold(), (std::vector<uint32_t>{0, 1, Answers::kNone}));
    CHECK_EQ(two.answers().where(1), std::string("f:3"));
    CHECK_EQ(two.end(0) - two.begin(0), size_t{2});
    CHECK_EQ(read("a\n\nb\n", false).size(), size_t{3});
    CHECK_THROWS(DataError, "f:2: two labels", read("x\n__label__a __label__b z\n"));
    const Documents several =
        Documents::read_fasttext("__label__a __label__b z\n__label__b y\nx\n", "f", 1, true, true);
    CHECK_EQ(several.answers().labels(), (std::vector<std::string>{"a|b", "b"}));
    CHECK_EQ(several.answers().gold(), (std::vector<uint32_t>{0, 1, Answers::kNone}));
    CHECK_EQ(several.tokens().tokens(), size_t{3});
    const Documents anywhere =
        Documents::read_fasttext("x __label__a y\nx\t__label__b z __label__c\n", "f", 1, true, true);
    CHECK_EQ(anywhere.answers().labels(), (std::vector<std::string>{"a", "b|c"}));
    CHECK_EQ(anywhere.tokens().bytes(), std::string("xyxz"));
    CHECK_EQ(anywhere.odd_labels(), size_t{0});
    const Documents odd = read("x\n__label__a__label__b y\n__label__a, y\nin__label__a __label__c\n");
    CHECK_EQ(odd.odd_labels(), size_t{3});
    CHECK_EQ(odd.first_odd_label(), (std::pair<size_t, std::string>{2, "__label__a__label__b"}));
    CHECK_EQ(odd.answers().labels(), (std::vector<std::string>{"a__label__b", "a,", "c"}));
    CHECK_THROWS(DataError, "f:1: __label__ without a name", read("z __label__ z\n"));
    CHECK_THROWS(DataError, "f:1: __label__ without a name", read("__label__ z\n"));
    CHECK_THROWS(DataError, "if it is Windows-1252", read("a \x93\n"));
    CHECK_THROWS(DataError, "if it is Latin-1", read("caf\xE9\n"));
    CHECK_THROWS(DataError, "half of a character", read("a \xED\xA0\xBD\n"));
    CHECK_THROWS(DataError, "it looks like UTF-16", read(std::string_view("a\0b\0", 4)));
    CHECK_THROWS(DataError, "f:1: invalid UTF-8", read("a\xFF\n"));
}

void test_svmlight() {
    const auto read = [](std::string_view text) { return FeatureRows::read_svmlight(text, "s", 1); };
    const auto [rows, answers] = read("+1 3:0.5 17:1 # a comment\n\n-1 qid:4 2:0 5:-1e2\nx\n");
    CHECK_EQ(rows.size(), size_t{3});
    CHECK_EQ(answers.labels(), (std::vector<std::string>{"+1", "-1", "x"}));
    CHECK_EQ(rows.values(), (std::vector<float>{0.5f, 1.0f, -100.0f}));  // a value of 0 adds no feature
    CHECK_EQ(rows.keys()[1], hash_bytes("17"));
    CHECK_EQ(rows.select({1, 1}).values(), (std::vector<float>{-100.0f, -100.0f}));
    const auto unlabelled = read("# a header 1:1\n1,2\t3:1\n 3:1 4:2\nqid:1 4:1\n");
    CHECK_EQ(unlabelled.second.gold(), (std::vector<uint32_t>{0, Answers::kNone, Answers::kNone}));
    CHECK_EQ(unlabelled.second.where(1), std::string("s:3"));
    CHECK_EQ(unlabelled.first.sizes(), (std::vector<uint32_t>{1, 2, 1}));
    for (const auto& [text, what] : std::vector<std::pair<const char*, const char*>>{
             {"1 3:1 3:2\n", "s:1: feature 3 comes after 3"},
             {"1 1:1\n1 5:1 4:1\n", "s:2: feature 4 comes after 5"},
             {"1 3\n", "'3' is not INDEX:VALUE"},
             {"1 a:1\n", "'a:1' is not INDEX:VALUE"},
             {"1 3:\n", "'3:' is not INDEX:VALUE"},
             {"1 3:nan\n", "s:1: feature 3: a value is not a number"},
             {"1 3:inf\n", "s:1: feature 3: a value is infinite"},
             {"1 3:1e300\n", "s:1: feature 3: a value is larger than 1e15"}})
        CHECK_THROWS(DataError, what, read(text));
}

}  // namespace

int main() {
    test_tokens();
    test_the_table_of_the_lecture();
    test_lines_for_documents();
    test_keys_of_lines();
    test_select();
    test_templates_that_documents_cannot_have();
    test_words_that_are_left_out();
    test_fasttext();
    test_svmlight();
    return check::failures();
}
