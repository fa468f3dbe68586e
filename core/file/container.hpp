// The container of a model file: strict safetensors, as src/sapwood/model/file/container.py describes and writes it.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood::file {

constexpr uint64_t kHeaderLimit = 16 << 20;  // bytes

// A typed, shaped run of raw little-endian bytes.
struct Array {
    std::string dtype;
    std::vector<uint64_t> shape;
    std::string_view data;
    std::shared_ptr<const void> owner;  // of other bytes; null: those of the file
};

using Arrays = std::map<std::string, Array, std::less<>>;
using Metadata = std::map<std::string, std::string, std::less<>>;

struct Container {
    Metadata metadata;
    Arrays arrays;  // views of the file
};

// The bytes of a number of a dtype; 0 for an unknown dtype.
uint64_t item_size(std::string_view dtype);

// The beginning of a text, of at most 40 characters, in quotes, as messages have it: in ASCII, with escapes.
std::string quoted(std::string_view text);

// The digits of the checksum of a file, which stand in it.
std::string checksum(std::string_view file);

// Checks a file, each byte before it is believed. Throws ModelError with the reason at the first flaw.
Container read_container(std::string_view file);

}  // namespace sapwood::file
