// Edit scripts: labels that rewrite a form into its lemma, or a token into its words.
//
// A lemma cannot be a label, because most forms of a text were never seen in training. What turns a form into its lemma
// can be one, because it is shared by many forms (Chrupala 2006; Straka 2018 for dependency treebanks). A script is text
// in which slices of the form stand in brackets, as Python writes them, in code points:
//
//     [:-3]y           cities -> city          all but the last three letters, then "y"
//     [l:]             The -> the              the form in lower case
//     be               was -> be               the same word for every form
//     [m:-2]us         amīcī -> amicus         without its marks: all but the last two letters, then "us"
//     [:-3] [-3:]      don't -> do n't         two words: all but the last three letters, and those
//     [:1] ה [1:]      בבית -> ב ה בית         a word that is not in the form stands between two that are
//
// A letter before the numbers changes the case of the form before it is cut: `l` lower, `u` upper, `t` title (lower, but
// the first letter upper), `c` lower but the first letter as it is. An `m` behind it takes the form without its marks
// (normal_form.hpp): accents, points of Hebrew, vowels of Arabic. If only some go, they follow the m. Words are separated by one space. A backslash
// stands before a bracket, space or backslash of a word; \t, \n, \r and \0 are the control characters.
//
// A slice begins at a number counted from the front, or at one counted from the end if it ends there, too. So a script
// fits all forms from some length on, and none that are shorter: every slice holds at least one letter. A word has one
// slice at most, so that what a script of a foreign model makes is not much longer than the form.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

enum class LetterCase : uint8_t { keep, lower, upper, title, capital };
constexpr size_t kLetterCases = 5;

// The form in another case, code point by code point.
std::u32string with_case(std::u32string_view form, LetterCase letter_case);

constexpr char kDropsMarks = 'm';

class EditScript {
  public:
    // A place between two letters of a form.
    struct Place {
        uint32_t count = 0;
        bool from_end = false;

        bool operator==(const Place&) const = default;
    };

    // A slice of the form, or if `copies` is false, text of its own.
    struct Piece {
        bool copies = false;
        LetterCase letter_case = LetterCase::keep;
        Place begin, end{0, true};
        std::string text;
    };
    using Word = std::vector<Piece>;

    static constexpr size_t kLongest = size_t{1} << 16;  // bytes of a script's text
    static constexpr uint32_t kFarthest = 99999;         // the largest number in a script

    // Reads a script. Throws ModelError if the text is longer than kLongest, or is not one as above in the only way in
    // which it can be written.
    explicit EditScript(std::string_view text);
    // Marks of the form that all slices of a script drop; if there are none, all are dropped.
    using Marks = std::optional<std::u32string>;
    // Throws DataError if the script's text would be longer than kLongest.
    explicit EditScript(std::vector<Word> words, Marks dropped = {});

    const std::string& text() const { return text_; }
    size_t words() const { return words_.size(); }

    bool has_slices() const;

    // Whether the words have all letters of the form, perhaps in another case, in their order, and no others.
    bool keeps_letters() const { return keeps_letters_; }

    // Whether the slices of another script of one word have the letters of a form in the same case. Text without a slice
    // is in lower case.
    bool cases_alike(const EditScript& other, std::string_view form) const;

    // Whether it puts small letters of its own beside letters of a form in capitals: [:-2]ave makes "LEave" of "LEFT".
    bool mixes_cases(std::string_view form) const;

    // The text of the script that has the form in lower case: that of [:-2]ave is [l:-2]ave.
    std::string lowered() const;

    // The script without what it says of case: that of [l:-3]y is [:-3]y.
    std::string without_case() const;

    // How many letters of a form a script of one word replaces at the front and at the end: none and 3 for [:-3]y. They
    // may be 0 where it adds text. Nothing if no slice begins at a place from the front and ends at one from the end.
    struct Ends {
        std::optional<size_t> front, end;  // nothing where the form stays
    };
    std::optional<Ends> replaced() const;

    // The number of letters of the shortest form that it fits, without the marks that it drops.
    size_t shortest() const { return shortest_; }
    bool fits(std::string_view form) const;

    // The form without the marks that are dropped.
    const Marks& dropped() const { return dropped_; }
    std::u32string letters(std::string_view form) const;

    // The words of a form in UTF-8, or nothing if the script does not fit. `form` must be well-formed.
    std::optional<std::vector<std::string>> apply(std::string_view form) const;

  private:
    void measure();
    LetterCase letter_case() const;
    std::string in_case(LetterCase letter_case) const;

    std::vector<Word> words_;
    Marks dropped_;
    std::string text_;
    size_t shortest_ = 1;
    bool keeps_letters_ = false;
    bool adds_small_ = false;  // whether the first word has small letters of the script's own
};

}  // namespace sapwood
