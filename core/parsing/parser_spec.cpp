#include "parsing/parser_spec.hpp"

#include <algorithm>
#include <numeric>

#include "features/arc_features.hpp"
#include "search/beam.hpp"
#include "search/easy_first.hpp"
#include "text/label_set.hpp"

namespace sapwood {

namespace {

// Eisner's charts take 16 n^2 bytes and the scores of the arcs 4 n^2 more: 2 GB for a sentence of this length.
constexpr size_t kLongestForEisner = 10000;

// Words of a sentence that takes about five seconds to parse, by order; in order 2 that is so where the arcs tie, and no
// head can be left out (see EisnerParser), otherwise a quarter of it.
constexpr size_t kSlowForEisner[] = {1300, 600};

constexpr std::string_view kSections[] = {"arcs", "siblings", "transitions", "attachments", "labels"};

std::string_view stripped(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::vector<size_t> ParserSpec::widths() const {
    std::vector<size_t> widths;
    if (traits().whole)
        widths.assign(order, kArcOutputs);
    else if (traits().shifts)
        widths.push_back(TransitionOutputs{searched(), single_root}.width());
    else
        widths.push_back(AttachmentOutputs{searched(), single_root}.width());
    if (labelling == Labelling::second_stage) widths.push_back(labels.size());
    return widths;
}

std::vector<std::vector<uint32_t>> ParserSpec::outputs_of(const ParserSpec& before) const {
    std::vector<std::vector<uint32_t>> found;
    for (const size_t width : before.widths()) {
        found.emplace_back(width);
        std::iota(found.back().begin(), found.back().end(), 0);
    }
    if (labelling != Labelling::joint) return found;
    if (!traits().shifts) {
        const AttachmentOutputs then{before.relations(), single_root}, now{relations(), single_root};
        for (uint32_t output = 0; output < then.width(); ++output)
            found[0][output] = now.output(then.attachment(output));
        return found;
    }
    // Shift, then the labels of the root's children, of left and of right ones.
    uint32_t then = 1, now = 1;
    for (const auto part : {&ParserSpec::root_labels, &ParserSpec::left_labels, &ParserSpec::right_labels}) {
        for (const uint32_t label : before.*part)
            found[0][then++] =
                now + static_cast<uint32_t>(std::ranges::lower_bound(this->*part, label) - (this->*part).begin());
        now += static_cast<uint32_t>((this->*part).size());
    }
    return found;
}

void ParserSpec::check() const {
    if (traits().whole && labelling == Labelling::joint)
        throw OptionError("Eisner search scores arcs without labels; choose labels second-stage or none");
    if (traits().whole && order != 1 && order != 2) throw OptionError("order is 1 or 2, not " + std::to_string(order));
    if (beam == 0) throw OptionError("the beam is at least 1");
    if (labelling == Labelling::none) return;
    for (const auto* some : {&root_labels, &left_labels, &right_labels}) {
        if (some->empty()) throw ModelError("there is no label to choose from");
        for (uint32_t label : *some)
            if (label >= labels.size()) throw ModelError("a label's number is too high");
    }
}

void ParserSpec::set_labels(const std::vector<std::string>& all, const std::vector<std::string>& root,
                            const std::vector<std::string>& left, const std::vector<std::string>& right) {
    LabelSet set;
    for (const std::string& label : all) set.number(label);
    labels = set.names();
    const auto numbers = [&](const std::vector<std::string>& names) {
        std::vector<uint32_t> result;
        for (const std::string& name : names) {
            const auto number = set.find(name);
            if (!number || (!result.empty() && *number <= result.back()))
                throw ModelError("its root, left or right labels are not some of its labels in their order");
            result.push_back(*number);
        }
        return result;
    };
    root_labels = numbers(root);
    left_labels = numbers(left);
    right_labels = numbers(right);
}

bool ParserSpec::looks_at_clusters(std::string_view features) {
    for (size_t at = 0; at < features.size();) {
        const size_t end = std::min(features.find('\n', at), features.size());
        const std::string_view line = stripped(features.substr(at, end - at));
        for (size_t from = 0, to = 0; to < line.size(); from = to + 1) {
            to = std::min(line.find_first_of(" \t\r", from), line.size());
            if (ClusterAtoms::has(line.substr(from, to - from))) return true;
        }
        at = end + 1;
    }
    return false;
}

// The other sections' lines are left empty, so that errors name the right line.
Conjunctions ParserSpec::section(const std::string& name, const std::vector<std::string>& atoms) const {
    std::string text;
    bool anywhere = false, inside = false, found = false;  // in a section, in the one, was there one
    size_t number = 0;
    for (std::string_view rest = features; !rest.empty();) {
        ++number;
        const size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end), header = stripped(line);
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
    return Conjunctions(text, "template", atoms, clusters == nullptr ? &ClusterAtoms::has : nullptr);
}

void read_words(const Conllu& data, size_t sentence, const ParserSpec& spec, Words& words) {
    const size_t n = data.end(sentence) - data.begin(sentence);
    if (spec.traits().whole && n > kLongestForEisner)
        throw DataError(data.where(data.begin(sentence)) + ": " + std::to_string(n) +
                        " words are too many for Eisner search; split the sentence into parts of at most " +
                        std::to_string(kLongestForEisner) + ", or use a parser with beam or easy-first search");
    add_words(
        data.begin(sentence), data.end(sentence), spec, [&](size_t w, Field field) { return data.cell(w, field); },
        words);
}

std::string slow_sentence(const Conllu& data, const ParserSpec& spec) {
    if (!spec.traits().whole) return {};
    size_t longest = 0, words = 0;
    for (size_t s = 0; s < data.sentences(); ++s)
        if (const size_t n = data.end(s) - data.begin(s); n > words) longest = s, words = n;
    // read_words refuses what is longer than the longest.
    if (words <= kSlowForEisner[spec.order == 1 ? 0 : 1] || words > kLongestForEisner) return {};
    return data.where(data.begin(longest)) + ": Eisner search of order " + std::to_string(spec.order) +
           " is slow in a sentence of " + std::to_string(words) +
           " words, as its time grows with the cube of the length; Ctrl-C ends it; split the sentence, or use a "
           "parser with beam or easy-first search";
}

}  // namespace sapwood
