// Feature templates: CRF++'s and Wapiti's files as they are, with named attributes and label history.
//
//     U05:%x[-1,0]/%x[0,pos]     a conjunction of two cells: row offset, column number or name
//     B07:%x[0,1]                the same joined with the previous label; a lone B is the label bigram
//     *:%X[0,0]                  both a U and a B line; a macro in capitals is lower-cased (Wapiti)
//     U10:%t[0,0,"^\u"] %m[0,0,".?.?$"] %x[@1,0]
//                                Wapiti's test, match and absolute row (1 is the first, -1 the last)
//     U20:%prefix[0,0,3] %suffix[0,0,2] %lower[0,0] %shape[0,0] %digit[0,0] %hyphen[0,0] %capital[0,0]
//     U30:%in[0,0,"cities.txt"]  B, I or O: in the longest phrase of a word list that starts here or before
//                                (%IN lower-cases the words, not the list)
//     U40:%y[-2]/%y[-1]/%x[0,1]  joined with the labels two and one to the left
//     U41:%y[-1]/%y[+1]          with those on both sides, as far as they are known (easiest-first search)
//
// A feature is what a line expands to, as in CRF++: two lines that differ in their offsets only share their
// features ("bag of words"), and lines that should not share have distinct ids.
//
// Templates for documents (classification) have U lines, which look from the marked word, and besides
//
//     A01:%x[0,word]/%x[1,word]   what the line expands to at any token, once: a bag of bigrams
//     C01:%X[0,word]              the same with its count as the feature's value
//     A02:%chars[0,word,3]        all runs of three characters of <word>, its ends marked; the only macro of its line
//     U02:%d[author]              a field of the document
//     N01:%before                 a feature with a number as its value: %before, %after (words beside the marked
//                                 one), %offset (before / (before + after)), %tokens, or a field: %d[price]
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "features/pattern.hpp"
#include "features/word_list.hpp"

namespace sapwood {

// What a macro looks at in one token: a column, through a transformation.
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
        chars,
        field
    };
    Kind kind = Kind::value;
    bool lowercase = false;
    size_t column = 0;     // of a field: its number
    size_t length = 0;     // of a prefix, suffix or run of characters, in code points
    std::string argument;  // pattern of a test or match, name of a word list

    bool operator==(const Attribute&) const = default;
};

struct Part {
    size_t attribute;
    int offset;  // rows from the current token; for an absolute part from the first (>= 0) or the last (< 0)
    bool absolute;
};

// Where a line is expanded: at one token, at any, at each (counted); or a number is its feature's value.
enum class Scope : uint8_t { token, any, count, number };

// What a number line takes its value from.
enum class Number : uint8_t { none, before, after, offset, tokens, field };

struct Line {
    uint64_t seed;                  // hash of the text around the macros
    std::vector<Part> parts;        // in the order of the text
    std::vector<std::string> text;  // [parts + 1] what stands before, between and after the parts
    unsigned reach;                 // 0: no label to the left; 1: the previous one; 2: the previous two
    unsigned ahead;                 // the same to the right
    Scope scope = Scope::token;
    Number number = Number::none;
    size_t field = 0;  // of Number::field
};

// The columns of the data: their names and which of them holds the label; for documents, their fields.
struct Header {
    std::vector<std::string> names;
    size_t label = 0;
    bool documents = false;
    std::vector<std::string> fields = {};
};

class Template {
  public:
    // Throws TemplateError "name:line: what" for anything but the above.
    Template(std::string_view text, const std::string& name, const Header& header);

    const std::vector<Attribute>& attributes() const { return attributes_; }
    const std::vector<Line>& lines() const { return lines_; }
    const std::vector<std::string>& list_names() const { return list_names_; }  // in the order of first use
    size_t list_index(const std::string& name) const;
    size_t padding() const { return padding_; }  // farthest row that a part looks at
    size_t columns_needed() const {
        return columns_needed_;
    }  // an input row must have at least so many cells

  private:
    class Parser;

    std::vector<Attribute> attributes_;
    std::vector<Line> lines_;
    std::vector<std::string> list_names_;
    size_t padding_ = 1;
    size_t columns_needed_ = 1;
};

}  // namespace sapwood
