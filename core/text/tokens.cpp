#include "text/tokens.hpp"

#include <array>

namespace sapwood {

namespace {

enum class CharacterKind : unsigned char { space, word, inner, other };

constexpr std::array<CharacterKind, 256> kKinds = [] {
    std::array<CharacterKind, 256> kinds{};
    for (size_t c = 0; c < 256; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        const bool inner = c == '\'' || c == '-' || c == '.' || c == '_';
        kinds[c] = letter || c >= 0x80     ? CharacterKind::word
                   : inner                 ? CharacterKind::inner
                   : c <= ' ' || c == 0x7F ? CharacterKind::space
                                           : CharacterKind::other;
    }
    return kinds;
}();

CharacterKind kind(char c) {
    return kKinds[static_cast<unsigned char>(c)];
}

}  // namespace

std::string_view next_token(std::string_view text, size_t& at) {
    const size_t size = text.size();
    while (at < size && kind(text[at]) == CharacterKind::space) ++at;
    const size_t begin = at;
    if (at == size) return {};
    if (kind(text[at++]) == CharacterKind::word)
        while (at < size &&
               (kind(text[at]) == CharacterKind::word ||
                (kind(text[at]) == CharacterKind::inner && at + 1 < size && kind(text[at + 1]) == CharacterKind::word)))
            ++at;
    return text.substr(begin, at - begin);
}

}  // namespace sapwood
