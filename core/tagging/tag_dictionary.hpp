// A tag dictionary (Ratnaparkhi 1996): the labels that training data have with each value of one column, or each
// combination of values of several. A tagger with
// a dictionary chooses among these labels only; where there is one, nothing is scored. A value that training data do
// not have allows every label.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "search/lattice.hpp"
#include "text/columns.hpp"

namespace sapwood {

class TagDictionary {
  public:
    // A dictionary that allows every label everywhere.
    TagDictionary() = default;

    // The labels that training data have with each value (see value_of) in `columns`.
    using Allowed = std::map<uint64_t, std::set<Label>>;
    TagDictionary(std::vector<size_t> columns, const Allowed& allowed);

    // From a model file: the values' hashes, and for each the number of labels and the labels. Throws ModelError if the
    // hashes are not sorted, or if the labels are not below `label_count`, sorted, and at least one for each value.
    TagDictionary(std::vector<size_t> columns, std::vector<uint64_t> values, std::span<const uint32_t> packed,
                  size_t label_count);

    // Allows what another dictionary of the same columns does, too.
    void add(const TagDictionary& other);

    bool empty() const { return values_.empty(); }
    size_t columns_needed() const;  // the smallest number of cells per input row
    // The arrays of the model file, as the second constructor takes them.
    const std::vector<uint64_t>& values() const { return values_; }
    std::vector<uint32_t> packed() const;

    // The labels allowed for a token, in ascending order; none if all are.
    std::span<const Label> operator()(const Columns& data, size_t token) const {
        return empty() ? std::span<const Label>() : find(value_of(data, columns_, token));
    }
    std::span<const Label> find(uint64_t value) const;  // the same for a token with this value

    // The hash of a token's values in these columns.
    static uint64_t value_of(const Columns& data, std::span<const size_t> columns, size_t token);

  private:
    void set(const Allowed& allowed);

    std::vector<size_t> columns_;
    std::vector<uint64_t> values_;  // [V] hashes, sorted
    std::vector<uint32_t> first_;   // [V + 1] first label of each value in labels_
    std::vector<Label> labels_;     // of all values, one after another
};

}  // namespace sapwood
