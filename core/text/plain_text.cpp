#include "text/plain_text.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

bool are_plain(std::string_view bytes, bool within) {
    for (size_t at = 0; (at = bytes.find('\r', at)) != std::string_view::npos; at += 2)
        if (ends_line(bytes, at) && at + 1 < bytes.size()) return false;
    for (size_t at = 0; (at = bytes.find(kByteOrderMark, at)) != std::string_view::npos; at += kByteOrderMark.size())
        if (at == 0 ? within : bytes[at - 1] == '\n' || bytes.substr(0, at) == kByteOrderMark) return false;
    return true;
}

}  // namespace

size_t line_of(std::string_view bytes, size_t offset, size_t first_line) {
    return first_line +
           static_cast<size_t>(std::count(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(offset), '\n'));
}

std::string flaw_of_text(std::string_view bytes, size_t at) {
    const auto byte = [&](size_t k) { return static_cast<unsigned char>(k < bytes.size() ? bytes[k] : 0); };
    const bool every_second =
        at < 2 && at + 2 < bytes.size() && byte(at) == 0 && byte(at + 2) == 0 && byte(1 - at) != 0;
    if (every_second || bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
        return "it looks like UTF-16; convert it first (iconv -f utf-16 -t utf-8)";
    if (byte(at) == 0) return "NUL byte: this is not a text file";
    if (byte(at) == 0xED && byte(at + 1) >= 0xA0 && byte(at + 1) <= 0xBF)
        return "invalid UTF-8: half of a character (a surrogate), as of a text that was cut or is in CESU-8; write it "
               "anew";
    // Latin-1 has no signs there; Windows-1252 is Latin-1 with quotation marks, dashes and others.
    const bool is_windows = byte(at) >= 0x80 && byte(at) < 0xA0;
    return std::string("invalid UTF-8; ") +
           (is_windows ? "if it is Windows-1252, convert it first (iconv -f windows-1252 -t utf-8)"
                       : "if it is Latin-1, convert it first (iconv -f latin1 -t utf-8)");
}

std::string_view plain_lines(std::string_view bytes, std::string& kept, bool within) {
    if (are_plain(bytes, within)) return bytes;
    kept.clear();
    kept.reserve(bytes.size());
    size_t at = 0;
    if (!within && bytes.starts_with(kByteOrderMark)) {
        kept += kByteOrderMark;
        at = kByteOrderMark.size();
    }
    for (size_t line = 0; at < bytes.size(); ++line) {
        StopCheck::every(line);
        if (line > 0 || within || at > 0)
            while (bytes.substr(at).starts_with(kByteOrderMark)) at += kByteOrderMark.size();
        const size_t end = std::min(bytes.find_first_of("\r\n", at), bytes.size());
        kept.append(bytes, at, end - at);
        at = end;
        if (at < bytes.size() && !ends_line(bytes, at)) kept += bytes[at++];  // CR before LF
        if (at < bytes.size()) kept += '\n';
        ++at;
    }
    return kept;
}

std::shared_ptr<const std::string> check_text(std::string_view& bytes, const std::string& name, size_t first_line) {
    auto kept = std::make_shared<std::string>();
    bytes = plain_lines(bytes, *kept, first_line > 1);
    const auto fail = [&](size_t offset, const std::string& what) {
        throw DataError(name + ":" + std::to_string(line_of(bytes, offset, first_line)) + ": " + what);
    };
    if (bytes.size() > kLargestText) fail(0, "the file is larger than 1 TiB; split it");
    if (const size_t at = bytes.find('\0'); at != std::string_view::npos) fail(at, flaw_of_text(bytes, at));
    if (const size_t at = find_invalid_utf8(bytes); at != std::string_view::npos) fail(at, flaw_of_text(bytes, at));
    return bytes.data() == kept->data() ? kept : nullptr;
}

}  // namespace sapwood
