// What all readers of text files share: where lines end, and the checks of size, NUL bytes and UTF-8.
//
// A line ends in LF, CRLF or CR alone, and a byte order mark at the head of a line, where files were joined, is none of
// the text. Readers see LF and CRLF only, and no mark but one in front of a file, which they pass over.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sapwood {

constexpr size_t kLargestText = std::min<uint64_t>((uint64_t{1} << 40) - 1, SIZE_MAX);
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The number of the line that contains `offset`, where the first line has the number `first_line`. Takes linear time.
size_t line_of(std::string_view bytes, size_t offset, size_t first_line);

// Why the bytes are no text from `at` on, where a NUL or the first byte that is not UTF-8 stands, and what to do.
std::string flaw_of_text(std::string_view bytes, size_t at);

// Whether a line ends with the byte at `at`: LF, or CR without LF behind it.
constexpr bool ends_line(std::string_view text, size_t at) {
    return text[at] == '\n' || (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] != '\n'));
}

// The place behind the first end of a line from `at` on, or the size of the text.
constexpr size_t next_line(std::string_view text, size_t at) {
    while (at < text.size() && !ends_line(text, at)) ++at;
    return at < text.size() ? at + 1 : at;
}

// The text with LF in place of each CR that stands alone, and without byte order marks at the heads of lines; a first
// one stays if the text begins a file, so is not `within` it, behind other lines. If nothing but a last CR is to be
// changed, these are the bytes that were given, else those of `kept`.
std::string_view plain_lines(std::string_view bytes, std::string& kept, bool within = false);

// Makes the bytes plain_lines and returns what they stand in, or null if they did not change. Throws DataError, with
// name:line, if they contain a NUL, are not UTF-8, or exceed 1 TiB.
std::shared_ptr<const std::string> check_text(std::string_view& bytes, const std::string& name, size_t first_line);

}  // namespace sapwood
