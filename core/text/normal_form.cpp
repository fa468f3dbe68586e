#include "text/normal_form.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include "text/letters.hpp"
#include "text/normal_form_tables.hpp"

namespace sapwood {

namespace {

// Syllables of Hangul are composed by arithmetic: L + V, and that + T.
constexpr char32_t kLead = 0x1100, kVowel = 0x1161, kTail = 0x11A7, kSyllable = 0xAC00;
constexpr char32_t kVowels = 21, kTails = 28, kSyllables = 19 * kVowels * kTails;

constexpr char32_t kEnd = 0x2FA1E;   // behind the last character that changes or has a combining class
constexpr unsigned kFirstMark = 10;  // the classes below it are those of nuktas, viramas and what is a part of a letter

bool is_between(char32_t c, char32_t first, char32_t count) {
    return c - first < count;
}

// A bit for each character.
class Characters {
  public:
    void add(char32_t c) { bits_[c / 64] |= uint64_t{1} << c % 64; }
    bool has(char32_t c) const { return c < kEnd && (bits_[c / 64] >> c % 64 & 1) != 0; }

  private:
    std::array<uint64_t, kEnd / 64 + 1> bits_ = {};
};

// The tables of normal_form_tables.hpp, for looking up.
class Tables {
  public:
    Tables() {
        for (const auto& [second, all] : normal_form::kPairs)
            for (size_t k = 0; k < all.size(); k += 2) {
                composed_.emplace(pair(all[k], second), all[k + 1]);
                apart_.emplace(all[k + 1], std::array{all[k], second});
                seconds_.add(second);
            }
        for (const auto& [c, first, second] : normal_form::kApart) add_broken(c, {first, second});
        for (const auto& [first, as] : normal_form::kSingles)
            for (char32_t c = first; const char32_t other : as) add_broken(c++, {other, 0});
        for (const auto& [first, last, number] : normal_form::kClasses)
            for (char32_t c = first; c <= last; ++c) with_class_.add(c);
        for (char32_t c = kVowel; c < kTail + kTails; ++c) seconds_.add(c);
    }

    // Whether a character may become one with those before it, or change places with them.
    bool joins(char32_t c) const {
        std::u32string parts;
        if (broken_.has(c)) append_apart(parts, c), c = parts[0];
        return with_class_.has(c) || seconds_.has(c);
    }

    // Whether a character that follows `before`, whose class is `last`, leaves a composed text composed: the quick check
    // of the standard, which has "maybe" for the second ones of pairs.
    bool stays(char32_t c, char32_t before, unsigned last) const {
        if (broken_.has(c) || (with_class_.has(c) && combining_class(c) < last)) return false;
        return !seconds_.has(c) || (last == 0 && !apart_.contains(before) && together(before, c) == 0);
    }
    bool has_class(char32_t c) const { return with_class_.has(c); }

    static unsigned combining_class(char32_t c) {
        const auto& all = normal_form::kClasses;
        const auto* at = std::ranges::upper_bound(all, c, {}, [](const auto& range) { return range[0]; });
        return at != std::begin(all) && c <= (*--at)[1] ? static_cast<unsigned>((*at)[2]) : 0;
    }

    void append_apart(std::u32string& out, char32_t c) const {
        if (is_between(c, kSyllable, kSyllables)) {
            const char32_t k = c - kSyllable;
            out += kLead + k / kTails / kVowels;
            out += kVowel + k / kTails % kVowels;
            if (k % kTails > 0) out += kTail + k % kTails;
        } else if (const auto at = apart_.find(c); at != apart_.end()) {
            append_apart(out, at->second[0]);
            if (at->second[1] != 0) append_apart(out, at->second[1]);
        } else {
            out += c;
        }
    }

    // The character that two become, or 0.
    char32_t together(char32_t a, char32_t b) const {
        if (is_between(a, kLead, 19) && is_between(b, kVowel, kVowels))
            return kSyllable + ((a - kLead) * kVowels + b - kVowel) * kTails;
        if (is_between(a, kSyllable, kSyllables) && (a - kSyllable) % kTails == 0 &&
            is_between(b, kTail + 1, kTails - 1))
            return a + b - kTail;
        const auto at = composed_.find(pair(a, b));
        return at != composed_.end() ? at->second : 0;
    }

  private:
    static uint64_t pair(char32_t a, char32_t b) { return uint64_t{a} << 32 | b; }
    void add_broken(char32_t c, std::array<char32_t, 2> parts) {
        apart_.emplace(c, parts);
        broken_.add(c);
    }

