// The escapes of spaces in MISC (SpacesAfter, SpacesBefore, SpacesInToken; UDPipe 1): a backslash and a letter each. Every
// other space is \uXXXX, with the four hexadecimal digits of its code point.
#pragma once
#include <string_view>

namespace sapwood {

constexpr std::string_view kEscapedSpaces = " \t\n\r|\\", kSpaceLetters = "stnrp\\";  // one letter for each

}  // namespace sapwood
