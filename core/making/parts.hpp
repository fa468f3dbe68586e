// Parsers, and what stands on taggers of rows, made of a model file; and the curves from margins to confidences.
#pragma once
#include <vector>

#include "making/row_tagger.hpp"
#include "model/calibration.hpp"
#include "parsing/parser.hpp"
#include "rewriting/splitter.hpp"
#include "segmenting/segmenter.hpp"

namespace sapwood::making {

// Each throws ModelError if the file does not hold such a model. `rows` is the tagger of the same file, which must outlive
// the answer. A parser's own tagger is a part of its file; only that it is there is checked.
Parser parser_of(const ModelFile& file);
Segmenter segmenter_of(const ModelFile& file, const RowTagger& rows);
Splitter splitter_of(const ModelFile& file, const RowTagger& rows);
Rewriter lemmatizer_of(const ModelFile& file, const RowTagger& rows);

// Template, clusters and columns of tags, which a parser and its trainer are both told beside options; and the labels. Both throw
// ModelError.
void describe(const ModelFile& file, ParserSpec& spec);
void set_labels(const ModelFile& file, ParserSpec& spec);

// The curves of a tagger, for labels and maybe chunks, or of a parser, for each stage of its decisions; none if it is not
// calibrated. Throws ModelError for a calibration of another kind.
std::vector<Curve> curves_of(const ModelFile& file);

}  // namespace sapwood::making
