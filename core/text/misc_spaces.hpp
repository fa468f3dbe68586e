// The fields of MISC that say which spaces stand around a token, in all spellings that leave no doubt.
//
// SpaceAfter=No is the field of Universal Dependencies. SpacesAfter, SpacesBefore and SpacesInToken are UDPipe's, in
// which \s \t \n \r \p \\ and \u00A0 stand for characters. People write them in other ways, too: in capitals or small
// letters, with blanks around, with a blank in place of the bar between two fields ("SpaceAfter=No name=O"), Yes for the
// space that is meant anyway, escapes in SpaceAfter ("SpaceAfter=\n"). All of these are read. A field with another value
// is not guessed at: it is named, and what it is about is as if there were no field.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace sapwood {

struct MiscSpaces {
    std::optional<std::string> before, after, inside;  // inside: the form with its own spaces
    bool is_text = false;                              // whether `after` is spelled out, not Yes or No
    std::string_view unknown;                          // the first field that is not understood; empty if there is none
};

// Reads a cell of MISC.
MiscSpaces misc_spaces(std::string_view misc);

// Appends spaces as MISC has them: readers strip those that are not escaped, whatever their code point.
void append_spaces(std::string& out, std::string_view spaces);

}  // namespace sapwood
