#include "file/container.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/stop_check.hpp"
#include "file/context.hpp"
#include "file/json_value.hpp"
#include "text/utf8.hpp"

namespace sapwood::file {

namespace {

using Kind = Json::Kind;

constexpr uint64_t kAlignment = 64;
constexpr uint64_t kElementLimit = uint64_t{1} << 48;
constexpr std::string_view kFiller = "_pad.";
constexpr std::string_view kOpening = R"({"__metadata__":{"checksum":")";  // eight digits and a quote follow
constexpr size_t kDigits = 8 + kOpening.size();                            // place of the checksum in the file
constexpr std::string_view kHex = "0123456789abcdef";

// CRC-32 of IEEE 802.3, as zlib computes it, four bytes at a time.
uint32_t crc32(std::string_view bytes, uint32_t crc) {
    static constexpr auto tables = [] {
        std::array<std::array<uint32_t, 256>, 4> all{};
        for (uint32_t n = 0; n < 256; ++n) {
            uint32_t c = n;
            for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xEDB88320u ^ c >> 1 : c >> 1;
            all[0][n] = c;
        }
        for (size_t t = 1; t < 4; ++t)
            for (size_t n = 0; n < 256; ++n) all[t][n] = all[t - 1][n] >> 8 ^ all[0][all[t - 1][n] & 0xFF];
        return all;
    }();
    crc = ~crc;
    size_t k = 0;
    for (; k + 4 <= bytes.size(); k += 4) {
        StopCheck::every(k);
        uint32_t four;
        std::memcpy(&four, bytes.data() + k, sizeof four);
        crc ^= four;
        crc = tables[3][crc & 0xFF] ^ tables[2][crc >> 8 & 0xFF] ^ tables[1][crc >> 16 & 0xFF] ^ tables[0][crc >> 24];
    }
    for (; k < bytes.size(); ++k) crc = tables[0][(crc ^ static_cast<unsigned char>(bytes[k])) & 0xFF] ^ crc >> 8;
    return ~crc;
}

bool is_opening(std::string_view text) {
    if (!text.starts_with(kOpening) || text.size() < kOpening.size() + 9) return false;
    const std::string_view digits = text.substr(kOpening.size(), 8);
    return digits.find_first_not_of(kHex) == std::string_view::npos && text[kOpening.size() + 8] == '"';
}

// a * b, at most UINT64_MAX.
uint64_t product(uint64_t a, uint64_t b) {
    uint64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? UINT64_MAX : result;
}

struct Entry {
    std::string dtype;
    std::vector<uint64_t> shape;
    uint64_t begin, end;
};

Entry entry_of(const std::string& name, const Json& entry) {
    const std::string where = "array " + quoted(name);
    const Json *dtype = entry.find("dtype"), *shape = entry.find("shape"), *offsets = entry.find("data_offsets");
    require(entry.is(Kind::object) && entry.members.size() == 3 && dtype && shape && offsets,
            where + " is not described by dtype, shape and data_offsets");
    require(dtype->is(Kind::string) && item_size(dtype->text) > 0, where + " has an unknown dtype");
    require(shape->is_naturals(), where + " has a shape that is not a list of natural numbers below 2^62");
    Entry found{dtype->text, {}, 0, 0};
    uint64_t elements = 1, size = item_size(dtype->text);
    for (const Json& count : shape->items) {
        found.shape.push_back(count.natural);
        elements = product(elements, std::max<uint64_t>(count.natural, 1));
        size = product(size, count.natural);
    }
    require(found.shape.size() <= 8 && elements <= kElementLimit, where + " has a shape that is too large");
    const bool is_range =
        offsets->is_naturals() && offsets->items.size() == 2 && offsets->items[0].natural <= offsets->items[1].natural;
    require(is_range, where + " has data_offsets that are not a begin and an end");
    found.begin = offsets->items[0].natural;
    found.end = offsets->items[1].natural;
    require(found.end - found.begin == size, where + " has a dtype and shape that do not fit its bytes");
    return found;
}

Arrays arrays_of(const Json& header, std::string_view data) {
    Arrays arrays;
    uint64_t position = 0;
    size_t fillers = 0;
    bool is_filler = false;
    for (const auto& [name, described] : header.members) {
        if (name == "__metadata__") continue;
        Entry entry = entry_of(name, described);
        const std::string where = "array " + quoted(name);
        require(entry.begin == position, where + " overlaps the one before it, or leaves a hole");
        require(entry.end <= data.size(), where + " ends outside the file (truncated file?)");
        const uint64_t gap = (kAlignment - entry.begin % kAlignment) % kAlignment;
        position = entry.end;
        const std::string_view view =
            data.substr(static_cast<size_t>(entry.begin), static_cast<size_t>(entry.end - entry.begin));
        is_filler = name.starts_with(kFiller);
        if (is_filler) {
            const bool is_next =
                name == std::string(kFiller) + std::to_string(fillers) && entry.dtype == "U8" && gap > 0;
            require(is_next && view == std::string(static_cast<size_t>(gap), '\0'),
                    where + " is not the zeros that align the next array");
            ++fillers;
        } else {
            require(gap == 0, where + " does not start at a multiple of 64 bytes");
            arrays[name] = {std::move(entry.dtype), std::move(entry.shape), view, nullptr};
        }
    }
    require(!is_filler, "a filler follows its last array");
    require(position == data.size(), std::to_string(data.size() - position) + " bytes follow its last array");
    return arrays;
}

Metadata metadata_of(const Json& texts) {
    Metadata metadata;
    for (const auto& [name, value] : texts.members) {
        require(value.is(Kind::string), "its metadata " + quoted(name) + " are not a string");
        if (name != "checksum") metadata[name] = value.text;
    }
    return metadata;
}

}  // namespace

