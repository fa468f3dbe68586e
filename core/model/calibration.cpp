#include "model/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/errors.hpp"

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

}  // namespace sapwood
