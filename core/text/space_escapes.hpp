// How MISC writes spaces in SpacesAfter and its like (UDPipe 1): a backslash and a letter stand for each of these.
#pragma once
#include <string_view>

namespace sapwood {

constexpr std::string_view kEscapedSpaces = " \t\n\r|\\", kSpaceLetters = "stnrp\\";  // one letter for each

}  // namespace sapwood
