#include "text/edit_script.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "text/letters.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

namespace {

constexpr std::string_view kCaseLetters = "lutc";  // of LetterCase::lower and those after it
constexpr size_t kMostDigits = 5;                  // of kFarthest

struct Escape {
    char written, meant;
};
constexpr Escape kEscapes[] = {{'\\', '\\'}, {'[', '['},  {']', ']'},  {' ', ' '},
                               {'t', '\t'},  {'n', '\n'}, {'r', '\r'}, {'0', '\0'}};

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        const auto* escape = std::ranges::find(kEscapes, c, &Escape::meant);
        if (escape == std::end(kEscapes)) {
            out += c;
        } else {
            out += '\\';
            out += escape->written;
        }
    }
}

void append_place(std::string& out, const EditScript::Place& place) {
    if (place.count == 0) return;
    if (place.from_end) out += '-';
    out += std::to_string(place.count);
}

std::string text_of(const std::vector<EditScript::Word>& words, const EditScript::Marks& dropped) {
    std::string text;
    for (const EditScript::Word& word : words) {
        if (&word != &words.front()) text += ' ';
        for (const EditScript::Piece& piece : word) {
            if (!piece.copies) {
                append_escaped(text, piece.text);
                continue;
            }
            text += '[';
            if (piece.letter_case != LetterCase::keep) text += kCaseLetters[static_cast<size_t>(piece.letter_case) - 1];
            if (dropped) text += kDropsMarks + utf8_of(*dropped);
            append_place(text, piece.begin);
            text += ':';
            append_place(text, piece.end);
            text += ']';
        }
    }
    return text;
}

// Reads the text of a script from left to right.
class ScriptReader {
  public:
    explicit ScriptReader(std::string_view text) : text_(text) {}

    EditScript::Marks dropped;  // by the last slice that was read

    std::vector<EditScript::Word> read() {
        std::vector<EditScript::Word> words(1);
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == ' ') {
                words.emplace_back();
            } else if (c == '[') {
                words.back().push_back(slice());
            } else {
                if (words.back().empty() || words.back().back().copies) words.back().emplace_back();
                words.back().back().text += c == '\\' ? escaped() : c;
            }
        }
        return words;
    }

  private:
    EditScript::Piece slice() {
        EditScript::Piece piece;
        piece.copies = true;
        if (const size_t k = kCaseLetters.find(peek()); at_ < text_.size() && k != std::string_view::npos) {
            piece.letter_case = static_cast<LetterCase>(k + 1);
            ++at_;
        }
        if (peek() == kDropsMarks) {
            const size_t first = ++at_;
            while (static_cast<unsigned char>(peek()) >= 0x80) ++at_;
            dropped = letters_of(text_.substr(first, at_ - first));
            if (marks_of(*dropped) != *dropped) fail();
        }
        piece.begin = place(false);
        expect(':');
        piece.end = place(true);
        expect(']');
        return piece;
    }

    // A number, or none: the place at the front or at the end.
    EditScript::Place place(bool at_end) {
        const bool minus = peek() == '-';
        at_ += minus;
        EditScript::Place found{0, minus || at_end};
        const size_t first = at_;
        for (; at_ < text_.size() && at_ - first < kMostDigits && is_digit(static_cast<unsigned char>(peek())); ++at_)
            found.count = found.count * 10 + static_cast<uint32_t>(peek() - '0');
        if (at_ > first) found.from_end = minus;
        return found;
    }

    char escaped() {
        const auto* escape = std::ranges::find(kEscapes, peek(), &Escape::written);
        if (at_ == text_.size() || escape == std::end(kEscapes)) fail();
        ++at_;
        return escape->meant;
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    void expect(char c) {
        if (at_ == text_.size() || text_[at_++] != c) fail();
    }
    [[noreturn]] void fail() const {
        throw ModelError("not an edit script: '" + std::string(prefix(text_, 60)) + "' at byte " + std::to_string(at_));
    }

    std::string_view text_;
    size_t at_ = 0;
};

// The length of the shortest form in which a slice holds a letter. Nothing if there is no such form, or if the slice
// does not hold one in all longer forms.
std::optional<size_t> shortest_for(const EditScript::Piece& slice) {
    const auto [begin, from_end] = slice.begin;
    const auto [end, end_from_end] = slice.end;
    if (!from_end && end_from_end) return size_t{begin} + end + 1;
    if (from_end != end_from_end) return std::nullopt;
    if (from_end) return begin > end ? std::optional<size_t>(begin) : std::nullopt;
    return begin < end ? std::optional<size_t>(end) : std::nullopt;
}

}  // namespace

std::u32string with_case(std::u32string_view form, LetterCase letter_case) {
    std::u32string out(form);
    if (letter_case == LetterCase::keep) return out;
    for (size_t i = 0; i < out.size(); ++i) {
        if (i == 0 && letter_case == LetterCase::capital) continue;
        const bool upper = letter_case == LetterCase::upper || (i == 0 && letter_case == LetterCase::title);
        out[i] = upper ? to_upper(out[i]) : to_lower(out[i]);
    }
    return out;
}

