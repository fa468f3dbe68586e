// From scores to confidences. A perceptron's scores are no probabilities; a calibration, fitted on data that training did
// not see, makes them so.
//
// A curve says which share of the decisions with a margin is right; the margin is how far a decision is ahead of the best
// other one. It is interpolated between points (x, p), never falls (Zadrozny & Elkan 2002), and is level before its first
// and behind its last point. Taggers and parsers have a curve for each stage of a decision, classifiers a calibration
// of all labels, by one of the methods in calibration.cpp.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sapwood {

inline constexpr const char* kNotCalibrated =
    "the model is not calibrated, and scores are no probabilities; see 'sapwood calibrate'";

class Curve {
  public:
    // points: x and p in turn, x ascending, p from 0 to 1 and never falling. Throws ModelError for anything else.
    explicit Curve(std::vector<double> points);

    double at(double margin) const;

  private:
    std::vector<double> points_;
};

class Calibration {
  public:
    // curves: the numbers of the method. `several`: an example has any of the labels. Throws ModelError if they do not fit.
    Calibration(const std::string& method, const std::vector<std::vector<double>>& curves, size_t labels, bool several);

    // scores: [labels] become confidences, which add up to 1 where an example has one label.
    void apply(double* scores) const { apply_(scores); }

  private:
    std::function<void(double*)> apply_;
};

// The least confidence with which each of so many labels is given, of one for all or one for each. Throws ModelError if there
// are not so many, or if one is no share and not 2, of a label that is never given.
std::vector<double> checked_thresholds(std::vector<double> least, size_t labels);

// The temperature with the least log loss on scores [examples][labels]. gold: [examples], the numbers of the labels that an
// example has; one, unless `several`. The loss is convex in 1 / T, so it has one minimum in log T, which golden-section
// search finds.
double best_temperature(const std::vector<std::vector<double>>& scores, const std::vector<std::vector<uint32_t>>& gold,
                        bool several);

}  // namespace sapwood
