#include "tagging/tagger_trainer.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/errors.hpp"
#include "text/chunks.hpp"

namespace sapwood {

namespace {

std::vector<size_t> table_widths(const SequenceSpec& spec) {
    std::vector<size_t> widths;
    for (size_t t = 0; t < spec.tables(); ++t) widths.push_back(spec.cells(t));
    return widths;
}

}  // namespace

TaggerTrainer::TaggerTrainer(const Columns& data, size_t label, Extractor extractor,
                             const TrainerOptions& options)
    : options_(options),
      extractor_(std::move(extractor)),
      learner_(options.learner, {}),
      epochs_(0, options.seed),
      easiest_(extractor_.reach(), extractor_.ahead()) {
    if (data.tokens() == 0) throw DataError(data.name() + ": there is no sentence to train on");
    if (data.tokens() > UINT32_MAX) throw DataError(data.name() + ": more than 2^32 tokens");
    if (data.width() <= label) throw DataError(data.where(0) + ": there is no label column");
    spec_.search = options.search;
    spec_.order = options.order;
    if (labels_join_late() && options.prune_below > 1)
        throw OptionError(
            "prune_below needs gold history, and not easiest-first search: features of labels that are only "
            "known in training's search cannot be counted before");
    if (data.width() < extractor_.pattern().columns_needed())
        throw DataError(data.where(0) + ": the template reads column " +
                        std::to_string(extractor_.pattern().columns_needed() - 1) +
                        ", the data has fewer columns");
    if (spec_.search == Search::viterbi && spec_.order == 2 && extractor_.lines(2) == 0)
        throw OptionError("order 2 needs a template line that looks at two labels, such as U:%y[-2]/%y[-1]");
    read_labels(data, label);
    spec_.check_size();
    label_hashes_ = spec_.label_hashes();
    learner_ = Learner(options.learner, table_widths(spec_));
    encode(data);
    if (options.prune_below > 1) prune(options.prune_below);
    epochs_ = Epochs(starts_.size() - 1, options.seed);
    scores_.resize(spec_.stride());
}

void TaggerTrainer::read_labels(const Columns& data, size_t label) {
    std::unordered_map<std::string, Label> ids;
    std::vector<std::string_view> cells;
    std::vector<std::string> labels;
    starts_.push_back(0);
    for (size_t s = 0; s < data.sentences(); ++s) {
        cells.clear();
        for (size_t t = data.begin(s); t < data.end(s); ++t) cells.push_back(data.cell(t, label));
        if (options_.iobes)
            labels = bio_to_iobes(cells);
        else
            labels.assign(cells.begin(), cells.end());
        for (std::string& name : labels) {
            const auto [at, fresh] = ids.try_emplace(name, static_cast<Label>(ids.size()));
            if (fresh && name.find_first_of("\t\n\r") != std::string::npos)
                throw DataError(data.where(gold_.size()) + ": the label has a tab or a line end in it");
            if (fresh) spec_.labels.push_back(name);
            gold_.push_back(at->second);
        }
        starts_.push_back(gold_.size());
    }
}

// visit(table, reach, first line of the table, lines, first token, n, keys [n][lines]) for the lines of each
// reach in each sentence; keys that look at labels have the gold ones in them (greedy).
template <class Visit>
void TaggerTrainer::each_key(const Columns& data, Visit&& visit) const {
    Extractor::Workspace workspace;
    std::vector<uint64_t> keys;
    for (size_t s = 0; s + 1 < starts_.size(); ++s) {
        const size_t begin = starts_[s], n = starts_[s + 1] - begin;
        extractor_.read(data, begin, begin + n, workspace);
        size_t line = 0;  // within its table
        for (unsigned reach = 0; reach <= encoded_reach(); ++reach) {
            const size_t lines = extractor_.lines(reach), table = spec_.table_of(reach);
            if (table > 0) line = 0;
            keys.resize(n * lines);
            extractor_.keys(reach, workspace, keys.data(), lines);
            if (spec_.joins_labels() && reach > 0)
                for (size_t i = 0; i < n; ++i) {
                    const LabelContext<uint64_t> labels = hashes(gold_before(begin, begin + i));
                    for (size_t f = 0; f < lines; ++f) {
                        uint64_t& key = keys[i * lines + f];
                        key = with_labels(key, reach, labels);
                    }
                }
            visit(table, reach, line, lines, begin, n, keys);
            line += lines;
        }
    }
}

void TaggerTrainer::encode(const Columns& data) {
    for (unsigned reach = 0; reach <= encoded_reach(); ++reach)
        encoded_[spec_.table_of(reach)].lines += extractor_.lines(reach);
    for (Encoded& e : encoded_) e.features.resize(gold_.size() * e.lines);
    each_key(data, [&](size_t table, unsigned, size_t line, size_t lines, size_t begin, size_t n,
                       const std::vector<uint64_t>& keys) {
        constexpr size_t ahead = 16;
        WeightTable& weights = learner_.table(table);
        Encoded& out = encoded_[table];
        for (size_t k = 0; k < std::min(ahead, keys.size()); ++k) weights.prefetch_key(keys[k]);
        for (size_t i = 0, k = 0; i < n; ++i)
            for (size_t f = 0; f < lines; ++f, ++k) {
                if (k + ahead < keys.size()) weights.prefetch_key(keys[k + ahead]);
                out.features[(begin + i) * out.lines + line + f] = weights.intern(keys[k]);
            }
    });
    if (!labels_join_late()) return;
    first_origin_ = learner_.table(0).features();
    Extractor::Workspace workspace;
    const size_t lines = extractor_.label_lines();
    label_keys_.resize(gold_.size() * lines);
    for (size_t s = 0; s + 1 < starts_.size(); ++s) {
        extractor_.read(data, starts_[s], starts_[s + 1], workspace);
        extractor_.label_keys(workspace, label_keys_.data() + starts_[s] * lines);
    }
}

// The labels to the left of a token in gold history.
LabelContext<Label> TaggerTrainer::gold_before(size_t begin, size_t token) const {
    const Label start = boundary_label(spec_.labels.size());
    return {token >= begin + 2 ? gold_[token - 2] : start, token > begin ? gold_[token - 1] : start, start,
            start};
}

LabelContext<uint64_t> TaggerTrainer::hashes(const LabelContext<Label>& context) const {
    return {label_hashes_[context.l2], label_hashes_[context.l1], label_hashes_[context.r1],
            label_hashes_[context.r2]};
}

// Rare-feature pruning, the paper's baseline: features seen less than `below` times become feature 0.
void TaggerTrainer::prune(uint32_t below) {
    for (size_t t = 0; t < spec_.tables(); ++t) {
        std::vector<uint32_t> count(learner_.table(t).features() + 1);
        for (uint32_t f : encoded_[t].features) ++count[f];
        for (uint32_t& f : encoded_[t].features)
            if (count[f] < below) f = 0;
    }
}

bool TaggerTrainer::step(size_t tokens) {
    return epochs_.step(tokens, [&](size_t sentence) {
        const size_t begin = starts_[sentence], end = starts_[sentence + 1];
        if (spec_.search == Search::viterbi)
            learn_sentence(begin, end);
        else if (spec_.search == Search::easiest_first)
            learn_easiest_first(begin, end);
        else if (labels_join_late())
            learn_own_history(begin, end);
        else
            learn_tokens(begin, end);
        return end - begin;
    });
}

Progress TaggerTrainer::progress() const {
    Progress p = epochs_.progress();
    p.updates = learner_.updates();
    for (size_t t = 0; t < learner_.tables(); ++t) p.features += learner_.table(t).active();
    return p;
}

size_t TaggerTrainer::bytes() const {
    size_t total = learner_.bytes() + gold_.capacity() * sizeof(Label) +
                   label_keys_.capacity() * sizeof(uint64_t) + origins_.capacity() * sizeof(Origin);
    for (const Encoded& e : encoded_) total += e.features.capacity() * sizeof(uint32_t);
    return total;
}

PackedModel TaggerTrainer::freeze(const FreezeOptions& options) const {
    std::vector<uint64_t> widths;
    std::vector<std::vector<uint32_t>> output_of(spec_.tables());
    for (size_t t = 0; t < spec_.tables(); ++t) {
        widths.push_back(spec_.width(t));
        output_of[t].resize(spec_.cells(t));
        for (uint32_t output = 0; output < spec_.width(t); ++output)
            output_of[t][t == 0 ? output : spec_.cell(output)] = output;
    }
    return sapwood::freeze(learner_, options, widths, output_of);
}

// The text of the labels that join a key: " y[-1]=DT y[+1]=_?".
std::string TaggerTrainer::labels_name(unsigned group, const LabelContext<Label>& context) const {
    std::string name;
    each_label(group, context, [&](int offset, Label y) {
        name += (offset < 0 ? " y[" : " y[+") + std::to_string(offset) + "]=" + spec_.label_name(y);
    });
    return name;
}

std::vector<std::vector<std::string>> TaggerTrainer::names(const PackedModel& model,
                                                           const Columns& data) const {
    std::vector<std::vector<std::string>> names;
    for (const auto& keys : model.full_keys) names.emplace_back(keys.size());
    const auto nameless = [&](size_t table, uint64_t key) -> std::string* {
        const auto& known = model.full_keys[table];
        const auto at = std::lower_bound(known.begin(), known.end(), key);
        if (at == known.end() || *at != key) return nullptr;
        std::string& name = names[table][static_cast<size_t>(at - known.begin())];
        return name.empty() ? &name : nullptr;
    };
    each_key(data, [&](size_t table, unsigned reach, size_t, size_t lines, size_t begin, size_t n,
                       const std::vector<uint64_t>& keys) {
        for (size_t k = 0; k < keys.size(); ++k) {
            std::string* name = nameless(table, keys[k]);
            if (name == nullptr) continue;
            const size_t i = k / lines;
            *name = extractor_.name(extractor_.line(reach, k % lines), data, begin, begin + n, i);
            if (spec_.joins_labels()) *name += labels_name(reach, gold_before(begin, begin + i));
        }
    });
    for (const Origin& o : origins_) {
        std::string* name = nameless(0, o.key);
        if (name == nullptr) continue;
        const auto end = std::upper_bound(starts_.begin(), starts_.end(), o.token);
        const size_t begin = *(end - 1);
        *name = extractor_.name(extractor_.line(o.group, o.line), data, begin, *end, o.token - begin) +
                labels_name(o.group, o.context);
    }
    return names;
}

}  // namespace sapwood