std::u32string EditScript::letters(std::string_view form) const {
    return dropped_ ? without_marks(letters_of(form), *dropped_) : letters_of(form);
}

EditScript::EditScript(std::string_view text) : text_(text) {
    if (text.size() > kLongest)
        throw ModelError("an edit script of " + std::to_string(text.size()) + " bytes; the longest has " +
                         std::to_string(kLongest));
    ScriptReader reader(text);
    words_ = reader.read();
    dropped_ = reader.dropped;
    for (const Word& word : words_) {
        bool sound = !word.empty() && std::ranges::count_if(word, [](const Piece& p) { return p.copies; }) <= 1;
        for (const Piece& piece : word) sound = sound && (!piece.copies || shortest_for(piece));
        if (!sound) throw ModelError("not an edit script: '" + std::string(prefix(text, 60)) + "'");
    }
    if (text_of(words_, dropped_) != text_)
        throw ModelError("not an edit script as it is written: '" + std::string(prefix(text, 60)) + "'");
    measure();
}

EditScript::EditScript(std::vector<Word> words, Marks dropped)
    : words_(std::move(words)), dropped_(std::move(dropped)), text_(text_of(words_, dropped_)) {
    if (text_.size() > kLongest)
        throw DataError("a word of " + std::to_string(text_.size()) +
                        " bytes is too long for an edit script: " + std::string(prefix(text_, 40)) + "...");
    measure();
}

bool EditScript::has_slices() const {
    return std::ranges::any_of(
        words_, [](const Word& word) { return std::ranges::any_of(word, [](const Piece& p) { return p.copies; }); });
}

void EditScript::measure() {
    Place next;  // where the letters begin that no slice has copied yet
    keeps_letters_ = true;
    for (const Word& word : words_)
        for (const Piece& piece : word) {
            keeps_letters_ = keeps_letters_ && piece.copies && piece.begin == next && !dropped_;
            next = piece.end;
            if (piece.copies) shortest_ = std::max(shortest_, shortest_for(piece).value_or(SIZE_MAX));
        }
    keeps_letters_ = keeps_letters_ && next == Place{0, true};
    adds_small_ = std::ranges::any_of(words_.front(), [](const Piece& piece) {
        return !piece.copies && std::ranges::any_of(letters_of(piece.text), is_lower);
    });
}

std::string EditScript::in_case(LetterCase letter_case) const {
    std::vector<Word> words = words_;
    for (Word& word : words)
        for (Piece& piece : word)
            if (piece.copies) piece.letter_case = letter_case;
    return text_of(words, dropped_);
}

std::string EditScript::without_case() const {
    return in_case(LetterCase::keep);
}

std::string EditScript::lowered() const {
    return in_case(LetterCase::lower);
}

bool EditScript::mixes_cases(std::string_view form) const {
    if (!adds_small_ || letter_case() != LetterCase::keep) return false;
    const std::u32string letters = letters_of(form);
    return std::ranges::count_if(letters, is_upper) >= 2 && std::ranges::none_of(letters, is_lower);
}

LetterCase EditScript::letter_case() const {
    const auto slice = std::ranges::find(words_.front(), true, &Piece::copies);
    return slice == words_.front().end() ? LetterCase::lower : slice->letter_case;
}

bool EditScript::fits(std::string_view form) const {
    if (dropped_) return letters(form).size() >= shortest_;
    return shortest_ == 1 || code_points(form) >= shortest_;
}

bool EditScript::cases_alike(const EditScript& other, std::string_view form) const {
    const std::u32string letters = letters_of(form);
    return with_case(letters, letter_case()) == with_case(letters, other.letter_case());
}

std::optional<EditScript::Ends> EditScript::replaced() const {
    const Word& word = words_.front();
    const auto slice = std::ranges::find(word, true, &Piece::copies);
    if (slice == word.end() || slice->begin.from_end || !slice->end.from_end) return std::nullopt;
    Ends ends;
    if (slice->begin.count > 0 || slice != word.begin()) ends.front = slice->begin.count;
    if (slice->end.count > 0 || slice + 1 != word.end()) ends.end = slice->end.count;
    return ends;
}

std::optional<std::vector<std::string>> EditScript::apply(std::string_view form) const {
    const std::u32string letters = this->letters(form);
    if (letters.size() < shortest_) return std::nullopt;
    std::optional<std::u32string> cased[kLetterCases];
    std::vector<std::string> result;
    for (const Word& word : words_) {
        std::string& out = result.emplace_back();
        for (const Piece& piece : word) {
            if (!piece.copies) {
                out += piece.text;
                continue;
            }
            auto& source = cased[static_cast<size_t>(piece.letter_case)];
            if (!source) source = with_case(letters, piece.letter_case);
            const auto index = [&](const Place& place) {
                return place.from_end ? letters.size() - place.count : place.count;
            };
            for (size_t i = index(piece.begin); i < index(piece.end); ++i) append_utf8(out, (*source)[i]);
        }
    }
    return result;
}

}  // namespace sapwood
