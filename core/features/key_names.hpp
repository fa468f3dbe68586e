// Collects the texts of known feature keys. A model stores keys only, and the text of a feature is spelled anew from
// the template and the data.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sapwood {

class KeyNames {
  public:
    // `keys` are in ascending order, and must outlive this object.
    explicit KeyNames(const std::vector<uint64_t>& keys) : keys_(keys), names_(keys.size()) {}

    // Sets the name of a key to text(), unless the key is unknown or has a name already.
    template <class Text>
    void add(uint64_t key, Text&& text) {
        const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
        if (at == keys_.end() || *at != key) return;
        if (std::string& name = names_[static_cast<size_t>(at - keys_.begin())]; name.empty()) name = text();
    }

    // The names, in the order of the keys; "" where none was added.
    std::vector<std::string> all() && { return std::move(names_); }

  private:
    const std::vector<uint64_t>& keys_;
    std::vector<std::string> names_;  // [keys]
};

}  // namespace sapwood
