// The names under which a tagger's labels are shown. Labels of the same name are one answer and are not compared with each
// other.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "text/label_set.hpp"

namespace sapwood {

class ShownLabels {
  public:
    explicit ShownLabels(std::vector<std::string> names) : names_(std::move(names)) {
        LabelSet different;
        for (const std::string& name : names_) numbers_.push_back(different.number(name));
        all_differ_ = different.size() == names_.size();
    }

    const std::vector<std::string>& names() const { return names_; }  // [labels]
    uint32_t number(size_t label) const { return numbers_[label]; }   // equal for labels of the same name
    bool alike(size_t a, size_t b) const { return number(a) == number(b); }
    bool all_differ() const { return all_differ_; }

    // The number of the labels of this name, if there are any.
    std::optional<uint32_t> find(const std::string& name) const {
        const auto at = std::ranges::find(names_, name);
        if (name.empty() || at == names_.end()) return std::nullopt;
        return number(static_cast<size_t>(at - names_.begin()));
    }

  private:
    std::vector<std::string> names_;
    std::vector<uint32_t> numbers_;  // [labels]
    bool all_differ_;
};

}  // namespace sapwood
