#include "text/misc_spaces.hpp"

#include <algorithm>

#include "text/characters.hpp"
#include "text/space_escapes.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr std::string_view kSpaceStem = "space", kAfterWord = "after";

std::string_view without_outer_spaces(std::string_view text) {
    size_t begin = text.size(), end = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t start = at;
        if (is_space(next_code_point(text, at))) continue;
        begin = std::min(begin, start);
        end = at;
    }
    return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

std::string in_small_letters(std::string_view text) {
    std::string out;
    append_lower(out, text);
    return out;
}

// The offset at which the last word of a text begins; npos if no space stands before it.
size_t start_of_last_word(std::string_view text) {
    size_t word = std::string_view::npos;
    for (size_t at = 0; at < text.size();)
        if (is_space(next_code_point(text, at))) word = at;
    return word;
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

// Replaces escapes by the characters that they stand for. Other characters than escapes and white space stay, or
// nothing is returned if there shall be `spaces` only.
std::optional<std::string> unescaped(std::string_view text, bool spaces) {
    std::string out;
    for (size_t at = 0; at < text.size();) {
        if (text[at] == '\\' && at + 1 < text.size()) {
            if (const size_t letter = kSpaceLetters.find(text[at + 1]); letter != std::string_view::npos) {
                out += kEscapedSpaces[letter];
                at += 2;
                continue;
            }
            if (const auto c = text[at + 1] == 'u' ? hexadecimal(text.substr(at + 2, 4)) : std::nullopt) {
                append_utf8(out, *c);
                at += 6;
                continue;
            }
        }
        const size_t start = at;
        if (!is_space(next_code_point(text, at)) && spaces) return std::nullopt;
        out.append(text.substr(start, at - start));
    }
    return out;
}

std::string_view without_outer_blanks(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// What stands for spaces in a value: escapes, or spaces that were not escaped. Blanks around them count for nothing.
std::optional<std::string> escaped_spaces(std::string_view value) {
    const std::string_view inner = without_outer_blanks(value);
    return unescaped(inner.empty() ? value : inner, true);
}

class MiscReader {
  public:
    MiscSpaces read(std::string_view misc) {
        for (size_t at = 0; at < misc.size();) {
            const std::string_view item = misc.substr(at, misc.find('|', at) - at);
            add_item(item);
            at += item.size() + 1;
        }
        if (spelled_) {
            found_.after = std::move(spelled_);
            found_.is_text = true;
        }
        return std::move(found_);
    }

  private:
    // An item has fields NAME=VALUE; a word with '=' behind it, after a space, begins another one.
    void add_item(std::string_view item) {
        size_t equals = item.find('=');
        if (equals == std::string_view::npos) {
            if (is_about_spaces(in_small_letters(without_outer_spaces(item)))) not_understood(item);
            return;
        }
        const size_t before = start_of_last_word(up_to_last_word(item.substr(0, equals)));
        size_t name = before == std::string_view::npos ? 0 : before;
        while (equals != std::string_view::npos) {
            const size_t value = equals + 1;
            size_t end = item.size(), next_name = end, next = item.find('=', value);
            while (next != std::string_view::npos) {
                const size_t word = start_of_last_word(up_to_last_word(item.substr(value, next - value)));
                if (word != std::string_view::npos) {
                    end = next_name = value + word;
                    break;
                }
                next = item.find('=', next + 1);
            }
            const std::string_view field = item.substr(name, end - name);
            const std::string_view title = without_outer_spaces(item.substr(name, equals - name));
            add(in_small_letters(title), item.substr(value, end - value), field);
            name = next_name;
            equals = next;
        }
    }

    static std::string_view up_to_last_word(std::string_view text) {
        const std::string_view inner = without_outer_spaces(text);
        return inner.empty() ? inner : text.substr(0, static_cast<size_t>(inner.data() - text.data()) + inner.size());
    }

    // The first of several fields of a name counts.
    void add(const std::string& name, std::string_view value, std::string_view field) {
        if (name == "spaceafter" || name == "spacesafter") {
            const std::string word = in_small_letters(without_outer_spaces(value));
            if (word == "no" || word == "false") {
                if (!found_.after) found_.after = "";
            } else if (word == "yes" || word == "true") {
                if (!found_.after) found_.after = " ";
            } else if (auto spaces = escaped_spaces(value); spaces && (!spaces->empty() || name == "spacesafter")) {
                if (!spelled_) spelled_ = std::move(spaces);
            } else {
                not_understood(field);
            }
        } else if (name == "spacesbefore") {
            if (auto spaces = escaped_spaces(value); !spaces)
                not_understood(field);
            else if (!found_.before)
                found_.before = std::move(spaces);
        } else if (name == "spacesintoken") {
            if (!found_.inside) found_.inside = unescaped(without_outer_blanks(value), false);
        } else if (is_about_spaces(name)) {
            not_understood(field);
        }
    }

    // Whether a field seems to say which space follows, such as "SpaceAfter" or "SpaceAfter:No".
    static bool is_about_spaces(std::string_view name) {
        if (!name.starts_with(kSpaceStem)) return false;
        name.remove_prefix(kSpaceStem.size());
        if (name.starts_with('s')) name.remove_prefix(1);
        const size_t joint = std::min(name.find_first_not_of(" _-"), name.size());
        name.remove_prefix(joint);
        if (!name.starts_with(kAfterWord)) return false;
        name.remove_prefix(kAfterWord.size());
        return name.empty() || !((name[0] >= 'a' && name[0] <= 'z') || name[0] == '_');
    }

    void not_understood(std::string_view field) {
        if (found_.unknown.empty()) found_.unknown = without_outer_spaces(field);
    }

    MiscSpaces found_;
    std::optional<std::string> spelled_;  // by SpacesAfter, or by escapes in SpaceAfter
};

}  // namespace

MiscSpaces misc_spaces(std::string_view misc) {
    return misc == "_" ? MiscSpaces() : MiscReader().read(misc);
}

void append_spaces(std::string& out, std::string_view spaces) {
    for (size_t at = 0; at < spaces.size();) {
        const size_t begin = at;
        const char32_t c = next_code_point(spaces, at);
        const size_t letter = at == begin + 1 ? kEscapedSpaces.find(spaces[begin]) : std::string_view::npos;
        if (letter != std::string_view::npos) {
            out += '\\';
            out += kSpaceLetters[letter];
        } else if (is_space(c)) {
            out += "\\u";
            for (int shift = 12; shift >= 0; shift -= 4) out += "0123456789ABCDEF"[c >> shift & 0xF];
        } else {
            out.append(spaces.substr(begin, at - begin));
        }
    }
}

}  // namespace sapwood
