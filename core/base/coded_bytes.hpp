// Codes any bytes, such as the texts of a model file: what occurred before is copied (LZ77; Ziv & Lempel 1977), and all
// numbers and the remaining bytes are coded with rANS (base/rans.hpp).
//
// The bytes are cut into steps. A step is a number n, n literals (bytes as they are) and, unless all bytes are there, a
// match: its length minus kLeastMatch, and its distance minus 1. A match repeats the bytes that begin so many bytes ago;
// it may overlap itself. Counts, lengths and distances are numbers in NumberCode, each of the three kinds with a table of
// its own. The context of a literal is the byte before it, 0 for the first.
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

namespace byte_code {
constexpr size_t kLeastMatch = 4;
// No code stands for more bytes than so many times its own, so that a few bytes cannot ask for much memory.
constexpr size_t kMostBytesPerByte = 512;
}  // namespace byte_code

// Returns the code, or the bytes themselves if that would not be shorter.
std::string code_bytes(std::string_view bytes);

// Returns the `size` bytes of a code. Throws ModelError, whose message begins with `what`, if it is not the code of so
// many.
std::string decode_bytes(std::string_view code, size_t size, const char* what);

}  // namespace sapwood
