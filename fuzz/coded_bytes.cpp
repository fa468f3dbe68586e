// Coded bytes of model files: the first two bytes are the size that is claimed, the rest is the code. What is decoded has
// that size, and codes to something that decodes to it again.
#include "base/coded_bytes.hpp"

#include "base/errors.hpp"
#include "target.hpp"

namespace sapwood::fuzz::coded_bytes {
namespace {

void check(std::string_view code, size_t size) {
    const std::string bytes = decode_bytes(code, size, "coded bytes");
    SAPWOOD_REQUIRE(bytes.size() == size);
    const std::string again = code_bytes(bytes);
    SAPWOOD_REQUIRE(again.size() <= bytes.size());
    if (again.size() < bytes.size()) SAPWOOD_REQUIRE(decode_bytes(again, size, "coded bytes") == bytes);
}

bool run(std::string_view input) {
    if (input.size() < 2) return false;
    const auto byte = [&](size_t k) { return size_t{static_cast<unsigned char>(input[k])}; };
    return reads<ModelError>("coded bytes", [&] { check(input.substr(2), byte(0) | byte(1) << 8); });
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    std::string words;
    for (size_t k = 0; k < 90; ++k) words += "\"label " + std::to_string(k * k % 37) + "\",";
    for (const std::string& text : {std::string(300, 'a'), words, words + std::string(700, '\0') + words}) {
        const auto size = [&](size_t k) { return static_cast<char>(text.size() >> 8 * k & 255); };
        all.push_back(std::string{size(0), size(1)} + code_bytes(text));
    }
    return all;
}

const Target target("coded_bytes", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::coded_bytes
