// How sure a part of a pipeline is of what it has found for the words of a document: its margins, and the share of decisions
// with such margins that are right, which the curves of a calibration say. A decision of two stages, such as a word's head
// and then its relation, has the product of both.
#pragma once
#include <string>
#include <vector>

#include "model/calibration.hpp"
#include "parsing/parser.hpp"
#include "tagging/tagger_explainer.hpp"
#include "text/doc.hpp"

namespace sapwood {

struct PartConfidence {
    std::string decision;                     // the name of its decisions, as Doc::Confidences has it
    const TaggerExplainer* tagger = nullptr;  // either this or the parser
    const Parser* parser = nullptr;
    bool of_chunks = false;  // labels are chunks: all words of a chunk have its confidence, others have none
    std::vector<Curve>
        curves;  // of labels and, where these are chunks, of chunks; of arcs and, in a second stage, relations

    // The confidence of each word. Throws ModelError if chunks are asked for that have no curve.
    std::vector<double> of(const Doc& doc) const;
};

}  // namespace sapwood
