#include "model/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/errors.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

namespace {

using Curves = std::vector<std::vector<double>>;
using Apply = std::function<void(double*)>;

[[noreturn]] void fail(const char* what = "its calibration is damaged") {
    throw ModelError(what);
}

// Divides by the sum; where nothing is left of it, each label has as much.
void normalise(double* shares, size_t labels) {
    const double sum = std::accumulate(shares, shares + labels, 0.0);
    for (size_t y = 0; y < labels; ++y) shares[y] = sum > 0 ? shares[y] / sum : 1 / static_cast<double>(labels);
}

// p_y = exp(s_y / T) / sum over y' of exp(s_y' / T)   (Guo et al. 2017); of several labels, p_y = 1 / (1 + exp(-s_y / T))
Apply by_temperature(const Curves& curves, size_t labels, bool several) {
    if (curves.size() != 1 || curves[0].size() != 1 || !std::isfinite(curves[0][0]) || curves[0][0] <= 0) fail();
    const double temperature = curves[0][0];
    if (several)
        return [=](double* scores) {
            for (size_t y = 0; y < labels; ++y) scores[y] = 1 / (1 + std::exp(-scores[y] / temperature));
        };
    return [=](double* scores) {
        const double largest = *std::max_element(scores, scores + labels);
        for (size_t y = 0; y < labels; ++y) scores[y] = std::exp((scores[y] - largest) / temperature);
        normalise(scores, labels);
    };
}

// p_y = curve of y at m_y, divided by their sum   (Zadrozny & Elkan 2002); m_y: the score less the best other one. Of
// several labels m_y is the score, and nothing is divided.
Apply by_curves(const Curves& curves, size_t labels, bool several) {
    if (curves.size() != labels) fail();
    const std::vector<Curve> of_label(curves.begin(), curves.end());
    if (several)
        return [=](double* scores) {
            for (size_t y = 0; y < labels; ++y) scores[y] = of_label[y].at(scores[y]);
        };
    return [=](double* scores) {
        double best = -std::numeric_limits<double>::infinity(), second = best;
        for (size_t y = 0; y < labels; ++y) {
            second = std::max(second, std::min(best, scores[y]));
            best = std::max(best, scores[y]);
        }
        for (size_t y = 0; y < labels; ++y) scores[y] = of_label[y].at(scores[y] - (scores[y] == best ? second : best));
        normalise(scores, labels);
    };
}

const std::map<std::string, Apply (*)(const Curves&, size_t, bool)> kMethods = {
    {"temperature", by_temperature},
    {"isotonic", by_curves},
};

}  // namespace

Curve::Curve(std::vector<double> points) : points_(std::move(points)) {
    bool rises = !points_.empty() && points_.size() % 2 == 0;
    for (size_t k = 0; rises && k < points_.size(); k += 2) {
        rises = std::isfinite(points_[k]) && points_[k + 1] >= 0 && points_[k + 1] <= 1;
        if (k > 0) rises = rises && points_[k] > points_[k - 2] && points_[k + 1] >= points_[k - 1];
    }
    if (!rises) fail("a curve of its calibration does not rise from margins to shares between 0 and 1");
}

double Curve::at(double margin) const {
    size_t low = 0, high = points_.size() / 2;  // the first point that is not left of the margin
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (points_[2 * middle] < margin)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return points_[1];
    const double* right = points_.data() + 2 * low;
    if (2 * low == points_.size()) return right[-1];
    return right[-1] + (right[1] - right[-1]) * (margin - right[-2]) / (right[0] - right[-2]);
}

Calibration::Calibration(const std::string& method, const Curves& curves, size_t labels, bool several) {
    const auto found = kMethods.find(method);
    if (found == kMethods.end()) fail();
    apply_ = found->second(curves, labels, several);
}

std::vector<double> checked_thresholds(std::vector<double> least, size_t labels) {
    if (least.size() == 1) least.resize(labels, least[0]);
    if (least.size() != labels || !std::ranges::all_of(least, [](double each) { return each >= 0 && each <= 2; }))
        fail("its abstention does not have one threshold, or one for each label");
    return least;
}

double best_temperature(const std::vector<std::vector<double>>& scores, const std::vector<std::vector<uint32_t>>& gold,
                        bool several) {
    // By temperature 1, the exponents of an example: scores, or how far they are from the best one.
    std::vector<std::vector<double>> exponents = scores;
    std::vector<std::vector<char>> has(scores.size());
    double size = 0;  // mean
    size_t cells = 0;
    if (gold.size() != scores.size()) throw DataError("examples and labels differ in number");
    for (size_t e = 0; e < scores.size(); ++e) {
        auto& row = exponents[e];
        if (row.empty()) throw DataError("an example has no scores");
        has[e].resize(row.size());
        for (uint32_t y : gold[e]) has[e].at(y) = 1;
        const double best = several ? 0 : *std::max_element(row.begin(), row.end());
        for (double& score : row) size += std::abs(score -= best);
        cells += row.size();
    }
    size = std::max(size / static_cast<double>(std::max<size_t>(cells, 1)), 1e-12);

    const auto loss = [&](double log_temperature) {
        const double temperature = size * std::exp(log_temperature);
        double total = 0;
        for (size_t e = 0; e < exponents.size(); ++e) {
            StopCheck::every(e);
            double sum = 0;
            for (size_t y = 0; y < exponents[e].size(); ++y) {
                const double scaled = exponents[e][y] / temperature;
                if (several) {
                    const double wrong = has[e][y] ? -scaled : scaled;  // log(1 + exp(wrong)), which may be large
                    total += std::max(wrong, 0.0) + std::log1p(std::exp(-std::abs(wrong)));
                } else {
                    sum += std::exp(scaled);
                    if (has[e][y]) total -= scaled;
                }
            }
            if (!several) total += std::log(sum);
        }
        return total;
    };
    const double ratio = (std::sqrt(5.0) - 1) / 2;
    double low = -12, high = 12;
    while (high - low > 1e-9) {
        const double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (loss(a) <= loss(b))
            high = b;
        else
            low = a;
    }
    return size * std::exp((low + high) / 2);
}

}  // namespace sapwood