Container read_container(std::string_view file) {
    require(file.size() >= 8, "it has only " + std::to_string(file.size()) + " bytes (truncated file?)");
    uint64_t length = 0;
    std::memcpy(&length, file.data(), sizeof length);
    require(length > 0 && (file.size() == 8 || file[8] == '{'),
            "its header does not start with '{' (is it another kind of file?)");
    require(length <= kHeaderLimit, "its header claims " + std::to_string(length) + " bytes, over the limit of 16 MiB");
    require(8 + length <= file.size(), "the header ends before it should (truncated file?)");
    const std::string_view text = file.substr(8, static_cast<size_t>(length));
    require((8 + length) % kAlignment == 0, "its data do not start at a multiple of 64 bytes");
    require(is_opening(text), "its header has no checksum in front (written by another program?)");
    require(file.substr(kDigits, 8) == checksum(file), "its checksum does not match (truncated or altered file?)");
    const Json header = Json::read(text, "its header");
    return {metadata_of(*header.find("__metadata__")), arrays_of(header, file.substr(8 + static_cast<size_t>(length)))};
}

std::string checksum(std::string_view file) {
    uint32_t crc = crc32(file.substr(0, kDigits), 0);
    crc = crc32("00000000", crc);
    crc = crc32(file.substr(kDigits + 8), crc);
    std::string digits;
    for (unsigned shift = 32; shift > 0;) digits += kHex[crc >> (shift -= 4) & 15];
    return digits;
}

uint64_t item_size(std::string_view dtype) {
    if (dtype == "U8" || dtype == "I8") return 1;
    if (dtype == "U16" || dtype == "I16") return 2;
    if (dtype == "U32" || dtype == "I32" || dtype == "F32") return 4;
    return dtype == "U64" || dtype == "F64" ? 8 : 0;
}

std::string quoted(std::string_view text) {
    constexpr std::u32string_view special = U"\n\r\t\\", letters = U"nrt\\";
    text = prefix(text, 40);
    const bool in_double = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
    std::string out(1, in_double ? '"' : '\'');
    const char quote = out[0];
    for (size_t at = 0; at < text.size();) {
        const char32_t c = next_code_point(text, at);
        if (const size_t k = special.find(c); k != std::u32string_view::npos || c == static_cast<char32_t>(quote)) {
            append_utf8(out += '\\', k < letters.size() ? letters[k] : c);
        } else if (c >= 0x20 && c < 0x7F) {
            out += static_cast<char>(c);
        } else {
            out += c > 0xFFFF ? "\\U" : c > 0xFF ? "\\u" : "\\x";
            for (unsigned shift = c > 0xFFFF ? 32 : c > 0xFF ? 16 : 8; shift > 0;) out += kHex[c >> (shift -= 4) & 15];
        }
    }
    return out + quote;
}

}  // namespace sapwood::file
