// The gold labels of examples, and the line of the input file on which each label stands.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "text/label_set.hpp"

namespace sapwood {

class Answers {
  public:
    static constexpr uint32_t kNone = UINT32_MAX;  // no label
    static constexpr char kBetween = '|';          // between the labels of an example that has several, as one text

    explicit Answers(std::string name) : name_(std::move(name)) {}

    // Adds an example. An empty label means that the label is unknown. `line` is its line number in the file, 0 if it
    // does not come from a file. Throws DataError if the label contains a tab or a line end.
    void add(std::string_view label, size_t line) {
        if (label.find_first_of("\t\n\r") != std::string_view::npos)
            throw DataError(next(line) + ": the label has a tab or a line end in it");
        gold_.push_back(label.empty() ? kNone : labels_.number(label));
        if (line > 0) lines_.push_back(line);
    }

    size_t size() const { return gold_.size(); }
    const std::vector<uint32_t>& gold() const { return gold_; }  // [examples] numbers of labels, or kNone
    const std::vector<std::string>& labels() const { return labels_.names(); }  // in order of first appearance
    const std::string& name() const { return name_; }

    // "name:line" of an example, for messages.
    std::string where(size_t example) const { return place(example, lines_.empty() ? 0 : lines_[example]); }
    // "name:line" of the example that will be added next.
    std::string next(size_t line) const { return place(size(), line); }

  private:
    std::string place(size_t example, size_t line) const {
        return name_ + (line > 0 ? ":" + std::to_string(line) : ": example " + std::to_string(example + 1));
    }

    std::string name_;
    LabelSet labels_;
    std::vector<uint32_t> gold_;
    std::vector<size_t> lines_;  // [examples] line numbers; empty if the examples do not come from a file
};

}  // namespace sapwood
