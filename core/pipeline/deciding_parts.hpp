// The parts of a pipeline as those who decide: how sure they are of what they have found for the words of a document. These are
// the shares of decisions with the same margins that are right, which the curves of a calibration say. A decision of two
// stages, such as a word's head and then its relation, has the product of both. Why they decide so, reasons.hpp says.
#pragma once
#include <string>
#include <vector>

#include "model/calibration.hpp"
#include "parsing/parser.hpp"
#include "rewriting/splitter.hpp"
#include "segmenting/segmenter.hpp"
#include "tagging/tagger_explainer.hpp"
#include "text/doc.hpp"

namespace sapwood {

struct DecidingPart {
    std::string name;                         // in the model file
    const TaggerExplainer* tagger = nullptr;  // of its decisions; null: it is the parser
    std::string decision;                     // as Doc::Confidences has it; empty: there are no confidences
    std::string chunks;  // the column of a document that has its labels, if these are chunks; else empty
    std::vector<Curve>
        curves;  // of labels and, where these are chunks, of chunks; of arcs and, in a second stage, relations
    std::vector<double> least;  // confidence of a chunk that is given: one, or one for each type; none: all are given
};

class DecidingParts {
  public:
    // The parts are in the order in which they work. They, and the segmenter, splitter and parser among them, which may be
    // null, must outlive this object. Throws ModelError if a part has no model, too few or too many curves, or not a least
    // confidence for each type of chunks.
    DecidingParts(std::vector<DecidingPart> parts, const Segmenter* segmenter, const Splitter* splitter,
                  const Parser* parser);

    const std::vector<DecidingPart>& parts() const { return parts_; }
    const Segmenter* segmenter() const { return segmenter_; }
    const Splitter* splitter() const { return splitter_; }
    const Parser* parser() const { return parser_; }
    std::string names() const;  // of the parts, for messages

    // Whether a part has confidences; and throws ModelError if none has, or if chunks are to have them and have no curve.
    bool is_calibrated() const;
    void check() const;

    // Keeps with a document how sure each calibrated part is of each word; all words of a chunk have its confidence. Throws
    // as `check` does.
    void add_confidences(Doc& doc, size_t threads) const;

    // Puts chunks of which their part is not sure enough into the column "abstained", which a document then has.
    void abstain(Doc& doc, size_t threads) const;

  private:
    std::vector<double> confidences(const DecidingPart& part, const Doc& doc, size_t threads) const;

    std::vector<DecidingPart> parts_;
    const Segmenter* segmenter_;
    const Splitter* splitter_;
    const Parser* parser_;
};

}  // namespace sapwood
