// Writes the answers of a classifier as text, one line per example:
//
//     label<TAB>margin                        the best label and the distance of its score from the second best
//     label<TAB>score<TAB>label<TAB>score ... the `top` best labels with their scores, if top > 0
//
// With a calibration the numbers are confidences, and in the first form the margin is the confidence of the best label.
// Ties go to the label with the lower number.
#pragma once
#include <string>
#include <vector>

#include "model/calibration.hpp"

namespace sapwood {

class LabelLines {
  public:
    // `calibration` may be null.
    LabelLines(const std::vector<std::string>& labels, size_t top, const Calibration* calibration)
        : labels_(labels), top_(top), calibration_(calibration) {}

    // The line of an example with these scores, [labels], which a calibration overwrites.
    std::string line(std::vector<double>& scores) const;

  private:
    const std::vector<std::string>& labels_;
    size_t top_;
    const Calibration* calibration_;
};

}  // namespace sapwood
