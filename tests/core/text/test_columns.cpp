// Column files, UTF-8, chunk labels.
#include <cstring>

#include "base/errors.hpp"
#include "check.hpp"
#include "data.hpp"
#include "random.hpp"
#include "text/chunks.hpp"
#include "text/utf8.hpp"

using namespace sapwood;

namespace {

// Writes data as "a|b c|d / e|f": cells separated by |, tokens by spaces, sentences by slashes.
std::string dump(const Columns& data) {
    std::string out;
    for (size_t s = 0; s < data.sentences(); ++s) {
        if (s > 0) out += " / ";
        for (size_t t = data.begin(s); t < data.end(s); ++t) {
            if (t > data.begin(s)) out += ' ';
            for (size_t c = 0; c < data.width(); ++c) (c > 0 ? out += '|' : out) += data.cell(t, c);
        }
    }
    return out;
}

std::string read(const std::string& text) {
    return dump(columns(text));
}

void test_columns_good() {
    CHECK_EQ(read("a b\nc d\n\ne f\n"), "a|b c|d / e|f");
    CHECK_EQ(read("a\tb\nc\td\n\ne\tf\n"), "a|b c|d / e|f");
    CHECK_EQ(read("a b\nc d"), "a|b c|d");                         // last line without newline
    CHECK_EQ(read("a b\r\nc d\r\n\r\ne f\r\n"), "a|b c|d / e|f");  // CRLF
    CHECK_EQ(read("\xEF\xBB\xBF"
                  "a b\n"),
             "a|b");                                                  // byte order mark
    CHECK_EQ(read("\n\n \na b\n\n\t\n \r\nc d\n\n\n"), "a|b / c|d");  // blank lines, also of spaces
    CHECK_EQ(read("  a   b  \nc d \t\n"), "a|b c|d");                 // runs of spaces, in front and behind
    CHECK_EQ(read("New York\tLOC\nis\tO \n"),
             "New York|LOC is|O");              // spaces inside cells if the first line has a tab
    CHECK_EQ(read("# a\n## b\n"), "#|a ##|b");  // no comments
    CHECK_EQ(read("a\nb\n\nc\n"), "a b / c");   // one column
    CHECK_EQ(read("na\xC3\xAFve JJ\n\xE6\x97\xA5 NN\n"), "na\xC3\xAFve|JJ \xE6\x97\xA5|NN");
    CHECK_EQ(read(""), "");
    CHECK_EQ(read("\xEF\xBB\xBF"), "");
    CHECK_EQ(read("\n \n"), "");
    CHECK_EQ(columns("").width(), 0u);
    CHECK_EQ(columns("").tokens(), 0u);
    CHECK_EQ(columns("").sentences(), 0u);
    CHECK_EQ(columns("a\tb\n").separator(), '\t');
    CHECK_EQ(columns("a b\n").separator(), ' ');
}

void test_columns_bad() {
    CHECK_THROWS(DataError, "data:2: this line has 1 column, the lines before it 2 columns", read("a b\nc\n"));
    CHECK_THROWS(DataError, "data:4: this line has 3 columns", read("a b\n\nc d\ne f g\n"));
    CHECK_THROWS(DataError, "(separated by tabs)", read("a\tb\nc d\n"));
    CHECK_THROWS(DataError, "(separated by spaces)", read("a b\nc\td\n"));
    CHECK_THROWS(DataError, "data:2: column 2 is empty", read("a\tb\tc\nd\t\te\n"));
    CHECK_THROWS(DataError, "data:1: column 1 is empty", read("\ta\tb\n"));
    CHECK_THROWS(DataError, "data:3: NUL", read(std::string("a b\r\n\r\nc \0\n", 11)));
    CHECK_THROWS(DataError, "data:1: NUL", read(std::string(1, '\0')));
    CHECK_THROWS(DataError, "data:3: invalid UTF-8", read("a b\nc d\ne \xE9\n"));
    CHECK_THROWS(DataError, "data:2: invalid UTF-8", read("a b\nc \xC3"));
    CHECK_THROWS(DataError, "data:12: this line has 1 column", dump(columns("a b\n\nc\n", 10)));
    CHECK_THROWS(DataError, "data:1: a value is longer", read(std::string(1 << 24, 'a')));
}

void test_columns_mixed_separators() {
    // The first line has one column and no tab, so spaces separate cells. A tab inside a "word" would be copied to the
    // output, where it would separate two columns.
    CHECK_THROWS(DataError, "data:2", read("a\nb\tB\n"));
}

void test_columns_places() {
    const Columns data = columns("\na b\nc d\n\n\ne f\n", 5);
    CHECK_EQ(data.where(0), "data:6");
    CHECK_EQ(data.where(1), "data:7");
    CHECK_EQ(data.where(2), "data:10");
    CHECK_EQ(data.bytes().substr(0, data.row_end(0)), "\na b");
    CHECK_EQ(columns("a b \t\r\n").row_end(0), 3u);
}

void test_columns_long() {
    std::string text;
    for (int t = 0; t < 200000; ++t) text += "w" + std::to_string(t) + " X\n";
    const Columns data = columns(text);
    CHECK_EQ(data.sentences(), 1u);
    CHECK_EQ(data.tokens(), 200000u);
    CHECK_EQ(data.cell(199999, 0), "w199999");
    CHECK_EQ(data.where(199999), "data:200000");
    const std::string longest((1 << 24) - 1, 'a');
    CHECK_EQ(columns(longest + "\tX\n").cell(0, 0).size(), longest.size());
}

void test_columns_built() {
    Columns data(2, "memory");
    for (const char* cell : {"a", "b", "c d", "\xC3\xA9"}) data.add_cell(cell);
    data.end_sentence();
    data.end_sentence();  // an empty sentence is not added
    data.add_cell("e");
    data.add_cell("f");
    data.end_sentence();
    CHECK_EQ(dump(data), "a|b c d|\xC3\xA9 / e|f");
    CHECK_EQ(data.where(1), "memory: sentence 1, token 2");
    CHECK_EQ(data.where(2), "memory: sentence 2, token 1");
    CHECK_THROWS(DataError, "memory: sentence 3 has an empty value", data.add_cell(""));
    const Columns file = columns("g h");
    CHECK_EQ(dump(Columns::joined({&data, &file})), "a|b c d|\xC3\xA9 / e|f / g|h");
    CHECK_EQ(dump(Columns::joined({&file, &data}).select({0, 0, 2})), "g|h / g|h / e|f");
    const Columns moved = std::move(data);
    CHECK_EQ(dump(moved), "a|b c d|\xC3\xA9 / e|f");
}

// Well-formed by definition: a code point of at most 10FFFF, not a surrogate, in as many bytes as it needs.
size_t slow_find_invalid(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[at + k]); };
        const size_t length = byte(0) < 0x80       ? 1
                              : byte(0) >> 5 == 6  ? 2
                              : byte(0) >> 4 == 14 ? 3
                              : byte(0) >> 3 == 30 ? 4
                                                   : 0;
        if (length == 0 || length > text.size() - at) return at;
        uint32_t c = length == 1 ? byte(0) : byte(0) & (0x7F >> length);
        for (size_t k = 1; k < length; ++k) {
            if (byte(k) >> 6 != 2) return at;
            c = c << 6 | (byte(k) & 0x3F);
        }
        const size_t needed = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        if (needed != length || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) return at;
        at += length;
    }
    return std::string_view::npos;
}

