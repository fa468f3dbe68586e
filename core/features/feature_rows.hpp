// Examples as rows of a sparse matrix, each feature by its 64-bit key: what every kind of input to a classifier
// becomes, texts by way of a template (document_features.hpp), and numbers that users computed themselves.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/answers.hpp"

namespace sapwood {

// The name of the feature that every example has.
constexpr std::string_view kBias = "bias";

class FeatureRows {
  public:
    size_t size() const { return starts_.size() - 1; }
    size_t begin(size_t row) const { return starts_[row]; }
    size_t end(size_t row) const { return starts_[row + 1]; }
    const std::vector<uint64_t>& keys() const { return keys_; }
    const std::vector<float>& values() const { return values_; }  // empty if all are 1
    bool binary() const { return values_.empty(); }

    void clear();
    void add(uint64_t key);
    void add(uint64_t key, float value);
    void end_row() { starts_.push_back(keys_.size()); }
    // Adds a value from outside; 0 is no feature. Throws DataError if it is not finite or larger than kLargest; `where`
    // says where it stands.
    template <class Where>
    void add_checked(uint64_t key, double value, Where&& where) {
        if (const char* flaw = flaw_of(value)) throw DataError(where() + ": " + flaw);
        if (const auto single = static_cast<float>(value); single != 0) add(key, single);
    }

    // The same features in the rows of these numbers, in their order.
    FeatureRows select(const std::vector<size_t>& rows) const;

    // SVM-light's format: "LABEL INDEX:VALUE INDEX:VALUE # comment", the indices ascending; the features are called
    // by their indices. Throws DataError with name:line.
    static std::pair<FeatureRows, Answers> read_svmlight(std::string_view bytes, const std::string& name,
                                                         size_t first_line);

    static constexpr double kLargest = 1e15;  // products and sums of so large values are finite in float32

  private:
    static const char* flaw_of(double value);  // nullptr if there is none

    std::vector<size_t> starts_ = {0};  // [rows + 1]
    std::vector<uint64_t> keys_;        // [features]
    std::vector<float> values_;         // [features], or empty
};

}  // namespace sapwood
