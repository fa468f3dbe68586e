// Text in JSON (RFC 8259).
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

inline void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view hex = "0123456789abcdef";
            out += "\\u00";
            out += hex[static_cast<size_t>(c) >> 4];
            out += hex[static_cast<size_t>(c) & 15];
        } else {
            out += c;
        }
    }
    out += '"';
}

}  // namespace sapwood
