// Keys of features that are made by joining values one after another. A JoinTrace, while it exists, records what this
// thread joins, so that the text of a key can be made.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.hpp"

namespace sapwood {

// The value of everything beyond the ends of a sentence or of a list of children.
constexpr uint64_t kBoundary = 0x5C0DE;

class JoinTrace {
  public:
    // Records all keys that this thread joins until the trace is destroyed.
    JoinTrace() : before_(current_) { current_ = this; }
    ~JoinTrace() { current_ = before_; }
    JoinTrace(const JoinTrace&) = delete;
    JoinTrace& operator=(const JoinTrace&) = delete;

    static JoinTrace* current() { return current_; }

    // Gives a text to a value, or to the value that keys begin with.
    void name(uint64_t value, std::string_view text) { names_.try_emplace(value, text); }
    void joined(uint64_t key, uint64_t value, uint64_t result) { from_.try_emplace(result, Step{key, value}); }

    // The text of a key: the name of the value that it begins with, then the joined values, such as "rule NP DT NN". A
    // value without a name is shown as a number.
    std::string text(uint64_t key) const {
        std::vector<uint64_t> values;
        for (auto at = from_.find(key); at != from_.end() && !names_.contains(key); at = from_.find(key)) {
            values.push_back(at->second.value);
            key = at->second.key;
        }
        std::string text = name_of(key);
        for (auto value = values.rbegin(); value != values.rend(); ++value) text += " " + name_of(*value);
        return text;
    }

  private:
    struct Step {
        uint64_t key, value;
    };

    std::string name_of(uint64_t value) const {
        const auto known = names_.find(value);
        if (known != names_.end()) return known->second;
        if (value == kBoundary) return "<end>";
        return from_.contains(value) ? "(" + text(value) + ")" : std::to_string(value);
    }

    inline static thread_local JoinTrace* current_ = nullptr;
    JoinTrace* before_;
    std::unordered_map<uint64_t, Step> from_;          // joined key -> the key before, and the value joined to it
    std::unordered_map<uint64_t, std::string> names_;  // value -> text
};

// Combines a key with more values, in order.
template <class... Values>
uint64_t join(uint64_t key, Values... values) {
    const auto add = [&](uint64_t value) {
        const uint64_t before = key;
        key = combine(key, value);
        if (JoinTrace* trace = JoinTrace::current()) [[unlikely]]
            trace->joined(before, value, key);
    };
    (add(static_cast<uint64_t>(values)), ...);
    return key;
}

// The bucket of a size: 0 to 5 exactly, then powers of two.
inline uint64_t bucket(size_t n) {
    return n <= 5 ? n : 3 + std::bit_width(n);
}

}  // namespace sapwood
