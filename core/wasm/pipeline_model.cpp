#include "wasm/pipeline_model.hpp"

#include <algorithm>

#include "file/context.hpp"
#include "parsing/parser_explainer.hpp"
#include "rewriting/rewriting_rows.hpp"
#include "segmenting/place_explainer.hpp"
#include "text/plain_text.hpp"

namespace sapwood::wasm {

using namespace making;

namespace {

// Parts whose decisions have confidences, and the names of these.
struct Decision {
    std::string_view part;
    const char* name;
    bool of_chunks = false;
};
constexpr Decision kDecisions[] = {
    {"tagger", "tag"}, {"morphology", "feats"}, {"parser", "arc"}, {"entities", "name", true}};

// The forms and tags of words, which taggers read.
Columns word_rows(const Conllu& words) {
    Columns rows(4, "text");
    for (size_t s = 0; s < words.sentences(); ++s) {
        for (size_t w = words.begin(s); w < words.end(s); ++w)
            for (const Field field : {Field::form, Field::upos, Field::xpos, Field::feats})
                rows.add_cell(words.cell(w, field));
        rows.end_sentence();
    }
    return rows;
}

// Lines of JSON with the name of a part at the head of each.
std::string with_part(const std::string& part, std::string_view lines) {
    std::string found;
    while (!lines.empty()) {
        const size_t end = lines.find('\n') + 1;
        found += "{\"part\": \"" + part + "\", ";
        found += lines.substr(1, end - 1);
        lines.remove_prefix(end);
    }
    return found;
}

}  // namespace

PipelineModel::PipelineModel(const ModelFile& file) {
    require(!file.parts.empty(), "it has no part of the analysis");
    Pipeline::Parts parts;
    // The parser is made first: it needs the most memory while it is made, which the other parts get then.
    const ModelFile* parser = file.part("parser");
    if (parser != nullptr) {
        require(parser->parts.empty(), "its parser has a tagger of its own, which JavaScript cannot use");
        parser_.reset(new Parser(parser_of(*parser)));
    }
    if (const ModelFile* part = file.part("segmenter")) {
        segmenter_.reset(new Segmenter(segmenter_of(*part, add_rows("segmenter", *part))));
        parts.segmenter = segmenter_.get();
    }
    if (const ModelFile* part = file.part("splitter")) {
        splitter_.reset(new Splitter(splitter_of(*part, add_rows("splitter", *part))));
        parts.splitter = splitter_.get();
    }
    if (const ModelFile* part = file.part("tagger")) parts.tagger = &add_rows("tagger", *part).tagger;
    if (const ModelFile* part = file.part("morphology")) parts.morphology = &add_rows("morphology", *part).tagger;
    if (const ModelFile* part = file.part("lemmatizer")) {
        lemmatizer_.reset(new Rewriter(lemmatizer_of(*part, add_rows("lemmatizer", *part))));
        parts.lemmatizer = lemmatizer_.get();
    }
    if (parser != nullptr) {
        parts.parser = parser_.get();
        parts_.push_back({"parser", nullptr, curves_of(*parser)});
    }
    if (const ModelFile* part = file.part("entities")) {
        const RowTagger& rows = add_rows("entities", *part);
        parts.others.push_back({&rows.tagger, &rows.answers, "entity", "NER", "O"});
    }
    if (!file.familiarity.empty())
        parts.familiarity = &familiarity_.emplace(file.frequent, std::vector<size_t>(file.familiarity.size()));
    pipeline_.emplace(parts);
}

const RowTagger& PipelineModel::add_rows(const char* name, const ModelFile& file) {
    return *parts_.emplace_back(name, std::make_unique<const RowTagger>(file), curves_of(file)).rows;
}

std::vector<PartConfidence> PipelineModel::confidences() const {
    std::vector<PartConfidence> found;
    std::string names;
    bool any = false;
    for (const Part& part : parts_) {
        names += (names.empty() ? "" : ", ") + part.name;
        const auto decision = std::ranges::find(kDecisions, part.name, &Decision::part);
        if (decision == std::end(kDecisions)) continue;
        any = true;
        if (part.curves.empty()) continue;
        found.push_back({decision->name, part.rows ? &part.rows->explainer : nullptr, parser_.get(),
                         decision->of_chunks, part.curves});
    }
    require(any, "there are no confidences of " + names + "; there are of tags, trees and names");
    require(!found.empty(), kNotCalibrated);
    return found;
}

void PipelineModel::add_confidences(Doc& doc) const {
    for (const PartConfidence& part : confidences()) doc.confidences.push_back({part.decision, part.of(doc)});
}

std::string PipelineModel::answer(const Json& asked) const {
    const std::string wanted = text_in(asked, "part"), conllu = text_in(asked, "conllu"), text = text_in(asked, "text");
    std::string names;
    for (const Part& part : parts_) names += (names.empty() ? "" : ", ") + part.name;
    if (!wanted.empty() && std::ranges::find(parts_, wanted, &Part::name) == parts_.end())
        throw OptionError("the pipeline's parts are " + names + "; got " + wanted);
    const Conllu words(conllu, nullptr, "text");
    const Question question = question_in(asked);
    std::string kept;
    const Asked about{std::string(plain_lines(text, kept, true)), words, question, wanted.empty()};
    std::string found, flaw;
    bool any = false;
    for (const Part& part : parts_) {
        if (!wanted.empty() && part.name != wanted) continue;
        const std::optional<std::string> of_part = lines(part, about, flaw);
        any = any || of_part;
        if (of_part) found += with_part(part.name, *of_part);
    }
    if (!any && !flaw.empty()) throw OptionError(flaw);
    return found;
}

Columns PipelineModel::rows_of(const Part& part, const Asked& asked) const {
    if (part.name == "segmenter") return segmenter_->rows(asked.text);
    if (part.name == "splitter") return splitter_->rows(token_rows(asked.words));
    if (part.name == "lemmatizer") return lemma_rows(asked.words);
    return word_rows(asked.words);
}

std::optional<std::string> PipelineModel::lines(const Part& part, const Asked& asked, std::string& flaw) const {
    const Question& question = asked.question;
    const bool is_segmenter = part.name == "segmenter";
    if (asked.of_words && is_segmenter && (question.sentence || question.token)) return std::nullopt;
    if (asked.of_words && part.name == "splitter" && question.token) return lines_of_splits(part, asked, flaw);
    const Columns rows = part.rows ? rows_of(part, asked) : Columns(1, "text");
    const size_t sentences = part.rows ? rows.sentences() : asked.words.sentences();
    std::string wrong = flaw_of(question, sentences);
    if (wrong.empty() && sentences == 0) return std::nullopt;
    if (wrong.empty())
        wrong = part.rows ? part.rows->explainer.flaw_of(question) : sapwood::flaw_of(question, parser_->spec());
    if (!wrong.empty()) {
        flaw = wrong;
        return std::nullopt;
    }
    if (!part.rows) return explain_parses(*parser_, asked.words, question, 0, sentences, 1);
    if (is_segmenter) return explain_places(part.rows->explainer, rows, question, 0, sentences);
    return part.rows->explainer.explain(rows, question, 0, sentences, 1);
}

// Splits are of tokens, and so the token is the one that a word is asked of.
std::optional<std::string> PipelineModel::lines_of_splits(const Part& part, const Asked& asked,
                                                          std::string& flaw) const {
    const Columns rows = rows_of(part, asked);
    const size_t place = *asked.question.token;
    std::optional<std::string> found;
    for (size_t s = 0; s < asked.words.sentences(); ++s) {
        const size_t begin = asked.words.begin(s), word = begin + place;
        if (!asked.question.asks_sentence(s) || word >= asked.words.end(s)) continue;
        size_t joined = 0;  // words before this one that are no tokens of their own
        for (const Conllu::Multiword& token : asked.words.multiwords())
            if (begin <= token.begin && token.begin <= word) joined += std::min(token.end, word + 1) - token.begin - 1;
        const Question of_token{s, place - joined, asked.question.against};
        if (const std::string wrong = part.rows->explainer.flaw_of(of_token); !wrong.empty()) {
            flaw = wrong;
            return std::nullopt;
        }
        found = found.value_or("") + part.rows->explainer.explain(rows, of_token, s, s + 1, 1);
    }
    return found;
}

}  // namespace sapwood::wasm
