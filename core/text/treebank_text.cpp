#include "text/treebank_text.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "text/space_escapes.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

// The value of an attribute in MISC: "No" of SpaceAfter in "Gloss=x|SpaceAfter=No".
std::optional<std::string_view> attribute(std::string_view misc, std::string_view name) {
    for (size_t at = 0; at < misc.size();) {
        const std::string_view item = misc.substr(at, misc.find('|', at) - at);
        if (item.size() > name.size() && item.starts_with(name) && item[name.size()] == '=')
            return item.substr(name.size() + 1);
        at += item.size() + 1;
    }
    return std::nullopt;
}

std::optional<char32_t> hexadecimal(std::string_view digits) {
    char32_t value = 0;
    for (const char c : digits) {
        const size_t digit = std::string_view("0123456789ABCDEFabcdef").find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        value = value * 16 + static_cast<char32_t>(digit < 16 ? digit : digit - 6);
    }
    const bool usable = digits.size() == 4 && value != 0 && (value < 0xD800 || value > 0xDFFF);
    return usable ? std::optional(value) : std::nullopt;
}

// Replaces escapes by the characters that they stand for. Other backslashes stay.
std::string unescaped(std::string_view text) {
    std::string out;
    for (size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            out += text[at];
            continue;
        }
        if (const size_t letter = kSpaceLetters.find(text[at + 1]); letter != std::string_view::npos) {
            out += kEscapedSpaces[letter];
            at += 1;
        } else if (const auto c = text[at + 1] == 'u' ? hexadecimal(text.substr(at + 2, 4)) : std::nullopt) {
            append_utf8(out, *c);
            at += 5;
        } else {
            out += text[at];
        }
    }
    return out;
}

std::string without_spaces(std::string_view text) {
    std::string out(text);
    std::erase_if(out, [](char c) { return std::string_view(" \t\n\r\v\f").find(c) != std::string_view::npos; });
    return out;
}

class Writer {
  public:
    explicit Writer(TreebankText& out) : out_(out) {}

    // Adds a token; `misc` is its MISC cell.
    void add(std::string_view form, std::string_view misc, bool new_paragraph) {
        if (const auto before = attribute(misc, "SpacesBefore")) gap_ += unescaped(*before);
        if (new_paragraph && !out_.tokens.empty() && gap_.find('\n') == std::string::npos) gap_ = "\n\n";
        out_.text += gap_;
        const size_t begin = out_.text.size();
        out_.text += spaced(form, misc);
        out_.tokens.push_back({begin, out_.text.size()});

        const auto after = attribute(misc, "SpacesAfter"), space = attribute(misc, "SpaceAfter");
        out_.marked += after || space;
        gap_ = after ? unescaped(*after) : space == "No" ? "" : " ";
        told_ = after.has_value();
    }
    void finish() {
        if (!out_.tokens.empty()) out_.text += told_ ? gap_ : "\n";
    }

  private:
    // The form with the spaces that the text has in it.
    static std::string spaced(std::string_view form, std::string_view misc) {
        if (const auto inside = attribute(misc, "SpacesInToken"))
            if (std::string text = unescaped(*inside); without_spaces(text) == without_spaces(form)) return text;
        return std::string(form);
    }

    TreebankText& out_;
    std::string gap_;    // between the last token and the next
    bool told_ = false;  // by SpacesAfter
};

// Turns spaces between tokens into line ends, line by line as long as they fit: the offsets stay.
void wrap(TreebankText& out, size_t width) {
    size_t column = 0;                // characters on this line up to `written`
    size_t written = 0;               // offset: the text before it has its place
    size_t last = std::string::npos;  // offset of the last space on this line at which it can be broken
    const auto advance = [&](size_t to) {
        const std::string_view piece = std::string_view(out.text).substr(written, to - written);
        const size_t line_end = piece.rfind('\n');
        if (line_end == std::string_view::npos) {
            column += code_points(piece);
        } else {
            column = code_points(piece.substr(line_end + 1));
            last = std::string::npos;
        }
        written = to;
    };
    for (size_t t = 0; t < out.tokens.size(); ++t) {
        const auto [begin, end] = out.tokens[t];
        const size_t before = t == 0 ? 0 : out.tokens[t - 1].end;
        advance(begin);
        if (t > 0 && begin == before + 1 && out.text[before] == ' ') last = before;
        advance(end);
        if (column > width && last != std::string::npos) {
            out.text[last] = '\n';
            column = code_points(std::string_view(out.text).substr(last + 1, end - last - 1));
            last = std::string::npos;
        }
    }
}

}  // namespace

TreebankText treebank_text(const Conllu& data, size_t width) {
    TreebankText out;
    out.text.reserve(data.words() * 6);
    out.tokens.reserve(data.words());
    Writer writer(out);
    auto multiword = data.multiwords().begin();
    for (size_t s = 0; s < data.sentences(); ++s) {
        out.sentences.push_back(out.tokens.size());
        bool new_paragraph = data.begins_paragraph(s);
        for (size_t word = data.begin(s); word < data.end(s); new_paragraph = false) {
            out.words.push_back(word);
            if (multiword != data.multiwords().end() && multiword->begin == word) {
                writer.add(data.cell(multiword->row, Field::form), data.cell(multiword->row, Field::misc),
                           new_paragraph);
                word = multiword++->end;
            } else {
                writer.add(data.cell(word, Field::form), data.cell(word, Field::misc), new_paragraph);
                ++word;
            }
        }
    }
    writer.finish();
    out.words.push_back(data.words());
    out.sentences.push_back(out.tokens.size());
    if (width > 0) wrap(out, width);
    return out;
}

}  // namespace sapwood
