#include "features/feature_rows.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "base/stop_check.hpp"
#include "text/plain_text.hpp"
#include "text/sentences.hpp"

namespace sapwood {

namespace {

// One line of SVM-light's format.
class SvmLine {
  public:
    SvmLine(std::string_view text, std::string where)
        : rest_(text.substr(0, text.find('#'))), where_(std::move(where)) {}

    // The next run of characters that are not spaces; empty at the end.
    std::string_view next() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
        const size_t stop = std::min(rest_.find_first_of(" \t\r"), rest_.size());
        const std::string_view word = rest_.substr(0, stop);
        rest_.remove_prefix(stop);
        return word;
    }

    // Parses "INDEX:VALUE".
    std::pair<uint64_t, double> feature(std::string_view word) const {
        const size_t colon = std::min(word.find(':'), word.size());
        const auto index = number<uint64_t>(word.substr(0, colon));
        const auto value = number<double>(word.substr(std::min(colon + 1, word.size())));
        if (!index || !value) fail("'" + std::string(word) + "' is not INDEX:VALUE");
        return {*index, *value};
    }

    [[noreturn]] void fail(const std::string& what) const { throw DataError(where_ + ": " + what); }
    const std::string& where() const { return where_; }

  private:
    template <class T>
    static std::optional<T> number(std::string_view text) {
        if (text.starts_with('+')) text.remove_prefix(1);
        T value{};
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
        return value;
    }

    std::string_view rest_;
    std::string where_;
};

}  // namespace

void FeatureRows::clear() {
    starts_.resize(1);
    keys_.clear();
    values_.clear();
}

void FeatureRows::add(uint64_t key) {
    keys_.push_back(key);
    if (!values_.empty()) values_.push_back(1);
}

void FeatureRows::add(uint64_t key, float value) {
    if (values_.empty() && value != 1) values_.resize(keys_.size(), 1);
    keys_.push_back(key);
    if (!values_.empty() || value != 1) values_.push_back(value);
}

const char* FeatureRows::flaw_of(double value) {
    if (std::isnan(value)) return "a value is not a number (NaN)";
    if (std::isinf(value)) return "a value is infinite";
    return std::abs(value) > kLargest ? "a value is larger than 1e15; scale the features" : nullptr;
}

FeatureRows FeatureRows::select(const std::vector<size_t>& rows) const {
    FeatureRows chosen;
    for (size_t row : rows) {
        for (size_t k = begin(row); k < end(row); ++k)
            binary() ? chosen.add(keys_[k]) : chosen.add(keys_[k], values_[k]);
        chosen.end_row();
        StopCheck::after(4 * (end(row) - begin(row)));
    }
    return chosen;
}

std::vector<uint32_t> FeatureRows::sizes() const {
    std::vector<uint32_t> sizes;
    for (size_t row = 0; row < size(); ++row) sizes.push_back(static_cast<uint32_t>(end(row) - begin(row)));
    return sizes;
}

FeatureRows FeatureRows::unpack(const std::vector<uint32_t>& sizes, const std::vector<uint64_t>& keys,
                                const std::vector<float>& values) {
    const auto total = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
    if (total != keys.size() || (!values.empty() && total != values.size()))
        throw ModelError("the sizes of rows of features do not match the number of keys or values");
    FeatureRows rows;
    size_t k = 0;
    for (const uint32_t size : sizes) {
        for (const size_t end = k + size; k < end; ++k) {
            if (values.empty())
                rows.add(keys[k]);
            else
                rows.add_checked(keys[k], static_cast<double>(values[k]),
                                 [&] { return "feature " + std::to_string(k + 1) + " of the support"; });
        }
        rows.end_row();
    }
    return rows;
}

std::pair<FeatureRows, Answers> FeatureRows::read_svmlight(std::string_view bytes, const std::string& name,
                                                           size_t first_line) {
    const auto kept = check_text(bytes, name, first_line);
    std::pair<FeatureRows, Answers> read{{}, Answers(name)};
    auto& [rows, answers] = read;
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    size_t number = first_line;
    for (size_t at = 0; at < bytes.size(); ++number) {
        const size_t end = std::min(bytes.find('\n', at), bytes.size());
        SvmLine line(bytes.substr(at, end - at), name + ":" + std::to_string(number));
        StopCheck::after(8 * (end + 1 - at));
        at = end + 1;
        std::string_view word = line.next();
        if (word.empty()) continue;
        const bool has_label = word.find(':') == std::string_view::npos;
        answers.add(has_label ? word : std::string_view(), number);
        if (has_label) word = line.next();
        std::optional<uint64_t> before;
        for (; !word.empty(); word = line.next()) {
            if (!before && word.starts_with("qid:")) continue;
            const auto [index, value] = line.feature(word);
            if (before && index <= *before)
                line.fail("feature " + std::to_string(index) + " comes after " + std::to_string(*before) +
                          "; the indices of a line ascend");
            before = index;
            rows.add_checked(hash_bytes(std::to_string(index)), value,
                             [&] { return line.where() + ": feature " + std::to_string(index); });
        }
        rows.end_row();
    }
    return read;
}

uint64_t row_hash(const FeatureRows& rows, size_t row) {
    uint64_t sum = 0;
    for (size_t k = rows.begin(row); k < rows.end(row); ++k)
        sum += combine(rows.keys()[k], std::bit_cast<uint32_t>(rows.binary() ? 1.0F : rows.values()[k]));
    return combine(sum, rows.end(row) - rows.begin(row));
}

std::vector<uint64_t> sentence_hashes(const FeatureRows& rows) {
    std::vector<uint64_t> found(rows.size());
    std::vector<size_t> features(rows.size());
    for (size_t row = 0; row < rows.size(); ++row) {
        features[row] = rows.end(row) - rows.begin(row);
        StopCheck::after(features[row]);
        found[row] = row_hash(rows, row);
    }
    forget_short(found, features);
    return found;
}

}  // namespace sapwood
