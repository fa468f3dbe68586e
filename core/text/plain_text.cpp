#include "text/plain_text.hpp"

#include <algorithm>
#include <cstring>

#include "base/errors.hpp"
#include "text/utf8.hpp"

namespace sapwood {

size_t line_of(std::string_view bytes, size_t offset, size_t first_line) {
    return first_line +
           static_cast<size_t>(std::count(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(offset), '\n'));
}

void check_text(std::string_view bytes, const std::string& name, size_t first_line) {
    const auto fail = [&](size_t offset, const std::string& what) {
        throw DataError(name + ":" + std::to_string(line_of(bytes, offset, first_line)) + ": " + what);
    };
    if (bytes.size() > kLargestText) fail(0, "the file is larger than 1 TiB; split it");
    if (const void* nul = bytes.empty() ? nullptr : std::memchr(bytes.data(), 0, bytes.size()))
        fail(static_cast<size_t>(static_cast<const char*>(nul) - bytes.data()), "NUL byte: this is not a text file");
    if (const size_t at = find_invalid_utf8(bytes); at != std::string_view::npos)
        fail(at, "invalid UTF-8; convert the file first (iconv -t utf-8)");
}

}  // namespace sapwood
