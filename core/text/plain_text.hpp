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

// Throws DataError, with name:line, if the bytes contain a NUL, are not UTF-8, or exceed 1 TiB.
void check_text(std::string_view bytes, const std::string& name, size_t first_line);

// Whether sentence s belongs to the second part of a split. One of every 1 / fraction sentences does, evenly spread.
inline bool held_out(size_t s, double fraction) {
    const auto before = [&](size_t n) { return static_cast<size_t>(static_cast<double>(n) * fraction); };
    return before(s + 1) > before(s);
}

}  // namespace sapwood
