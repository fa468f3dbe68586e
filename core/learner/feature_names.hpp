// The texts of features, by table and number, for those who want to read their model. A key does not tell its text, so
// a trainer that is to name its features spells each one when it first meets it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "learner/state.hpp"
#include "text/utf8.hpp"

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

    // The state (learner/state.hpp): of each table how many names there are, and of each name its length and bytes.
    template <class State>
    void state(State s) {
        std::vector<uint32_t> tables, lengths;
        std::vector<char> text;
        if constexpr (!State::kReads)
            for (const auto& table : names_) {
                tables.push_back(static_cast<uint32_t>(table.size()));
                for (const std::string& name : table) {
                    lengths.push_back(static_cast<uint32_t>(name.size()));
                    text.insert(text.end(), name.begin(), name.end());
                }
            }
        s("tables", tables);
        s("lengths", lengths);
        s("text", text);
        if constexpr (State::kReads) read(s, tables, lengths, text);
    }

  private:
    void read(const StateReader& s, const std::vector<uint32_t>& tables, const std::vector<uint32_t>& lengths,
              const std::vector<char>& text) {
        names_.clear();
        size_t next = 0, begin = 0;
        for (const uint32_t count : tables) {
            s.require(count <= lengths.size() - next, "tables", "has more names than there are");
            auto& table = names_.emplace_back();
            for (const size_t end = next + count; next < end; ++next) {
                s.require(lengths[next] <= text.size() - begin, "lengths", "has more bytes than there are");
                const std::string& name = table.emplace_back(text.data() + begin, lengths[next]);
                s.require(find_invalid_utf8(name) == std::string::npos, "text", "is not UTF-8");
                begin += lengths[next];
            }
        }
        s.require(next == lengths.size() && begin == text.size(), "lengths", "does not fit the texts");
    }

    std::vector<std::vector<std::string>> names_;  // [tables][features + 1]
};

}  // namespace sapwood
