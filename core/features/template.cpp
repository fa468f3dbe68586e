#include "features/template.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "text/plain_text.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr int kFarthest = 100;                                                        // rows
constexpr std::string_view kNumbers[] = {"", "before", "after", "offset", "tokens"};  // as Number has them

std::string_view trimmed(std::string_view s) {
    const size_t first = s.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(" \t\r") - first + 1);
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Removes the comment, which starts with a # at the beginning of the line or after a space, outside quotation marks.
std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && quoted)
            ++i;
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == '#' && !quoted && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t'))
            return line.substr(0, i);
    }
    return line;
}

}  // namespace

class Template::Parser {
  public:
    Parser(Template& result, std::string where, const Header& header)
        : result_(result), where_(std::move(where)), header_(header) {}

    // Parses a line. `letter` is its first character, which gives its scope (B adds the previous label), and `body` is
    // the rest.
    void line(char letter, std::string_view body) {
        text_ = body;
        at_ = 0;
        Line line{0, {}, {std::string(1, letter)}, 0, 0};
        std::string skeleton = line.text[0];
        bool left[2] = {letter == 'B', false};  // y[-1], y[-2]
        bool right[2] = {false, false};         // y[+1], y[+2]
        line.scope = scope_of(letter);
        while (at_ < text_.size()) {
            if (text_[at_] != '%') {
                line.text.back() += text_[at_];
                skeleton += text_[at_++];
                continue;
            }
            const std::string macro = name();
            if (line.scope == Scope::number) {
                const std::string written = number(line, macro);
                line.text.back() += written;
                skeleton += written;
                continue;
            }
            if (macro == "y" && !header_.documents) {
                const int offset = label_offset();
                (offset < 0 ? left : right)[std::abs(offset) - 1] = true;
                line.text.back() += offset < 0 ? "%y[" : "%y[+";
                line.text.back() += std::to_string(offset) + "]";
                skeleton += offset < 0 ? '\2' : '\3';
                continue;
            }
            skeleton += '\1';
            line.parts.push_back(part(macro));
            line.text.emplace_back();
        }
        if (line.scope == Scope::number && line.number == Number::none)
            fail("an N line has one of %before, %after, %offset, %tokens and %d[FIELD]");
        for (const Part& part : line.parts)
            if (result_.attributes_[part.attribute].kind == Attribute::Kind::chars &&
                (line.parts.size() > 1 || (line.scope != Scope::any && line.scope != Scope::count)))
                fail("%chars is the only macro of an A or C line");
        if (line.scope == Scope::skip && (line.parts.size() != 1 || !is_test(line.parts[0])))
            fail("an S line has one macro, a test of the token itself: %in, %t, %digit, %hyphen or %capital of row 0");
        if (left[1] && !left[0]) fail("%y[-2] needs %y[-1] beside it");
        if (right[1] && !right[0]) fail("%y[+2] needs %y[+1] beside it");
        line.reach = left[0] + left[1];
        line.ahead = right[0] + right[1];
        line.seed = hash_bytes(skeleton);
        result_.lines_.push_back(std::move(line));
    }

    [[noreturn]] void fail(const std::string& what) const { throw TemplateError(where_ + ": " + what); }

  private:
    static Scope scope_of(char letter) {
        switch (letter) {
            case 'A':
                return Scope::any;
            case 'C':
                return Scope::count;
            case 'N':
                return Scope::number;
            case 'S':
                return Scope::skip;
            default:
                return Scope::token;
        }
    }

    bool is_test(const Part& part) const {
        const Attribute::Kind kind = result_.attributes_[part.attribute].kind;
        const bool tests = std::ranges::any_of(kMacros, [&](const Macro& m) { return m.kind == kind && m.tests; });
        return tests && part.offset == 0 && !part.absolute;
    }

    // Parses the only macro of an N line and returns its canonical text.
    std::string number(Line& line, const std::string& macro) {
        if (line.number != Number::none) fail("an N line has one macro, its number");
        if (macro == "d") {
            line.number = Number::field;
            line.field = field();
            return "%d[" + header_.fields[line.field] + "]";
        }
        const auto found = std::find(std::begin(kNumbers) + 1, std::end(kNumbers), macro);
        if (found == std::end(kNumbers))
            fail("unknown number %" + macro + "; there are %before %after %offset %tokens %d");
        line.number = static_cast<Number>(found - std::begin(kNumbers));
        return '%' + macro;
    }

