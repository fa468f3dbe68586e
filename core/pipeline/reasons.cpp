#include "pipeline/reasons.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "parsing/parser_explainer.hpp"
#include "rewriting/rewriting_rows.hpp"
#include "segmenting/place_explainer.hpp"
#include "text/plain_text.hpp"

namespace sapwood {

namespace {

constexpr size_t kSentencesAtOnce = 64;  // sentences that are explained together

// The forms and tags of words, which taggers read.
Columns word_rows(const Conllu& words) {
    Columns rows(4, words.name());
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

PipelineReasons::PipelineReasons(const DecidingParts& parts, Question question, const std::string& part, bool of_text)
    : parts_(parts), question_(std::move(question)), of_words_(part.empty()) {
    if (!of_words_ && std::ranges::find(parts.parts(), part, &DecidingPart::name) == parts.parts().end())
        throw OptionError("the pipeline's parts are " + parts.names() + "; got " + part);
    for (const DecidingPart& each : parts.parts()) {
        const bool makes_words = each.name == "segmenter" || each.name == "splitter";
        if ((of_words_ || each.name == part) && (of_text || !makes_words)) asked_.push_back(&each);
    }
    if (asked_.empty())
        throw OptionError("the words were given; " + (of_words_ ? parts.names() : part) + " did not make them");
}

void PipelineReasons::begin(const Conllu& words, std::string_view text) {
    std::string kept;
    text_ = plain_lines(text, kept, true);
    words_ = &words;
    begin_part();
}

std::optional<std::string> PipelineReasons::next(size_t threads) {
    if (words_ == nullptr) throw OptionError("there are no words yet to explain decisions about");
    for (; part_ < asked_.size(); ++part_, begin_part()) {
        while (begin_ < end_) {
            const size_t begin = begin_;
            begin_ = std::min(begin + kSentencesAtOnce, end_);
            const std::optional<std::string> found = lines(begin, begin_, threads);
            if (!found) continue;
            answered_ = true;
            return with_part(asked_[part_]->name, *found);
        }
    }
    if (!answered_ && !flaw_.empty()) throw OptionError(flaw_);
    return std::nullopt;
}

void PipelineReasons::begin_part() {
    begin_ = end_ = 0;
    if (part_ == asked_.size()) return;
    const DecidingPart& part = *asked_[part_];
    if (of_words_ && part.name == "segmenter" && (question_.sentence || question_.token)) return;
    if (part.tagger != nullptr) rows_ = rows();
    const size_t sentences = part.tagger ? rows_.sentences() : words_->sentences();
    begin_ = question_.sentence.value_or(0);
    end_ = question_.sentence ? begin_ + 1 : sentences;
    const bool of_splits = of_words_ && part.name == "splitter" && question_.token;  // it has no token where no word is
    if (question_.sentence && begin_ >= sentences && (of_splits || refuse(flaw_of(question_, sentences))))
        begin_ = end_;
    if (begin_ == end_ || of_splits) return;
    if (refuse(part.tagger ? part.tagger->flaw_of(question_) : sapwood::flaw_of(question_, parts_.parser()->spec())))
        begin_ = end_;
}

Columns PipelineReasons::rows() const {
    const std::string& name = asked_[part_]->name;
    if (name == "segmenter") return parts_.segmenter()->rows(text_);
    if (name == "splitter") return parts_.splitter()->rows(token_rows(*words_));
    return name == "lemmatizer" ? lemma_rows(*words_) : word_rows(*words_);
}

bool PipelineReasons::refuse(std::string flaw) {
    if (flaw.empty()) return false;
    flaw_ = std::move(flaw);
    return true;
}

std::optional<std::string> PipelineReasons::lines(size_t begin, size_t end, size_t threads) {
    const DecidingPart& part = *asked_[part_];
    if (part.tagger == nullptr) return explain_parses(*parts_.parser(), *words_, question_, begin, end, threads);
    if (part.name == "segmenter") return explain_places(*part.tagger, rows_, question_, begin, end);
    if (of_words_ && part.name == "splitter" && question_.token) return lines_of_splits(begin, end);
    return part.tagger->explain(rows_, question_, begin, end, threads);
}

// Splits are of tokens, and so the token is the one that a word is asked of.
std::optional<std::string> PipelineReasons::lines_of_splits(size_t begin, size_t end) {
    const TaggerExplainer& tagger = *asked_[part_]->tagger;
    std::optional<std::string> found;
    for (size_t s = begin; s < end; ++s) {
        const size_t first = words_->begin(s), word = first + *question_.token;
        if (word >= words_->end(s)) continue;
        size_t joined = 0;  // words before this one that are no tokens of their own
        for (const Conllu::Multiword& token : words_->multiwords())
            if (first <= token.begin && token.begin <= word) joined += std::min(token.end, word + 1) - token.begin - 1;
        const Question of_token{s, *question_.token - joined, question_.against};
        if (refuse(tagger.flaw_of(of_token))) return std::nullopt;
        found = found.value_or("") + tagger.explain(rows_, of_token, s, s + 1, 1);
    }
    return found;
}

}  // namespace sapwood
