// Writes the answers of a classifier as text, one line per example:
//
//     label<TAB>margin                        the best label and the distance of its score from the second best
//     label<TAB>score<TAB>label<TAB>score ... the `top` best labels with their scores, if top > 0
//
// With a calibration the numbers are confidences, and in the first form the margin is the confidence of the best label.
// Ties go to the label with the lower number.
//
// Where an example has any of the labels, those with scores above 0, the first form is
//
//     label|label<TAB>margin                  its labels, maybe none, and the distance from 0 of the score nearest to it;
//                                             with a calibration the least of the confidences in the decisions
//
// In place of labels of which the model is not sure enough there is _.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "model/calibration.hpp"

namespace sapwood {

class LabelLines {
  public:
    // `calibration` may be null; `several`: an example has any of the labels. `least`: [labels] the least confidence of an
    // answer in the first form; of several labels the first one counts, and without any all answers are given.
    LabelLines(const std::vector<std::string>& labels, bool several, size_t top, const Calibration* calibration,
               std::span<const double> least = {})
        : labels_(labels), several_(several), top_(top), calibration_(calibration), least_(least) {}

    // The line of an example with these scores, [labels], which a calibration overwrites.
    std::string line(std::vector<double>& scores) const;

  private:
    std::string line_of_any(std::vector<double>& scores) const;
    bool is_given(size_t label, double confidence) const { return least_.empty() || confidence >= least_[label]; }

    const std::vector<std::string>& labels_;
    bool several_;
    size_t top_;
    const Calibration* calibration_;
    std::span<const double> least_;
};

}  // namespace sapwood