    // Parses "[NAME]", the name of a document field, and returns the field's number.
    size_t field() {
        expect('[');
        const size_t stop = std::min(text_.find(']', at_), text_.size());
        const std::string_view word = trimmed(text_.substr(at_, stop - at_));
        at_ = stop;
        expect_close();
        const auto found = std::find(header_.fields.begin(), header_.fields.end(), word);
        if (found == header_.fields.end()) {
            std::string known;
            for (const std::string& each : header_.fields) known += (known.empty() ? "" : ", ") + each;
            fail("the documents have no field '" + std::string(word) + "'" +
                 (known.empty() ? "" : "; they have " + known));
        }
        return static_cast<size_t>(found - header_.fields.begin());
    }

    std::string name() {
        const size_t start = ++at_;
        while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
        return std::string(text_.substr(start, at_ - start));
    }

    void skip_spaces() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    void expect(char c) {
        skip_spaces();
        if (at_ == text_.size() || text_[at_] != c)
            fail(std::string("expected '") + c + "' at character " + std::to_string(at_ + 2) +
                 "; a macro looks like %x[-1,0]");
        ++at_;
        skip_spaces();
    }

    int integer(const std::string& what) {
        skip_spaces();
        int value = 0;
        const char* begin = text_.data() + at_;
        if (at_ + 1 < text_.size() && *begin == '+' && begin[1] != '-') ++begin;
        const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error != std::errc()) fail("expected " + what + " at character " + std::to_string(at_ + 2));
        if (value < -kFarthest || value > kFarthest) fail(what + " is at most " + std::to_string(kFarthest));
        at_ = static_cast<size_t>(stop - text_.data());
        return value;
    }

    int label_offset() {
        expect('[');
        const int offset = integer("a row offset");
        expect_close();
        if (offset == 0 || std::abs(offset) > 2) fail("%y takes [-2], [-1], [+1] or [+2], the labels beside the token");
        return offset;
    }

    size_t column() {
        skip_spaces();
        const size_t stop = std::min(text_.find_first_of(",]", at_), text_.size());
        const std::string_view word = trimmed(text_.substr(at_, stop - at_));
        at_ = stop;
        size_t index = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        if (error != std::errc() || end != word.data() + word.size()) {
            const auto found = std::find(header_.names.begin(), header_.names.end(), word);
            if (found == header_.names.end()) fail("there is no column '" + std::string(word) + "'; " + columns());
            index = static_cast<size_t>(found - header_.names.begin());
        }
        if (index >= header_.names.size()) fail("there is no column " + std::string(word) + "; " + columns());
        if (index == header_.label) fail("column " + std::string(word) + " is the label; " + columns());
        result_.columns_needed_ = std::max(result_.columns_needed_, index + 1);
        return index;
    }

    std::string columns() const {
        std::string list = "the data has";
        for (size_t c = 0; c < header_.names.size(); ++c) {
            list += (c == 0 ? " " : ", ") + std::to_string(c);
            if (header_.names[c] != std::to_string(c)) list += " (" + header_.names[c] + ")";
            if (c == header_.label) list += " = the label";
        }
        return list;
    }

    std::string quoted() {
        expect(',');
        if (at_ == text_.size() || text_[at_] != '"') fail("expected a text in double quotes");
        const size_t start = ++at_;
        while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        if (at_ >= text_.size()) fail("the text in double quotes does not end");
        return std::string(text_.substr(start, at_++ - start));
    }

    // The macro of a name. Throws TemplateError if there is none, or none for such data.
    const Macro& macro_of(const std::string& macro, const std::string& written) const {
        const auto fits = [&](const Macro& m) {
            return m.data == Macro::Data::all || (m.data == Macro::Data::documents) == header_.documents;
        };
        std::string known;
        for (const Macro& m : kMacros) {
            if (!fits(m)) continue;
            if (m.name == macro) return m;
            known += " %" + std::string(m.name);
        }
        fail("unknown macro %" + written + "; there are" + known + (header_.documents ? "" : " %y"));
    }

    Part part(std::string macro) {
        Attribute attribute;
        const std::string written = macro;
        if (!macro.empty() && is_upper(static_cast<unsigned char>(macro[0]))) {
            attribute.lowercase = true;
            for (char& c : macro) c = static_cast<char>(to_lower(static_cast<unsigned char>(c)));
        }
        const Macro& found = macro_of(macro, written);
        using Takes = Macro::Takes;
        using Kind = Attribute::Kind;
        attribute.kind = found.kind;
        if (macro == "lower") attribute.lowercase = true;

        Part part{0, 0, false};
        if (attribute.kind == Kind::field) {
            attribute.column = field();
            part.attribute = number_of(attribute);
            return part;
        }
        expect('[');
        if (at_ < text_.size() && text_[at_] == '*') fail("indirect rows ([*...]) are not supported");
        if (at_ < text_.size() && text_[at_] == '@') {
            ++at_;
            part.absolute = true;
        }
        part.offset = integer("a row offset");
        if (part.absolute && part.offset == 0) fail("rows are counted from 1, or from -1 backwards");
        if (part.absolute && part.offset > 0) --part.offset;
        expect(',');
        attribute.column = column();
        if (found.takes == Takes::length) {
            expect(',');
            const int length = integer("a length");
            if (length < 1) fail("a prefix, suffix or run has at least one character");
            attribute.length = static_cast<size_t>(length);
        }
        skip_spaces();
        if (found.takes == Takes::bits && at_ < text_.size() && text_[at_] == ',') {
            expect(',');
            const int length = integer("a number of bits");
            if (length < 1) fail("a cluster's bits are at least one");
            attribute.length = static_cast<size_t>(length);
        }
        if (found.takes == Takes::pattern || found.takes == Takes::list) attribute.argument = quoted();
        if (found.takes == Takes::pattern) {
            try {
                Pattern check(attribute.argument);
            } catch (const TemplateError& error) {
                fail(error.what());
            }
        }
        expect_close();

        auto& lists = result_.list_names_;
        if (found.takes == Takes::list && std::find(lists.begin(), lists.end(), attribute.argument) == lists.end())
            lists.push_back(attribute.argument);
        part.attribute = number_of(attribute);
        if (!part.absolute) result_.padding_ = std::max(result_.padding_, static_cast<size_t>(std::abs(part.offset)));
        return part;
    }

    size_t number_of(const Attribute& attribute) {
        auto& all = result_.attributes_;
        const auto number = static_cast<size_t>(std::find(all.begin(), all.end(), attribute) - all.begin());
        if (number == all.size()) all.push_back(attribute);
        return number;
    }

    void expect_close() {
        skip_spaces();
        if (at_ == text_.size() || text_[at_] != ']') fail("expected ']' at character " + std::to_string(at_ + 2));
        ++at_;
    }

    Template& result_;
    std::string where_;
    const Header& header_;
    std::string_view text_;
    size_t at_ = 0;
};

