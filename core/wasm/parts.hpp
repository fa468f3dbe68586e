// The parts of the core that a model file describes, as tasks/*/model.py make them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "features/template.hpp"
#include "file/model_file.hpp"
#include "model/calibration.hpp"
#include "parsing/parser.hpp"
#include "rewriting/lemma_lexicon.hpp"
#include "tagging/tagger_answers.hpp"
#include "tagging/tagger_explainer.hpp"

namespace sapwood::wasm {

using namespace file;

// The word lists of a model. Throws ModelError if they are not those that its template asks for.
std::vector<WordList> lists_of(const ModelFile& file, const Template& pattern);

// A tagger, with the labels as they are shown.
struct RowTagger {
    // Throws ModelError if the file does not hold a tagger.
    explicit RowTagger(const ModelFile& file);
    RowTagger(const RowTagger&) = delete;

    std::shared_ptr<const Lexicon> lexicon;
    Tagger tagger;
    TaggerAnswers answers;
    TaggerExplainer explainer;
};

// Throws ModelError if the file does not hold a parser.
std::unique_ptr<const Parser> parser_of(const ModelFile& file);

inline constexpr const char* kNotCalibrated =
    "the model is not calibrated, and scores are no probabilities; see 'sapwood calibrate'";

// The curves of the calibration of a model that is called `noun`, `fewest` to `most` of them; none if it is not calibrated.
// Throws ModelError for a calibration of another kind.
std::vector<Curve> curves_of(const CalibrationRecord& calibration, const char* noun, size_t fewest, size_t most);

// The lemmas that a lemmatizer knows. Throws ModelError.
LemmaLexicon lemmas_of(const ModelFile& file);

}  // namespace sapwood::wasm