    std::unordered_map<uint64_t, char32_t> composed_;
    std::unordered_map<char32_t, std::array<char32_t, 2>> apart_;
    Characters seconds_, broken_,
        with_class_;  // those of pairs; those that are no composed text; those whose class is not 0
};

const Tables& tables() {
    static const Tables all;
    return all;
}

// All characters apart, and marks behind a letter in the order of their classes.
std::u32string apart(std::u32string_view text) {
    std::u32string out;
    for (const char32_t c : text) tables().append_apart(out, c);
    for (auto begin = out.begin(); begin != out.end();) {
        const auto is_first = [](char32_t c) { return Tables::combining_class(c) == 0; };
        begin = std::find_if_not(begin, out.end(), is_first);
        const auto end = std::find_if(begin, out.end(), is_first);
        std::ranges::stable_sort(begin, end, {}, Tables::combining_class);
        begin = end;
    }
    return out;
}

// Composes: a character goes into the last one of class 0 unless one of its class or a higher one is between.
void compose(std::u32string& text) {
    size_t size = 0, first = std::u32string::npos;
    unsigned last = 0;  // the class of the character before
    for (const char32_t c : text) {
        const unsigned own = Tables::combining_class(c);
        const bool blocked = first == std::u32string::npos || (first + 1 < size && (last == 0 || last >= own));
        if (const char32_t both = blocked ? 0 : tables().together(text[first], c); both != 0) {
            text[first] = both;
            continue;
        }
        if (own == 0) first = size;
        last = own;
        text[size++] = c;
    }
    text.resize(size);
}

}  // namespace

bool may_change(std::string_view text) {
    if (find_invalid_utf8(text) < text.size()) return false;  // it has no normal form
    const Tables& all = tables();
    char32_t before = 0;
    unsigned last = 0;
    for (size_t at = 0; at < text.size();) {
        const char32_t c = next_code_point(text, at);
        if (!all.stays(c, before, last)) return true;
        last = all.has_class(c) ? Tables::combining_class(c) : 0;
        if (last == 0) before = c;
    }
    return false;
}

std::string to_composed(std::string_view text) {
    std::u32string letters = apart(letters_of(text));
    compose(letters);
    return utf8_of(letters);
}

std::string to_decomposed(std::string_view text) {
    return utf8_of(apart(letters_of(text)));
}

std::u32string marks_of(std::u32string_view text) {
    std::u32string marks = apart(text);
    std::erase_if(marks, [](char32_t c) { return Tables::combining_class(c) < kFirstMark; });
    return marks;
}

std::u32string without_marks(std::u32string_view text, std::u32string_view marks) {
    std::u32string letters = apart(text);
    std::erase_if(letters, [&](char32_t c) {
        return Tables::combining_class(c) >= kFirstMark && (marks.empty() || marks.find(c) != marks.npos);
    });
    compose(letters);
    return letters;
}

std::string in_form_of(std::string_view other, std::string_view text) {
    const bool is_apart = composed(other) != other && to_decomposed(other) == other;
    return is_apart ? to_decomposed(text) : composed(text);
}

ComposedText::ComposedText(std::string_view given) {
    if (text_ = composed(given); text_ == given) return;
    text_.clear();
    size_t begin = 0;  // of what is not yet composed: a character and those that may belong to it
    const auto add = [&](size_t end) {
        const std::string_view part = given.substr(begin, end - begin);
        const std::string as = composed(part);
        size_t same = 0;  // bytes of the first characters, which stay: a space before a mark
        for (size_t at = 0, of = 0; at < part.size() && of < as.size(); same = at)
            if (next_code_point(part, at) != next_code_point(as, of)) break;
        if (as != part) changes_.push_back({{begin + same, end}, {text_.size() + same, text_.size() + as.size()}});
        text_ += as;
        begin = end;
    };
    for (size_t at = 0; at < given.size();) {
        const size_t from = at;
        if (!tables().joins(next_code_point(given, at))) add(from);
    }
    add(given.size());
}

size_t ComposedText::moved(size_t offset, Part Change::* from, Part Change::* to) const {
    const auto at =
        std::ranges::upper_bound(changes_, offset, {}, [&](const Change& change) { return (change.*from).begin; });
    if (at == changes_.begin()) return offset;
    const Change& change = *std::prev(at);
    if (offset == (change.*from).begin) return (change.*to).begin;
    return (change.*to).end + (std::max(offset, (change.*from).end) - (change.*from).end);
}

}  // namespace sapwood
