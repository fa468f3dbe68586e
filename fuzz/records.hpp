// Inputs that consist of named strings, such as the fields and arrays of a model file:
//
//     a byte: length of the name;  the name;  four bytes, little-endian: length of the content;  the content
//
// A fuzzer that changed such bytes at random would mostly break lengths. So one record is changed at a time, and all is
// written again. What is no record at the end of an input is ignored.
#pragma once
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sapwood::fuzz {

using Record = std::pair<std::string, std::string>;  // name, content

inline std::vector<Record> read_records(std::string_view bytes) {
    std::vector<Record> records;
    while (!bytes.empty()) {
        const size_t name = static_cast<unsigned char>(bytes[0]);
        if (bytes.size() < 1 + name + 4) break;
        size_t content = 0;
        for (size_t k = 0; k < 4; ++k) content |= size_t{static_cast<unsigned char>(bytes[1 + name + k])} << 8 * k;
        if (bytes.size() - 5 - name < content) break;
        records.emplace_back(bytes.substr(1, name), bytes.substr(5 + name, content));
        bytes.remove_prefix(5 + name + content);
    }
    return records;
}

inline std::string write_records(const std::vector<Record>& records) {
    std::string bytes;
    for (const auto& [name, content] : records) {
        bytes += static_cast<char>(name.size());
        bytes += name;
        for (size_t k = 0; k < 4; ++k) bytes += static_cast<char>(content.size() >> 8 * k & 255);
        bytes += content;
    }
    return bytes;
}

// A record's content as one number or as an array of numbers, whatever its length.
template <class T>
std::vector<T> numbers_of(std::string_view content) {
    std::vector<T> numbers(content.size() / sizeof(T));
    if (!numbers.empty()) std::memcpy(numbers.data(), content.data(), numbers.size() * sizeof(T));
    return numbers;
}
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(T)};
}

// The records by name. One that is missing is empty, and as a number 0.
class Records {
  public:
    explicit Records(std::string_view bytes) {
        for (auto& [name, content] : read_records(bytes)) by_name_[name] = std::move(content);
    }

    bool has(const std::string& name) const { return by_name_.contains(name); }
    const std::string& operator[](const std::string& name) const {
        static const std::string none;
        const auto at = by_name_.find(name);
        return at == by_name_.end() ? none : at->second;
    }
    template <class T = uint64_t>
    T number(const std::string& name) const {
        T number{};
        const std::string& content = (*this)[name];
        std::memcpy(&number, content.data(), std::min(sizeof(T), content.size()));
        return number;
    }
    template <class T>
    std::vector<T> numbers(const std::string& name) const {
        return numbers_of<T>((*this)[name]);
    }
    // The lines of a record, each without its end.
    std::vector<std::string> lines(const std::string& name) const {
        std::vector<std::string> lines;
        std::string_view rest = (*this)[name];
        while (!rest.empty()) {
            const size_t end = std::min(rest.find('\n'), rest.size());
            lines.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return lines;
    }
    const std::map<std::string, std::string>& all() const { return by_name_; }

  private:
    std::map<std::string, std::string> by_name_;
};

}  // namespace sapwood::fuzz
