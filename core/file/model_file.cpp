#include "file/model_file.hpp"

#include <cstring>

#include "file/context.hpp"

namespace sapwood::file {

template <class T>
std::vector<T> numbers_of(std::string_view bytes) {
    std::vector<T> numbers(bytes.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
    return numbers;
}

template std::vector<uint16_t> numbers_of(std::string_view);
template std::vector<uint32_t> numbers_of(std::string_view);
template std::vector<uint64_t> numbers_of(std::string_view);

const ModelFile* ModelFile::part(std::string_view name) const {
    for (const auto& [key, model] : parts)
        if (key == name) return &model;
    return nullptr;
}

template <class T>
std::vector<T> ModelFile::numbers(const std::string& name, const char* dtype) const {
    const auto at = extra.find(name);
    if (at == extra.end()) return {};
    require(at->second.dtype == dtype, "its array 'extra." + name + "' is not a list of " + dtype);
    return numbers_of<T>(at->second.data);
}

template std::vector<uint16_t> ModelFile::numbers(const std::string&, const char*) const;
template std::vector<uint32_t> ModelFile::numbers(const std::string&, const char*) const;
template std::vector<uint64_t> ModelFile::numbers(const std::string&, const char*) const;

std::string_view ModelFile::bytes(const std::string& name) const {
    const auto at = extra.find(name);
    if (at == extra.end()) return {};
    require(at->second.dtype == "U8", "its array 'extra." + name + "' is not a list of U8");
    return at->second.data;
}

}  // namespace sapwood::file
