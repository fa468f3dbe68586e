// A set of names, numbered in the order of their first appearance.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sapwood {

class LabelSet {
  public:
    // Returns the number of a name, and adds the name if it is new.
    uint32_t number(std::string_view name) {
        if (const auto known = find(name)) return *known;
        const auto fresh = static_cast<uint32_t>(names_.size());
        names_.emplace_back(name);
        numbers_.emplace(name, fresh);
        return fresh;
    }
    std::optional<uint32_t> find(std::string_view name) const {
        const auto at = numbers_.find(name);
        return at == numbers_.end() ? std::nullopt : std::optional(at->second);
    }
    const std::string& name(uint32_t number) const { return names_[number]; }
    const std::vector<std::string>& names() const { return names_; }
    size_t size() const { return names_.size(); }

  private:
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    std::vector<std::string> names_;  // [labels]
    std::unordered_map<std::string, uint32_t, Hash, std::equal_to<>> numbers_;
};

}  // namespace sapwood
