// The texts of features, by table and number, for those who want to read their model. A key does not tell its text, so
// a trainer that is to name its features spells each one when it first meets it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sapwood {

class FeatureNames {
  public:
    // text() spells the feature; it is called once for each feature.
    template <class Text>
    void add(uint32_t table, uint32_t feature, Text&& text) {
        if (names_.size() <= table) names_.resize(table + 1);
        if (names_[table].size() <= feature) names_[table].resize(feature + 1);
        if (std::string& name = names_[table][feature]; name.empty()) name = text();
    }

    // The text of a feature; empty if nobody has spelled it.
    const std::string& operator()(uint32_t table, uint32_t feature) const {
        static const std::string none;
        return table < names_.size() && feature < names_[table].size() ? names_[table][feature] : none;
    }

  private:
    std::vector<std::vector<std::string>> names_;  // [tables][features + 1]
};

}  // namespace sapwood