Template::Template(std::string_view text, const std::string& name, const Header& header) {
    if (text.find('\0') != std::string_view::npos || find_invalid_utf8(text) != std::string_view::npos)
        throw TemplateError(name + ": not UTF-8 text");
    std::string kept;
    text = plain_lines(text, kept);
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    size_t number = 1;
    for (size_t at = 0; at < text.size(); ++number) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = trimmed(without_comment(text.substr(at, end - at)));
        at = end + 1;
        if (line.empty()) continue;
        Parser parser(*this, name + ":" + std::to_string(number), header);
        char letter = line[0];
        if (letter == 'u' || letter == 'b') letter = letter == 'u' ? 'U' : 'B';
        const std::string_view letters = header.documents ? "UACNS" : "UB*";
        if (letters.find(letter) == std::string_view::npos)
            parser.fail(header.documents ? "a line starts with U, A, C, N or S (or # for a comment)"
                                         : "a line starts with U, B or * (or # for a comment)");
        if (letter != '*') {
            parser.line(letter, line.substr(1));
        } else {
            parser.line('U', line.substr(1));
            parser.line('B', line.substr(1));
        }
    }
    if (lines_.empty()) throw TemplateError(name + ": the template has no line");
}

bool Template::uses(Attribute::Kind kind) const {
    return std::any_of(attributes_.begin(), attributes_.end(), [&](const Attribute& a) { return a.kind == kind; });
}

size_t Template::list_index(const std::string& name) const {
    return static_cast<size_t>(std::find(list_names_.begin(), list_names_.end(), name) - list_names_.begin());
}

}  // namespace sapwood
