#include "file/json_value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "base/errors.hpp"
#include "file/container.hpp"
#include "text/utf8.hpp"

namespace sapwood::file {

namespace {

constexpr size_t kMostDigits = 4300;  // of a whole number, as Python's reader has it

class JsonReader {
  public:
    JsonReader(std::string_view text, const std::string& what) : text_(text), what_(what) {}

    Json whole() {
        check_depth();
        Json value = next();
        spaces();
        require(at_ == text_.size());
        return value;
    }

  private:
    [[noreturn]] void fail(const char* why) const { throw ModelError(what_ + " " + why); }
    void require(bool holds) const {
        if (!holds) fail("is not JSON");
    }
    // `next` calls itself, and a thread may have a small stack; so depth is known before.
    void check_depth() const {
        size_t depth = 0;
        bool in_string = false;
        for (size_t k = 0; k < text_.size(); ++k) {
            const char c = text_[k];
            if (c == '"')
                in_string = !in_string;
            else if (in_string)
                k += c == '\\';
            else if ((c == '[' || c == '{') && ++depth > Json::kDepth)
                fail("is nested too deeply, over 200 levels");
            else if ((c == ']' || c == '}') && depth > 0)
                --depth;
        }
    }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    void spaces() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    Json next() {
        if (++values_ > Json::kMost) fail("has over 2,000,000 values");
        spaces();
        Json value;
        if (take("null")) return value;
        if (take("true") || take("false")) {
            value.kind = Json::Kind::boolean;
            value.truth = text_[at_ - 2] == 'u';
        } else if (peek() == '"') {
            value.kind = Json::Kind::string;
            value.text = string();
        } else if (take("[")) {
            value.kind = Json::Kind::array;
            list(']', [&] { value.items.push_back(next()); });
        } else if (take("{")) {
            value.kind = Json::Kind::object;
            list('}', [&] {
                spaces();
                require(peek() == '"');
                std::string name = string();
                spaces();
                require(take(":"));
                value.members.emplace_back(std::move(name), next());
            });
            check_names(value);
        } else {
            number(value);
        }
        return value;
    }

    template <class Item>
    void list(char end, Item&& item) {
        spaces();
        if (peek() == end) {
            ++at_;
            return;
        }
        for (;;) {
            item();
            spaces();
            const char c = peek();
            require(c == ',' || c == end);
            ++at_;
            if (c == end) return;
        }
    }

    void check_names(const Json& value) const {
        std::set<std::string_view> names;
        for (const auto& [name, member] : value.members)
            if (!names.insert(name).second) throw ModelError(what_ + " has the name " + quoted(name) + " twice");
    }

    void number(Json& value) {
        value.kind = Json::Kind::real;
        if (take("NaN")) {
            value.number = std::numeric_limits<double>::quiet_NaN();
            return;
        }
        const size_t begin = at_;
        const bool negative = take("-");
        if (take("Infinity")) {
            value.number = std::numeric_limits<double>::infinity();
            return;
        }
        const size_t digits = at_;
        skip_digits();
        require(text_[digits] != '0' || at_ == digits + 1);
        const size_t end = at_;
        if (peek() == '.') {
            ++at_;
            skip_digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            ++at_;
            if (peek() == '+' || peek() == '-') ++at_;
            skip_digits();
        }
        const std::string written(text_.substr(begin, at_ - begin));
        value.number = std::strtod(written.c_str(), nullptr);
        if (at_ > end) return;
        value.kind = Json::Kind::integer;
        if (end - digits > kMostDigits) fail("has a whole number of over 4,300 digits");
        if (!negative && end - digits <= 19) {
            const uint64_t natural = std::strtoull(written.c_str(), nullptr, 10);
            if (natural < uint64_t{1} << 62) value.natural = natural;
        } else if (negative && written == "-0") {
            value.natural = 0;
        }
    }

    void skip_digits() {
        const size_t begin = at_;
        while (peek() >= '0' && peek() <= '9') ++at_;
        require(at_ > begin);
    }

    std::string string() {
        std::string out;
        for (++at_; peek() != '"';) {
            require(at_ < text_.size() && static_cast<unsigned char>(text_[at_]) >= 0x20);
            const char c = text_[at_++];
            if (c != '\\') {
                out += c;
                continue;
            }
            constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
            const char escape = peek();
            ++at_;
            if (const size_t k = from.find(escape); escape != '\0' && k != std::string_view::npos)
                out += to[k];
            else
                character(out, escape);
        }
        ++at_;
        return out;
    }

    void character(std::string& out, char escape) {
        require(escape == 'u');
        char32_t c = unit();
        if (c >= 0xD800 && c < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
            at_ += 2;
            const char32_t low = unit();
            if (low < 0xDC00 || low > 0xDFFF) fail("has text that is not Unicode");
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        }
        if (c >= 0xD800 && c < 0xE000) fail("has text that is not Unicode");
        append_utf8(out, c);
    }

    char32_t unit() {
        char32_t c = 0;
        for (int k = 0; k < 4; ++k, ++at_) {
            const char d = peek();
            const bool digit = d >= '0' && d <= '9', letter = (d | 0x20) >= 'a' && (d | 0x20) <= 'f';
            require(digit || letter);
            c = c << 4 | static_cast<char32_t>(digit ? d - '0' : (d | 0x20) - 'a' + 10);
        }
        return c;
    }

    std::string_view text_;
    const std::string& what_;
    size_t at_ = 0, values_ = 0;
};

}  // namespace

bool Json::is_number() const {
    return (kind == Kind::integer || kind == Kind::real) && std::abs(number) <= 1e308;
}

bool Json::is_strings() const {
    return kind == Kind::array && std::ranges::all_of(items, &Json::is_string);
}

bool Json::is_numbers() const {
    return kind == Kind::array && std::ranges::all_of(items, &Json::is_number);
}

bool Json::is_naturals() const {
    return kind == Kind::array && std::ranges::all_of(items, &Json::is_natural);
}

bool Json::is_curves() const {
    return kind == Kind::array && std::ranges::all_of(items, &Json::is_numbers);
}

const Json* Json::find(std::string_view name) const {
    for (const auto& [key, value] : members)
        if (key == name) return &value;
    return nullptr;
}

Json Json::read(std::string_view text, const std::string& what) {
    if (find_invalid_utf8(text) != std::string_view::npos) throw ModelError(what + " is not UTF-8");
    return JsonReader(text, what).whole();
}

}  // namespace sapwood::file