void test_utf8_all_short_strings() {
    char bytes[3];
    for (uint32_t all = 0; all < 1u << 24; ++all) {
        for (int k = 0; k < 3; ++k) bytes[k] = static_cast<char>(all >> (16 - 8 * k));
        // Strings of one and two bytes are those whose other bytes are 0, so each is tested once.
        for (size_t size = 3; size > 0; --size) {
            const std::string_view text(bytes, size);
            if (find_invalid_utf8(text) != slow_find_invalid(text)) return CHECK_EQ(all, size);
            if (bytes[size - 1] != 0) break;
        }
    }
}

void test_utf8_random_strings() {
    Random random(1);
    const std::vector<std::string> pieces = {"a",
                                             "\x7F",
                                             "\xC2\x80",
                                             "\xDF\xBF",
                                             "\xE0\xA0\x80",
                                             "\xED\x9F\xBF",
                                             "\xEE\x80\x80",
                                             "\xEF\xBF\xBF",
                                             "\xF0\x90\x80\x80",
                                             "\xF4\x8F\xBF\xBF",
                                             "\x80",
                                             "\xC1\xBF",
                                             "\xE0\x9F\xBF",
                                             "\xED\xA0\x80",
                                             "\xF0\x8F\xBF\xBF",
                                             "\xF4\x90\x80\x80",
                                             "\xF5\x80\x80\x80",
                                             "\xFF",
                                             "\xE2\x82",
                                             "abcdefgh"};
    for (int round = 0; round < 50000; ++round) {
        const size_t good = random.chance(2) ? 10 : pieces.size();  // the first ten are well-formed
        std::string text;
        for (size_t k = random.below(12); k > 0; --k) text += pieces[random.below(good)];
        if (random.chance(4) && !text.empty()) text.pop_back();
        CHECK_EQ(find_invalid_utf8(text), slow_find_invalid(text));
    }
}

