#include "pipeline/deciding_parts.hpp"

#include <algorithm>
#include <limits>

#include "base/errors.hpp"
#include "text/chunks.hpp"

namespace sapwood {

namespace {

bool of_chunks(const DecidingPart& part) {
    return !part.chunks.empty() && part.curves.size() == 2;
}

bool has_confidences(const DecidingPart& part) {
    return !part.decision.empty() && !part.curves.empty();
}

// The types of chunks, sorted, or else the labels.
std::vector<std::string> kinds_of(const DecidingPart& part) {
    std::vector<std::string> kinds;
    for (const std::string& label : part.tagger->shown().names()) {
        if (of_chunks(part) && (label.size() < 2 || label[1] != '-')) continue;
        const std::string kind = of_chunks(part) ? label.substr(2) : label;
        const auto at = of_chunks(part) ? std::ranges::lower_bound(kinds, kind) : std::ranges::find(kinds, kind);
        if (at == kinds.end() || *at != kind) kinds.insert(at, kind);
    }
    return kinds;
}

// A chunk or, without a curve for chunks, a label, and how sure the tagger is of it.
struct Decided {
    std::string kind;
    size_t begin, end;
    double confidence;
};

// The decisions about some words. The margin of a chunk is the least one of its words.
std::vector<Decided> decisions(const DecidingPart& part, const Columns& words, size_t threads) {
    const std::vector<double> margins = part.tagger->margins(words, threads);
    const std::vector<Label> labels = part.tagger->tagger().tag(words, threads);
    std::vector<Decided> found;
    for (size_t s = 0; s < words.sentences(); ++s) {
        std::vector<std::string> names;
        for (size_t w = words.begin(s); w < words.end(s); ++w) {
            names.push_back(part.tagger->shown().names()[labels[w]]);
            if (!of_chunks(part)) found.push_back({names.back(), w, w + 1, part.curves[0].at(margins[w])});
        }
        const auto keep = [&](const Chunk& chunk) {
            const size_t begin = words.begin(s) + chunk.begin, end = words.begin(s) + chunk.end;
            double least = margins[begin];
            for (size_t w = begin + 1; w < end; ++w) least = std::min(least, margins[w]);
            found.push_back({std::string(chunk.type), begin, end, part.curves[1].at(least)});
        };
        if (of_chunks(part)) each_chunk(names, keep, [](size_t) {});
    }
    return found;
}

}  // namespace

DecidingParts::DecidingParts(std::vector<DecidingPart> parts, const Segmenter* segmenter, const Splitter* splitter,
                             const Parser* parser)
    : parts_(std::move(parts)), segmenter_(segmenter), splitter_(splitter), parser_(parser) {
    for (DecidingPart& part : parts_) {
        if ((part.tagger == nullptr && parser == nullptr) || (part.name == "segmenter" && segmenter == nullptr) ||
            (part.name == "splitter" && splitter == nullptr))
            throw ModelError("there is no model of the part " + part.name);
        const bool in_stages = part.tagger == nullptr && parser->spec().labelling == Labelling::second_stage;
        const size_t curves = part.curves.size(), most = part.tagger != nullptr || in_stages ? 2 : 1;
        if (curves > most || (in_stages && curves == 1))
            throw ModelError("the calibration of the part " + part.name + " has not as many curves as it has stages");
        if (part.least.empty()) continue;
        if (part.tagger == nullptr || part.curves.empty()) throw ModelError("only a calibrated tagger can abstain");
        part.least = checked_thresholds(std::move(part.least), kinds_of(part).size());
    }
}

std::string DecidingParts::names() const {
    std::string found;
    for (const DecidingPart& part : parts_) found += (found.empty() ? "" : ", ") + part.name;
    return found;
}

bool DecidingParts::is_calibrated() const {
    return std::ranges::any_of(parts_, has_confidences);
}

void DecidingParts::check() const {
    if (std::ranges::all_of(parts_, &std::string::empty, &DecidingPart::decision))
        throw ModelError("there are no confidences of " + names() + "; there are of tags, trees and names");
    if (!is_calibrated()) throw ModelError(kNotCalibrated);
    for (const DecidingPart& part : parts_)
        if (has_confidences(part) && !part.chunks.empty() && !of_chunks(part))
            throw ModelError("the model was calibrated on labels that are not chunks");
}

void DecidingParts::add_confidences(Doc& doc, size_t threads) const {
    check();
    for (const DecidingPart& part : parts_) {
        if (!has_confidences(part)) continue;
        std::erase_if(doc.confidences, [&](const auto& earlier) { return earlier.decision == part.decision; });
        doc.confidences.push_back({part.decision, confidences(part, doc, threads)});
    }
}

std::vector<double> DecidingParts::confidences(const DecidingPart& part, const Doc& doc, size_t threads) const {
    if (part.tagger != nullptr) {
        std::vector<double> found(doc.word_count(), std::numeric_limits<double>::quiet_NaN());
        for (const Decided& each : decisions(part, doc.words, threads))
            for (size_t w = each.begin; w < each.end; ++w) found[w] = each.confidence;
        return found;
    }
    Parser::Margins margins = parser_->margins(treebank_of({&doc}, "document"), threads);
    for (double& each : margins.arcs) each = part.curves[0].at(each);
    for (size_t w = 0; w < margins.relations.size(); ++w) margins.arcs[w] *= part.curves[1].at(margins.relations[w]);
    return margins.arcs;
}

void DecidingParts::abstain(Doc& doc, size_t threads) const {
    for (const DecidingPart& part : parts_) {
        const Doc::Column* names = doc.column(part.chunks);
        if (part.least.empty() || names == nullptr) continue;
        Doc::Column given = *names, unsure{"abstained", "Abstained", names->nothing, {}};
        unsure.cells.assign(given.cells.size(), doc.words.keep(given.nothing));
        const std::vector<std::string> kinds = kinds_of(part);
        for (const auto& [kind, begin, end, confidence] : decisions(part, doc.words, threads)) {
            if (confidence >= part.least[static_cast<size_t>(std::ranges::find(kinds, kind) - kinds.begin())]) continue;
            for (size_t w = begin; w < end; ++w) std::swap(given.cells[w], unsure.cells[w]);
        }
        doc.add(std::move(given));
        doc.add(std::move(unsure));
    }
}

}  // namespace sapwood
