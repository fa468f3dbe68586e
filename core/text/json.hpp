// Text in JSON (RFC 8259).
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

inline void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    size_t written = 0;
    for (size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        const bool quoted = c == '"' || c == '\\';
        if (!quoted && static_cast<unsigned char>(c) >= 0x20) continue;
        out += text.substr(written, k - written);
        written = k + 1;
        out += '\\';
        if (quoted) {
            out += c;
        } else {
            constexpr std::string_view hex = "0123456789abcdef";
            out += "u00";
            out += hex[static_cast<size_t>(c) >> 4];
            out += hex[static_cast<size_t>(c) & 15];
        }
    }
    out += text.substr(written);
    out += '"';
}

}  // namespace sapwood
