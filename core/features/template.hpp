// Feature templates: the files of CRF++ and Wapiti unchanged, extended by named attributes and label history.
//
//     U05:%x[-1,0]/%x[0,pos]     a conjunction of two cells: row offset, column number or name
//     B07:%x[0,1]                the same conjoined with the previous label; B alone is the label bigram
//     *:%X[0,0]                  both a U and a B line; a capitalised macro lower-cases its value (Wapiti)
//     U10:%t[0,0,"^\u"] %m[0,0,".?.?$"] %x[@1,0]
//                                Wapiti's test, match and absolute row (1 is the first, -1 the last)
//     U20:%prefix[0,0,3] %suffix[0,0,2] %lower[0,0] %shape[0,0] %digit[0,0] %hyphen[0,0] %capital[0,0]
//     U30:%in[0,0,"cities.txt"]  B, I or O: whether the token begins, continues or is outside the longest matching
//                                phrase of a word list (%IN lower-cases the token, but not the list)
//     U35:%cluster[0,0,8]        the first 8 bits of the token's word cluster, without a number all; "none" for a word
//                                that has none. Where there are no clusters, lines with this macro are left out
//     U36:%lexicon[0,0]          the tags that a lexicon gives to the token, as NOUN+VERB; "none" for an unknown word.
//                                Without a lexicon, lines with this macro are left out
//     U40:%y[-2]/%y[-1]/%x[0,1]  conjoined with the two labels to the left
//     U41:%y[-1]/%y[+1]          conjoined with the labels on both sides, if they are known (easiest-first search)
//
// As in CRF++, a feature is the text that a line expands to. Two lines that differ only in their offsets share their
// features ("bag of words"); lines that should not share features need different ids.
//
// Templates for documents (classification) have U lines, which are expanded at the marked token, and also
//
//     A01:%x[0,word]/%x[1,word]   expanded at every token; each feature has the value 1 (a bag of bigrams)
//     C01:%X[0,word]              expanded at every token; the value of a feature is its count
//     A02:%chars[0,word,3]        all runs of three characters of "<word>"; must be the line's only macro
//     U02:%d[author]              a field of the document
//     N01:%before                 a feature whose value is a number: %before and %after (the number of tokens before
//                                 and after the marked one), %offset (before / (before + after)), %tokens, or a
//                                 field: %d[price]
//     S01:%in[0,word,"stop.txt"]  a test: tokens that pass it are left out, and the other lines see a text without them
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features/pattern.hpp"
#include "features/word_list.hpp"

namespace sapwood {

// The value that a macro takes from one token: a column and a transformation of its cell.
struct Attribute {
    enum class Kind : uint8_t {
        value,
        prefix,
        suffix,
        shape,
        digit,
        hyphen,
        capital,
        test,
        match,
        list,
        cluster,
        lexicon,
        chars,
        field
    };
    Kind kind = Kind::value;
    bool lowercase = false;
    size_t column = 0;     // the column's number; for Kind::field the field's number
    size_t length = 0;     // of a prefix, suffix or run of characters, in code points; of a cluster in bits, 0: all
    std::string argument;  // the pattern of a test or match, or the name of a word list

    bool operator==(const Attribute&) const = default;
};

// A macro: its name, what it takes from a token, and what it is written with. This is the one list of them; those that
// look at labels (%y) and the numbers of N lines are no attributes of a token.
struct Macro {
    enum class Takes : uint8_t { nothing, length, bits, pattern, list };  // behind row and column
    enum class Data : uint8_t { all, columns, documents };                // in which it may stand
    std::string_view name;
    Attribute::Kind kind;
    Takes takes = Takes::nothing;
    Data data = Data::all;
    bool tests = false;  // whether an S line may have it
};

inline constexpr Macro kMacros[] = {
    {"x", Attribute::Kind::value},
    {"t", Attribute::Kind::test, Macro::Takes::pattern, Macro::Data::all, true},
    {"m", Attribute::Kind::match, Macro::Takes::pattern},
    {"lower", Attribute::Kind::value},
    {"prefix", Attribute::Kind::prefix, Macro::Takes::length},
    {"suffix", Attribute::Kind::suffix, Macro::Takes::length},
    {"shape", Attribute::Kind::shape},
    {"digit", Attribute::Kind::digit, Macro::Takes::nothing, Macro::Data::all, true},
    {"hyphen", Attribute::Kind::hyphen, Macro::Takes::nothing, Macro::Data::all, true},
    {"capital", Attribute::Kind::capital, Macro::Takes::nothing, Macro::Data::all, true},
    {"in", Attribute::Kind::list, Macro::Takes::list, Macro::Data::all, true},
    {"cluster", Attribute::Kind::cluster, Macro::Takes::bits},
    {"lexicon", Attribute::Kind::lexicon, Macro::Takes::nothing, Macro::Data::columns},
    {"chars", Attribute::Kind::chars, Macro::Takes::length, Macro::Data::documents},
    {"d", Attribute::Kind::field, Macro::Takes::nothing, Macro::Data::documents},
};

struct Part {
    size_t attribute;
    int offset;  // rows from the current token; if absolute, from the first row (>= 0) or from the end (< 0)
    bool absolute;
};

// Where a line is expanded: at one token; at every token, with value 1 or with the count as the value; for a line whose
// value is a number, once per document; or at every token, before all others, to see which tokens are left out.
enum class Scope : uint8_t { token, any, count, number, skip };

// The source of a number line's value.
enum class Number : uint8_t { none, before, after, offset, tokens, field };

struct Line {
    uint64_t seed;                  // hash of the text around the macros
    std::vector<Part> parts;        // in the order of the text
    std::vector<std::string> text;  // [parts + 1] the text before, between and after the parts
    unsigned reach;                 // number of labels to the left that the line looks at: 0, 1 or 2
    unsigned ahead;                 // number of labels to the right that the line looks at: 0, 1 or 2
    Scope scope = Scope::token;
    Number number = Number::none;
    size_t field = 0;  // the field's number, for Number::field
};

// The names of the data's columns and the number of the label column; for documents, also the names of the fields.
struct Header {
    std::vector<std::string> names;
    size_t label = 0;
    bool documents = false;
    std::vector<std::string> fields = {};
};

class Template {
  public:
    // Throws TemplateError "name:line: what" for a line that does not follow the format above.
    Template(std::string_view text, const std::string& name, const Header& header);

    const std::vector<Attribute>& attributes() const { return attributes_; }
    const std::vector<Line>& lines() const { return lines_; }
    const std::vector<std::string>& list_names() const { return list_names_; }  // in the order of first use
    size_t list_index(const std::string& name) const;
    bool uses(Attribute::Kind kind) const;                     // whether a line has a macro of this kind
    size_t padding() const { return padding_; }                // the largest row offset of a part
    size_t columns_needed() const { return columns_needed_; }  // the smallest number of cells per input row

  private:
    class Parser;

    std::vector<Attribute> attributes_;
    std::vector<Line> lines_;
    std::vector<std::string> list_names_;
    size_t padding_ = 1;
    size_t columns_needed_ = 1;
};

}  // namespace sapwood
