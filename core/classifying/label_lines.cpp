#include "classifying/label_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "text/answers.hpp"
#include "text/numbers.hpp"

namespace sapwood {

namespace {

const std::string kNoLabel = "_";

void append(std::string& line, double number) {
    append_rounded(line, number, 6);
}

}  // namespace

std::string LabelLines::line_of_any(std::vector<double>& scores) const {
    const std::vector<double> decided = scores;
    if (calibration_ != nullptr) calibration_->apply(scores.data());
    std::string text;
    double least = std::numeric_limits<double>::infinity();
    for (size_t y = 0; y < decided.size(); ++y) {
        const bool has = decided[y] > 0;
        if (has) text += (text.empty() ? "" : std::string(1, Answers::kBetween)) + labels_[y];
        least = std::min(least, calibration_ == nullptr ? std::abs(decided[y]) : has ? scores[y] : 1 - scores[y]);
    }
    if (!is_given(0, least)) text = kNoLabel;
    text += '\t';
    append(text, least);
    return text + '\n';
}

std::string LabelLines::line(std::vector<double>& scores) const {
    if (several_ && top_ == 0) return line_of_any(scores);
    if (calibration_ != nullptr) calibration_->apply(scores.data());
    std::vector<size_t> order(scores.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const size_t count = std::min(std::max<size_t>(top_, 2), order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [&](size_t a, size_t b) { return scores[a] > scores[b] || (scores[a] == scores[b] && a < b); });
    const bool is_kept = top_ > 0 || is_given(order[0], scores[order[0]]);
    std::string text = (is_kept ? labels_[order[0]] : kNoLabel) + '\t';
    if (top_ == 0) {
        append(text, scores[order[0]] - (calibration_ != nullptr ? 0 : scores[order[count - 1]]));
    } else {
        append(text, scores[order[0]]);
        for (size_t k = 1; k < std::min(top_, count); ++k) {
            text += '\t' + labels_[order[k]] + '\t';
            append(text, scores[order[k]]);
        }
    }
    return text + '\n';
}

}  // namespace sapwood
