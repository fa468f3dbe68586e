// From scores to confidences. A perceptron's scores are no probabilities; a calibration, fitted on data that training
// did not see, makes them so. m_y is the margin of label y: its score less the best other one.
//
//     temperature   p_y = exp(s_y / T) / sum over y' of exp(s_y' / T)                  (Guo et al. 2017)
//     sigmoid       p_y = 1 / (1 + exp(a_y m_y + b_y)), then divided by their sum      (Platt 1999)
//     isotonic      p_y interpolated between the points (x_y, p_y), divided likewise   (Zadrozny & Elkan 2002)
//
// Where an example has any of the labels, each is a decision of its own: m_y is its score, nothing is divided by a sum,
// and
//
//     temperature   p_y = 1 / (1 + exp(-s_y / T))
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sapwood {

class Calibration {
  public:
    // method: "temperature" (curves: [[T]]), "sigmoid" ([labels] [a, b]) or "isotonic" ([labels] x and p in turn, x
    // ascending). `several`: an example has any of the labels. Throws ModelError for anything else.
    Calibration(const std::string& method, std::vector<std::vector<double>> curves, size_t labels,
                bool several = false);

    // scores: [labels] become confidences, which add up to 1 where an example has one label.
    void apply(double* scores) const;

  private:
    enum class Method { temperature, sigmoid, isotonic };

    double confidence(size_t label, double margin) const;

    Method method_;
    std::vector<std::vector<double>> curves_;
    size_t labels_;
    bool several_;
};

// The temperature with the least log loss on scores [examples][labels]. gold: [examples], the numbers of the labels that an
// example has; one, unless `several`. The loss is convex in 1 / T, so it has one minimum in log T, which golden-section
// search finds.
double best_temperature(const std::vector<std::vector<double>>& scores, const std::vector<std::vector<uint32_t>>& gold,
                        bool several);

}  // namespace sapwood
