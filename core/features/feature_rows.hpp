// Examples as rows of a sparse matrix whose columns are 64-bit feature keys. All input to classifiers and rerankers
// takes this form: documents through a template (document_features.hpp), and features that users computed themselves.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/answers.hpp"

namespace sapwood {

// The name of the feature that every example has with value 1.
constexpr std::string_view kBias = "bias";

class FeatureRows {
  public:
    size_t size() const { return starts_.size() - 1; }
    size_t begin(size_t row) const { return starts_[row]; }
    size_t end(size_t row) const { return starts_[row + 1]; }
    const std::vector<uint64_t>& keys() const { return keys_; }
    const std::vector<float>& values() const { return values_; }  // empty if all values are 1
    bool binary() const { return values_.empty(); }

    void clear();
    void add(uint64_t key);
    void add(uint64_t key, float value);
    void end_row() { starts_.push_back(keys_.size()); }
    // Adds a feature whose value comes from a user; a value of 0 adds nothing. Throws DataError if the value is not
    // finite or exceeds kLargest. where() gives the place for the message.
    template <class Where>
    void add_checked(uint64_t key, double value, Where&& where) {
        if (const char* flaw = flaw_of(value)) throw DataError(where() + ": " + flaw);
        if (const auto single = static_cast<float>(value); single != 0) add(key, single);
    }

    // The rows with these numbers, in this order.
    FeatureRows select(const std::vector<size_t>& rows) const;

    // The number of features in each row; and the inverse, which makes rows from these sizes, their keys, and their
    // values, which may be empty if all are 1. Throws ModelError if the numbers do not match, DataError for a value
    // that add_checked refuses.
    std::vector<uint32_t> sizes() const;
    static FeatureRows unpack(const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& keys,
                              const std::vector<float>& values);

    // Reads SVM-light's format: "LABEL INDEX:VALUE INDEX:VALUE # comment", with ascending indices. The index is the
    // name of the feature. A line without LABEL is an example whose label is unknown, or that has none of several. Throws
    // DataError with name:line.
    static std::pair<FeatureRows, Answers> read_svmlight(std::string_view bytes, const std::string& name,
                                                         size_t first_line);

    static constexpr double kLargest = 1e15;   // products and sums of such values remain finite in float32
    static const char* flaw_of(double value);  // why a value is refused; nullptr if it is not

  private:
    std::vector<size_t> starts_ = {0};  // [rows + 1]
    std::vector<uint64_t> keys_;        // [features]
    std::vector<float> values_;         // [features], or empty
};

// A hash of a row's features and values, in whatever order they are.
uint64_t row_hash(const FeatureRows& rows, size_t row);

// The hash of each row; 0 for those that may come twice by chance (text/sentences.hpp).
std::vector<uint64_t> sentence_hashes(const FeatureRows& rows);

}  // namespace sapwood
