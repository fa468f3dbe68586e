// Checks that all readers of text files share: size, NUL bytes and UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace sapwood {

constexpr size_t kLargestText = (size_t{1} << 40) - 1;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The number of the line that contains `offset`, where the first line has the number `first_line`. Takes linear time.
size_t line_of(std::string_view bytes, size_t offset, size_t first_line);

// Why the bytes are no text from `at` on, where a NUL or the first byte that is not UTF-8 stands, and what to do.
std::string flaw_of_text(std::string_view bytes, size_t at);

// Throws DataError, with name:line, if the bytes contain a NUL, are not UTF-8, or exceed 1 TiB.
void check_text(std::string_view bytes, const std::string& name, size_t first_line);

}  // namespace sapwood
