// Feature keys: 64-bit hashes of UTF-8 bytes, the same in every run and on every machine, so that no
// vocabulary is needed to find a feature's weights.
//
// The mixing step is the 64 x 64 -> 128 bit multiply-and-fold of wyhash (Wang Yi, 2019): one multiplication
// for eight bytes of a value or for one more value of a conjunction.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sapwood {

static_assert(std::endian::native == std::endian::little, "keys and model files are little-endian");

inline uint64_t fold(uint64_t a, uint64_t b) {
#ifdef __wasm__  // WebAssembly has no product of 128 bits; a compiler calls a function for it
    const uint64_t low = 0xFFFFFFFF, a_low = a & low, a_high = a >> 32, b_low = b & low, b_high = b >> 32;
    const uint64_t first = a_low * b_high, second = a_high * b_low + (a_low * b_low >> 32) + (first & low);
    return a * b ^ (a_high * b_high + (first >> 32) + (second >> 32));
#else
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
#endif
}

// The key of a conjunction: one more value (or label) joined to a key. Not commutative.
inline uint64_t combine(uint64_t key, uint64_t value) {
    return fold(key ^ 0x9E3779B97F4A7C15ULL, value ^ 0xE7037ED1A0B428DBULL);
}

// Up to eight bytes as a number, the rest of it 0. Without a call of memcpy, which would take longer than the hash.
inline uint64_t load_bytes(const char* p, size_t n) {
    const auto byte = [&](size_t k) { return uint64_t{static_cast<unsigned char>(p[k])} << 8 * k; };
    if (n == 0) return 0;
    if (n < 4) return byte(0) | byte(n / 2) | byte(n - 1);
    uint32_t first, last;
    std::memcpy(&first, p, 4);
    std::memcpy(&last, p + n - 4, 4);
    return first | uint64_t{last} << 8 * (n - 4);
}

// hash_bytes in steps: its state before the first byte of a text of this length, and its result after the last, at most
// eight, bytes.
inline uint64_t hash_seed(size_t length) {
    return 0xA0761D6478BD642FULL ^ length;
}
inline uint64_t hash_tail(uint64_t h, std::string_view last) {
    return combine(combine(h, load_bytes(last.data(), last.size())), last.size());
}

inline uint64_t hash_bytes(std::string_view text) {
    uint64_t h = hash_seed(text.size());
    const char* p = text.data();
    size_t n = text.size();
    uint64_t word;
    for (; n > 8; p += 8, n -= 8) {
        std::memcpy(&word, p, 8);
        h = combine(h, word);
    }
    return hash_tail(h, {p, n});
}

}  // namespace sapwood
