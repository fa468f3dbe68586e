#include "wasm/pipeline_model.hpp"

#include "file/context.hpp"
#include "pipeline/reasons.hpp"

namespace sapwood::wasm {

using namespace making;

PipelineModel::PipelineModel(const ModelFile& file) {
    require(!file.parts.empty(), "it has no part of the analysis");
    Pipeline::Parts parts;
    std::vector<DecidingPart> deciding;
    // The tagger of a part that the file has, with the name of its decisions and, if they are chunks, that of their column.
    const auto tagger_of = [&](const char* name, const char* decision = "", const char* chunks = "") {
        const ModelFile* part = file.part(name);
        const RowTagger& rows = *taggers_.emplace_back(std::make_unique<const RowTagger>(*part));
        const bool decides = *decision != '\0';
        deciding.push_back({name, &rows.explainer, decision, chunks, decides ? curves_of(*part) : std::vector<Curve>(),
                            decides ? part->calibration.least : std::vector<double>()});
        return &rows;
    };
    // The parser is made first: it needs the most memory while it is made, which the other parts get then.
    if (const ModelFile* part = file.part("parser")) parser_.reset(new Parser(parser_of(*part)));
    if (const ModelFile* part = file.part("segmenter"))
        segmenter_.reset(new Segmenter(segmenter_of(*part, *tagger_of("segmenter"))));
    if (const ModelFile* part = file.part("splitter"))
        splitter_.reset(new Splitter(splitter_of(*part, *tagger_of("splitter"))));
    if (file.part("tagger")) parts.tagger = &tagger_of("tagger", "tag")->tagger;
    if (file.part("morphology")) parts.morphology = &tagger_of("morphology", "feats")->tagger;
    if (const ModelFile* part = file.part("lemmatizer"))
        lemmatizer_.reset(new Rewriter(lemmatizer_of(*part, *tagger_of("lemmatizer"))));
    if (const ModelFile* part = file.part("parser"))
        deciding.push_back({"parser", nullptr, "arc", "", curves_of(*part), part->calibration.least});
    if (file.part("entities")) {
        const RowTagger* rows = tagger_of("entities", "name", "entity");
        parts.others.push_back({&rows->tagger, &rows->answers, "entity", "NER", "O"});
    }
    parts.segmenter = segmenter_.get();
    parts.splitter = splitter_.get();
    parts.lemmatizer = lemmatizer_.get();
    parts.parser = parser_.get();
    if (!file.familiarity.empty())
        parts.familiarity = &familiarity_.emplace(file.frequent, std::vector<size_t>(file.familiarity.size()));
    pipeline_.emplace(parts);
    deciding_.emplace(std::move(deciding), parts.segmenter, parts.splitter, parts.parser);
}

std::string PipelineModel::answer(const Json& asked) const {
    PipelineReasons reasons(*deciding_, question_in(asked), text_in(asked, "part"), true);
    const std::string conllu = text_in(asked, "conllu"), text = text_in(asked, "text");
    const Conllu words(conllu, nullptr, "text");
    reasons.begin(words, text);
    std::string found;
    while (const std::optional<std::string> lines = reasons.next(1)) found += *lines;
    return found;
}

}  // namespace sapwood::wasm
