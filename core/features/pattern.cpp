#include "features/pattern.hpp"

#include "base/errors.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

bool is_space(char32_t c) {
    return c == ' ' || (c >= 9 && c <= 13) || c == 0xA0 || c == 0x3000;
}
bool is_punctuation(char32_t c) {
    return (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) ||
           (c >= 0x7B && c <= 0x7E) || (c >= 0xA1 && c <= 0xBF && c != 0xAA && c != 0xB5 && c != 0xBA) ||
           (c >= 0x2010 && c <= 0x2027) || (c >= 0x2030 && c <= 0x205E) || (c >= 0x3001 && c <= 0x3003) ||
           (c >= 0x3008 && c <= 0x3011);
}
// Beyond ASCII, every character that is not a space, punctuation or a control character counts as a letter.
bool is_letter(char32_t c) {
    if (c < 0x80) return is_upper(c) || is_lower(c);
    return c > 0x9F && !is_space(c) && !is_punctuation(c);
}
bool is_alphanumeric(char32_t c) {
    return is_letter(c) || is_digit(c);
}
bool is_any(char32_t) {
    return true;
}

// Throws TemplateError for what other kinds of regular expressions know: a|b, (a), [a], a{2}, and + behind a class or a
// bracket. Here these characters are letters, and such a pattern would match nothing, without a word.
void check_is_no_other_kind(std::string_view source) {
    const auto refuse = [](const char* sign) {
        throw TemplateError(
            std::string("a pattern with ") + sign +
            ": brackets, bars and + are letters there, as in Wapiti; write a line for each alternative, "
            "\\d\\d* for digits, or a backslash before each letter that is meant");
    };
    static constexpr const char* kPairs[] = {"( and )", "[ and ]", "{ and }"};
    size_t open[3] = {};  // unescaped ( [ { so far
    bool behind_class = false;
    for (size_t at = 0; at < source.size(); ++at) {
        const char c = source[at];
        if (c == '\\') {
            ++at;
            behind_class = true;
            continue;
        }
        const size_t opening = std::string_view("([{").find(c), closing = std::string_view(")]}").find(c);
        if (closing < 3 && open[closing] > 0) refuse(kPairs[closing]);
        if (c == '|' && at > 0 && at + 1 < source.size()) refuse("|");
        if (c == '+' && behind_class) refuse("+");
        if (opening < 3) ++open[opening];
        behind_class = c == '.';
    }
}

// The classes of characters, by the letter behind the backslash.
constexpr struct {
    char32_t letter;
    bool (*has)(char32_t);
} kClasses[] = {{'d', is_digit}, {'a', is_letter},      {'w', is_alphanumeric}, {'l', is_lower},
                {'u', is_upper}, {'p', is_punctuation}, {'s', is_space}};

}  // namespace

Pattern::Pattern(std::string_view source) {
    check_is_no_other_kind(source);
    size_t at = 0;
    if (source.starts_with('^')) {
        front_ = true;
        at = 1;
    }
    while (at < source.size()) {
        if (source[at] == '$' && at + 1 == source.size()) {
            back_ = true;
            break;
        }
        const char32_t c = next_code_point(source, at);
        if (c == '*' || c == '?') throw TemplateError("* or ? in a pattern must follow a character; write \\* or \\?");
        Item item{c == '.' ? is_any : nullptr, false, Item::Repeat::once, c};
        if (c == '\\') {
            if (at == source.size()) throw TemplateError("a pattern cannot end in a backslash");
            item.literal = next_code_point(source, at);
            for (const auto& [letter, has] : kClasses)
                if (to_lower(item.literal) == letter) item.has = has;
            item.negated = is_upper(item.literal);
        }
        if (at < source.size() && (source[at] == '*' || source[at] == '?')) {
            item.repeat = source[at] == '*' ? Item::Repeat::star : Item::Repeat::optional;
            ++at;
        }
        items_.push_back(item);
    }
}

bool Pattern::matches(const Item& item, char32_t c) {
    return item.has == nullptr ? c == item.literal : item.has(c) != item.negated;
}

std::optional<std::string_view> Pattern::search(std::string_view text) const {
    std::vector<char32_t> c;     // [n] the text's code points
    std::vector<size_t> offset;  // [n + 1] where each begins
    for (size_t at = 0; at < text.size();) {
        offset.push_back(at);
        c.push_back(next_code_point(text, at));
    }
    offset.push_back(text.size());
    const size_t n = c.size(), m = items_.size();

    // Depth-first search over states (item, position). A state that failed once fails for every start.
    std::vector<char> failed((m + 1) * (n + 1), 0);
    struct State {
        size_t item, position;
    };
    std::vector<State> todo;  // untried alternatives, the preferred one on top
    for (size_t start = 0; start <= (front_ ? 0 : n); ++start) {
        todo.assign(1, {0, start});
        while (!todo.empty()) {
            const auto [k, i] = todo.back();
            todo.pop_back();
            if (failed[k * (n + 1) + i]) continue;
            if (k == m && (!back_ || i == n)) return text.substr(offset[start], offset[i] - offset[start]);
            failed[k * (n + 1) + i] = 1;
            if (k == m) continue;
            const Item& item = items_[k];
            const bool here = i < n && matches(item, c[i]);
            switch (item.repeat) {
                case Item::Repeat::once:
                    if (here) todo.push_back({k + 1, i + 1});
                    break;
                case Item::Repeat::optional:
                    todo.push_back({k + 1, i});
                    if (here) todo.push_back({k + 1, i + 1});
                    break;
                case Item::Repeat::star:
                    if (here) todo.push_back({k, i + 1});
                    todo.push_back({k + 1, i});
                    break;
            }
        }
    }
    return std::nullopt;
}

}  // namespace sapwood
