#include "model/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/errors.hpp"
#include "base/stop_check.hpp"

namespace sapwood {

Calibration::Calibration(const std::string& method, std::vector<std::vector<double>> curves, size_t labels,
                         bool several)
    : curves_(std::move(curves)), labels_(labels), several_(several) {
    const auto fail = [] { throw ModelError("its calibration is damaged"); };
    if (method == "temperature")
        method_ = Method::temperature;
    else if (method == "sigmoid")
        method_ = Method::sigmoid;
    else if (method == "isotonic")
        method_ = Method::isotonic;
    else
        fail();
    if (curves_.size() != (method_ == Method::temperature ? 1 : labels)) fail();
    for (const auto& curve : curves_) {
        for (double value : curve)
            if (!std::isfinite(value)) fail();
        if (method_ == Method::temperature && (curve.size() != 1 || curve[0] <= 0)) fail();
        if (method_ == Method::sigmoid && curve.size() != 2) fail();
        if (method_ != Method::isotonic) continue;
        if (curve.empty() || curve.size() % 2 != 0) fail();
        for (size_t k = 0; k < curve.size(); k += 2)
            if ((k > 0 && curve[k] <= curve[k - 2]) || curve[k + 1] < 0 || curve[k + 1] > 1) fail();
    }
}

double Calibration::confidence(size_t label, double margin) const {
    const auto& curve = curves_[label];
    if (method_ == Method::sigmoid) return 1 / (1 + std::exp(curve[0] * margin + curve[1]));
    size_t k = 0;  // of the first point that is not left of the margin
    while (k < curve.size() && curve[k] < margin) k += 2;
    if (k == 0) return curve[1];
    if (k == curve.size()) return curve[k - 1];
    const double part = (margin - curve[k - 2]) / (curve[k] - curve[k - 2]);
    return curve[k - 1] + part * (curve[k + 1] - curve[k - 1]);
}

void Calibration::apply(double* scores) const {
    if (several_) {
        for (size_t y = 0; y < labels_; ++y)
            scores[y] = method_ == Method::temperature ? 1 / (1 + std::exp(-scores[y] / curves_[0][0]))
                                                       : confidence(y, scores[y]);
        return;
    }
    double sum = 0;
    if (method_ == Method::temperature) {
        const double largest = *std::max_element(scores, scores + labels_);
        for (size_t y = 0; y < labels_; ++y) sum += scores[y] = std::exp((scores[y] - largest) / curves_[0][0]);
    } else {
        // The best score and the second: what each label's margin is taken from.
        double best = -std::numeric_limits<double>::infinity(), second = best;
        for (size_t y = 0; y < labels_; ++y) {
            second = std::max(second, std::min(best, scores[y]));
            best = std::max(best, scores[y]);
        }
        for (size_t y = 0; y < labels_; ++y)
            sum += scores[y] = confidence(y, scores[y] - (scores[y] == best ? second : best));
    }
    for (size_t y = 0; y < labels_; ++y) scores[y] = sum > 0 ? scores[y] / sum : 1 / static_cast<double>(labels_);
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
