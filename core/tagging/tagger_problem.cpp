#include "tagging/tagger_problem.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "tagging/path_difference.hpp"
#include "text/chunks.hpp"

namespace sapwood {

TaggerProblem::TaggerProblem(size_t label, Extractor extractor, const TaggerOptions& options)
    : options_(options),
      label_(label),
      extractor_(std::move(extractor)),
      spec_{options.search, options.order, {}},
      label_hashes_(spec_),
      starts_(1, 0),
      labels_(options.scratch) {
    check_options();
    for (const std::string& name : options.known_labels)
        if (number_of_.try_emplace(name, static_cast<Label>(number_of_.size())).second) spec_.labels.push_back(name);
    if (!options.dictionary.empty()) values_ = Store<uint64_t>(options.scratch);
    if (labels_join_late()) label_keys_ = Store<uint64_t>(options.scratch);
    for (unsigned reach = 0; reach <= encoded_reach(); ++reach)
        encoded_[spec_.table_of(reach)].lines += extractor_.lines(reach);
    for (Encoded& e : encoded_)
        if (e.lines > 0) e.features = Store<uint32_t>(options.scratch);
    label_hashes_ = LabelHashes(spec_);
}

// An output of a table is a label and, before it, the labels to its left; a boundary has the number behind the last label.
std::vector<std::vector<uint32_t>> TaggerProblem::outputs_of_known() const {
    const SequenceSpec before{spec_.search, spec_.order, options_.known_labels};
    const size_t labels = before.labels.size();
    if (labels == 0) return {};
    const auto label_of = [&](size_t y) { return static_cast<Label>(y < labels ? y : spec_.labels.size()); };
    std::vector<std::vector<uint32_t>> found(before.tables());
    for (size_t t = 0; t < found.size(); ++t) {
        found[t].resize(before.cells(t), UINT32_MAX);
        for (size_t output = 0; output < before.width(t); ++output) {
            const auto y = static_cast<Label>(output % labels);
            const size_t left = output / labels;
            const Label h = label_of(left % (labels + 1)), g = label_of(left / (labels + 1));
            found[t][t == 0 ? output : before.cell(output)] = t == 0   ? y
                                                              : t == 1 ? spec_.bigram_cell(h, y)
                                                                       : spec_.trigram_cell(g, h, y);
        }
    }
    return found;
}

void TaggerProblem::check_options() const {
    if (labels_join_late() && options_.training.batch > 1)
        throw OptionError(
            "batches need gold history, and not easiest-first search: features of labels that are only known "
            "in the search become known one after the other");
    if (labels_join_late() && options_.training.prune_below > 1)
        throw OptionError(
            "prune_below needs gold history, and not easiest-first search: features of labels that are only "
            "known in training's search cannot be counted before");
    if (labels_join_late() && options_.training.names && !options_.scratch.empty())
        throw OptionError(
            "names of features of labels that are only known in training's search need the data in memory: leave "
            "out names or stream, or take gold history");
    if (spec_.traits().whole && spec_.order == 2 && extractor_.lines(2) == 0)
        throw OptionError("order 2 needs a template line that looks at two labels, such as U:%y[-2]/%y[-1]");
    if (!options_.dictionary.empty() && !spec_.traits().takes_dictionary)
        throw OptionError("a tag dictionary does not go with " + std::string(spec_.traits().name) + " search");
}

void TaggerProblem::check(const Columns& data) const {
    if (data.width() <= label_) throw DataError(data.where(0) + ": there is no label column");
    if (data.width() < extractor_.pattern().columns_needed())
        throw DataError(data.where(0) + ": the template reads column " +
                        std::to_string(extractor_.pattern().columns_needed() - 1) + ", the data has fewer columns");
    for (const size_t column : options_.dictionary)
        if (column >= data.width()) throw DataError(data.where(0) + ": there is no column for the tag dictionary");
    if (tokens() + data.tokens() > UINT32_MAX) throw DataError(data.name() + ": more than 2^32 tokens");
}

void TaggerProblem::add(const Columns& data, Learner& learner, FeatureNames* names) {
    scratch_.reset();  // whose size the labels determine
    if (data.tokens() == 0) return;
    check(data);
    data_ = &data;
    if (data.has_values() && !has_values_) {
        has_values_ = true;
        feature_values_ = Store<float>(options_.scratch);
        const size_t before = tokens() * encoded_[0].lines;
        std::fill_n(feature_values_.extend(before), before, 1.0f);
    }
    starts_.reserve(examples() + data.sentences() + 1);
    labels_.reserve(tokens() + data.tokens());
    for (Encoded& e : encoded_) e.features.reserve((tokens() + data.tokens()) * e.lines);
    for (size_t s = 0; s < data.sentences(); ++s) {
        const size_t begin = data.begin(s), end = data.end(s);
        read_labels(data, begin, end);
        encode(data, begin, end, learner, names);
        std::ranges::copy(gold_, labels_.extend(gold_.size()));
        starts_.push_back(tokens());
    }
}

// Reads the labels of one sentence, and what they tell the tag dictionary.
void TaggerProblem::read_labels(const Columns& data, size_t begin, size_t end) {
    const size_t known = spec_.labels.size();
    const auto add = [&](std::string_view cell) {
        StopCheck::after(100);
        std::string name(cell);
        const auto [at, fresh] = number_of_.try_emplace(name, static_cast<Label>(number_of_.size()));
        if (fresh && name.find_first_of("\t\n\r") != std::string::npos)
            throw DataError(data.where(begin + gold_.size()) + ": the label has a tab or a line end in it");
        if (fresh) spec_.labels.push_back(std::move(name));
        gold_.push_back(at->second);
    };
    gold_.clear();
    if (options_.iobes) {
        std::vector<std::string_view> cells;
        for (size_t t = begin; t < end; ++t) cells.push_back(data.cell(t, label_));
        for (const std::string& name : bio_to_iobes(cells)) add(name);
    } else {
        for (size_t t = begin; t < end; ++t) add(data.cell(t, label_));
    }
    if (spec_.labels.size() > known) label_hashes_ = LabelHashes(spec_);
    if (options_.dictionary.empty()) return;
    for (size_t t = begin; t < end; ++t) {
        const uint64_t value = TagDictionary::value_of(data, options_.dictionary, t);
        values_.push_back(value);
        allowed_[value].insert(gold_[t - begin]);
    }
}

// Turns the sentence whose labels were read last into feature numbers.
void TaggerProblem::encode(const Columns& data, size_t begin, size_t end, Learner& learner, FeatureNames* names) {
    constexpr size_t ahead = 16;
    const size_t n = end - begin;
    const size_t label_lines = labels_join_late() ? extractor_.label_lines() : 0;
    extractor_.read(data, begin, end, workspace_);
    if (const size_t lines = encoded_[0].lines; has_values_) {
        float* values = feature_values_.extend(n * lines);
        std::fill_n(values, n * lines, 1.0f);
        extractor_.values(0, data, begin, end, values, lines);
    }
    uint32_t* to = nullptr;
    size_t first = 0;  // line of its table
    for (unsigned reach = 0; reach <= encoded_reach(); ++reach) {
        const auto table = static_cast<uint32_t>(spec_.table_of(reach));
        const size_t lines = extractor_.lines(reach), stride = encoded_[table].lines;
        WeightTable& weights = learner.table(table);
        if (reach == 0 || table > 0) {
            to = encoded_[table].features.extend(n * stride);
            first = 0;
        }
        keys_.resize(n * lines);
        extractor_.keys(reach, workspace_, keys_.data(), lines);
        if (spec_.joins_labels() && reach > 0)
            for (size_t i = 0, k = 0; k < keys_.size(); ++i)
                for (const auto labels = label_hashes_(gold_before(i)); k < (i + 1) * lines; ++k)
                    keys_[k] = with_labels(keys_[k], reach, labels);
        for (size_t k = 0; k < std::min(ahead, keys_.size()); ++k) weights.prefetch_feature(keys_[k]);
        size_t k = 0;
        for (size_t i = 0; i < n; ++i) {
            uint32_t* out = to + i * stride + first;
            StopCheck::every(i);
            for (size_t line = 0; line < lines; ++line, ++k) {
                if (k + ahead < keys_.size()) weights.prefetch_feature(keys_[k + ahead]);
                out[line] = keys_[k] == kNoFeature ? 0 : weights.intern(keys_[k]);
                if (names == nullptr || out[line] == 0) continue;
                names->add(table, out[line], [&] {
                    return feature_text(spec_, extractor_, reach, line, data, begin, end, begin + i, gold_before(i));
                });
            }
        }
        first += lines;
    }
    if (label_lines > 0) extractor_.label_keys(workspace_, label_keys_.extend(n * label_lines));
}

void TaggerProblem::finish(Learner& learner) {
    if (tokens() == 0) throw DataError("there is no sentence to train on");
    spec_.check_size();
    for (size_t t = 0; t < spec_.tables(); ++t) learner.table(t).set_width(spec_.cells(t));
    if (!options_.dictionary.empty()) {
        dictionary_ = TagDictionary(options_.dictionary, allowed_);
        dictionary_.add(options_.known_dictionary);
        allowed_.clear();
    }
    labels_.seal();
    values_.seal();
    label_keys_.seal();
    feature_values_.seal();
    for (Encoded& e : encoded_) e.features.seal();
    scratch_ = scratch();
    workspace_ = {};
}

// The labels to the left of a token of the sentence whose labels were read last, in gold history.
LabelContext<Label> TaggerProblem::gold_before(size_t i) const {
    const Label none = boundary_label(spec_.labels.size());
    return {i >= 2 ? gold_[i - 2] : none, i > 0 ? gold_[i - 1] : none, none, none};
}

template <class Visit>
void TaggerProblem::each_store(Visit&& visit) {
    const auto times = [this](size_t items) { return [this, items](size_t k) { return starts_[k] * items; }; };
    visit(labels_, times(1));
    if (!options_.dictionary.empty()) visit(values_, times(1));
    if (labels_join_late()) visit(label_keys_, times(extractor_.label_lines()));
    if (has_values_) visit(feature_values_, times(encoded_[0].lines));
    for (Encoded& e : encoded_)
        if (e.lines > 0) visit(e.features, times(e.lines));
}

void TaggerProblem::arrange(std::span<const uint32_t> order, size_t from, size_t group) {
    each_store([&](auto& store, const auto& starts) { store.arrange(order, from, group, starts); });
}

void TaggerProblem::reach(std::span<const uint32_t> order, size_t position) {
    each_store([&](auto& store, const auto& starts) { store.reach(order, position, starts); });
}

std::unique_ptr<TaggerProblem::Scratch> TaggerProblem::scratch() const {
    return std::make_unique<Scratch>(Scratch{{spec_, extractor_},
                                             label_search<float>(spec_.search, spec_.sizes(extractor_)),
                                             AlignedVector<float>(spec_.stride())});
}

}  // namespace sapwood
