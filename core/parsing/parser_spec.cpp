#include "parsing/parser_spec.hpp"

#include <algorithm>

#include "features/arc_features.hpp"
#include "search/beam.hpp"
#include "search/easy_first.hpp"

namespace sapwood {

namespace {

// Eisner's charts take 16 n^2 bytes and the scores of the arcs 4 n^2 more: 2 GB for a sentence of this length.
constexpr size_t kLongestForEisner = 10000;

constexpr std::string_view kSections[] = {"arcs", "siblings", "transitions", "attachments", "labels"};

std::string_view trimmed(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::vector<size_t> ParserSpec::widths() const {
    std::vector<size_t> widths;
    if (search == ParserSearch::eisner)
        widths.assign(order, kArcOutputs);
    else if (search == ParserSearch::easy_first)
        widths.push_back(AttachmentOutputs{searched(), single_root}.width());
    else
        widths.push_back(TransitionOutputs{searched(), single_root}.width());
    if (labelling == Labelling::second_stage) widths.push_back(labels.size());
    return widths;
}

void ParserSpec::check() const {
    if (search == ParserSearch::eisner && labelling == Labelling::joint)
        throw OptionError("Eisner search scores arcs without labels; choose labels second-stage or none");
    if (search == ParserSearch::eisner && order != 1 && order != 2)
        throw OptionError("order is 1 or 2, not " + std::to_string(order));
    if (beam == 0) throw OptionError("the beam is at least 1");
    if (labelling == Labelling::none) return;
    for (const auto* some : {&root_labels, &left_labels, &right_labels}) {
        if (some->empty()) throw ModelError("there is no label to choose from");
        for (uint32_t label : *some)
            if (label >= labels.size()) throw ModelError("a label's number is too high");
    }
}

// The other sections' lines are left empty, so that errors name the right line.
Conjunctions ParserSpec::section(const std::string& name, const std::vector<std::string>& atoms) const {
    std::string text;
    bool anywhere = false, inside = false, found = false;  // in a section, in the one, was there one
    size_t number = 0;
    for (std::string_view rest = features; !rest.empty();) {
        ++number;
        const size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end), header = trimmed(line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (header.starts_with('[')) {
            const std::string_view known = header.substr(1, header.size() - 2);
            if (!header.ends_with(']') ||
                std::find(std::begin(kSections), std::end(kSections), known) == std::end(kSections))
                throw TemplateError("template:" + std::to_string(number) + ": there is no section " +
                                    std::string(header));
            anywhere = true;
            inside = known == name;
            found |= inside;
        } else if (inside) {
            text.append(line);
        } else if (!anywhere && !header.empty()) {
            throw TemplateError("template:" + std::to_string(number) + ": this line is before any [section]");
        }
        text.push_back('\n');
    }
    if (!found) throw TemplateError("template: the section [" + name + "] is missing");
    return Conjunctions(text, "template", atoms);
}

void read_words(const Conllu& data, size_t sentence, const ParserSpec& spec, Words& words) {
    const size_t n = data.end(sentence) - data.begin(sentence);
    if (spec.search == ParserSearch::eisner && n > kLongestForEisner)
        throw DataError(data.where(data.begin(sentence)) + ": " + std::to_string(n) +
                        " words are too many for Eisner search; split the sentence into parts of at most " +
                        std::to_string(kLongestForEisner) +
                        ", or use a parser with beam or easy-first search");
    words.clear();
    for (size_t w = data.begin(sentence); w < data.end(sentence); ++w) {
        const auto tag = [&](size_t k) { return k < spec.tags.size() ? data.cell(w, spec.tags[k]) : "_"; };
        words.add(data.cell(w, Field::form), tag(0), tag(1), tag(2));
    }
    words.end();
}

}  // namespace sapwood
