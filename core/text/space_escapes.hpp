// The escapes of spaces in MISC (SpacesAfter, SpacesBefore, SpacesInToken; UDPipe 1): a backslash and a letter each.
#pragma once
#include <string_view>

namespace sapwood {

constexpr std::string_view kEscapedSpaces = " \t\n\r|\\", kSpaceLetters = "stnrp\\";  // one letter for each

}  // namespace sapwood
