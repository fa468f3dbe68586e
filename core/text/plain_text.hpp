// What every reader asks of the bytes of a text file before it looks for words in them.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace sapwood {

constexpr size_t kLargestText = (size_t{1} << 40) - 1;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The line that `offset` is in, the first one being `first_line`; counts line ends.
size_t line_of(std::string_view bytes, size_t offset, size_t first_line);

// Throws DataError with name:line if the bytes have a NUL, are not UTF-8, or are more than 1 TiB.
void check_text(std::string_view bytes, const std::string& name, size_t first_line);

// Whether sentence s goes to the second part of a split: one of every 1 / fraction does, evenly spread.
inline bool held_out(size_t s, double fraction) {
    const auto before = [&](size_t n) { return static_cast<size_t>(static_cast<double>(n) * fraction); };
    return before(s + 1) > before(s);
}

}  // namespace sapwood