void test_utf8_code_points() {
    for (char32_t c = 0; c <= 0x10FFFF; ++c) {
        if (c == 0xD800) c = 0xE000;
        std::string text;
        append_utf8(text, c);
        size_t at = 0;
        if (find_invalid_utf8(text) != std::string::npos || next_code_point(text, at) != c || at != text.size())
            return CHECK_EQ(c, 0u);
    }
}

std::string lower(std::string_view text) {
    std::string out;
    append_lower(out, text);
    return out;
}

void test_case() {
    CHECK_EQ(lower("Hello, WORLD 42"), "hello, world 42");
    CHECK_EQ(lower("ÀÉÖØÞ ŸŠŽ ĀĮŁŇŶ ẞ"), "àéöøþ ÿšž āįłňŷ ß");
    CHECK_EQ(lower("×÷ĸŉ"), "×÷ĸŉ");
    CHECK_EQ(lower("ΆΈΊΌΎΏ ΑΡΣΫ"), "άέίόύώ αρσϋ");
    CHECK_EQ(lower("ЀЏ АЯ ҐҖӀӍӐ"), "ѐџ ая ґҗӏӎӑ");
    CHECK_EQ(lower("ԱՖ ႠჅ ᲐᲺ ẠỸ ⅠⅯ ＡＺ 日本"), "աֆ ⴀⴥ აჺ ạỹ ⅰⅿ ａｚ 日本");
    CHECK(is_upper('A') && !is_upper('a') && !is_upper('1') && !is_upper(U'日'));
    CHECK(is_lower('z') && is_lower(U'ß') && is_lower(U'ÿ') && !is_lower('Z') && !is_lower('-'));
    CHECK(is_digit('0') && is_digit('9') && !is_digit('a') && !is_digit(U'²'));
    for (char32_t c = 0; c <= 0x1FFFF; ++c) {
        if (to_lower(to_lower(c)) != to_lower(c)) CHECK_EQ(c, 0u);
        if (is_upper(c) && !is_lower(to_lower(c))) CHECK_EQ(c, 1u);
        if (is_upper(c) && is_lower(c)) CHECK_EQ(c, 2u);
    }
}

// Letters that are common in the ordinary words of a language.
void test_case_of_living_languages() {
    CHECK_EQ(lower("ƠƯ"), "ơư");  // Vietnamese
    CHECK_EQ(lower("Ə"), "ə");    // Azerbaijani
    CHECK_EQ(lower("İ"), "i");    // Turkish: UnicodeData's simple mapping of U+0130
    CHECK(is_upper(U'İ') && is_lower(U'ı'));
    CHECK(is_lower(U'ς') && is_lower(U'ΐ') && is_lower(U'ΰ'));  // Greek
}

void test_prefix_suffix() {
    CHECK_EQ(prefix("naïve", 3), "naï");
    CHECK_EQ(suffix("naïve", 3), "ïve");
    CHECK_EQ(prefix("日本語", 1), "日");
    CHECK_EQ(suffix("日本語", 2), "本語");
    CHECK_EQ(prefix("ab", 9), "ab");
    CHECK_EQ(suffix("ab", 9), "ab");
    CHECK_EQ(prefix("ab", 0), "");
    CHECK_EQ(suffix("", 2), "");
}

std::vector<std::string> iobes(const std::vector<std::string_view>& labels) {
    return bio_to_iobes(labels);
}

void test_chunks() {
    using Labels = std::vector<std::string>;
    CHECK_EQ(iobes({"B-NP", "I-NP", "I-NP", "O", "B-VP"}), (Labels{"B-NP", "I-NP", "E-NP", "O", "S-VP"}));
    CHECK_EQ(iobes({"B-NP", "B-NP", "I-VP", "I-NP"}), (Labels{"S-NP", "S-NP", "E-VP", "E-NP"}));
    CHECK_EQ(iobes({"NN", "B", "I", "", "-", "B-"}), (Labels{"NN", "B", "I", "", "-", "S-"}));
    Random random(2);
    const std::vector<std::string> all = {"O", "B-X", "I-X", "B-Y", "I-Y", "I", "XX"};
    for (int round = 0; round < 500; ++round) {
        Labels labels(random.below(8)), back;
        for (std::string& label : labels) label = random.pick(all);
        for (const std::string& label : bio_to_iobes({labels.begin(), labels.end()}))
            back.push_back(iobes_to_bio(label));
        CHECK_EQ(back, labels);
    }
}

}  // namespace

int main() {
    test_columns_good();
    test_columns_bad();
    test_columns_mixed_separators();
    test_columns_places();
    test_columns_long();
    test_columns_built();
    test_utf8_all_short_strings();
    test_utf8_random_strings();
    test_utf8_code_points();
    test_case();
    test_case_of_living_languages();
    test_prefix_suffix();
    test_chunks();
    return check::failures();
}
