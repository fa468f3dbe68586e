#include "tasks/tagger_trainer.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "errors.hpp"
#include "learner/shuffle.hpp"
#include "search/greedy.hpp"
#include "text/chunks.hpp"

namespace sapwood {

namespace {

constexpr size_t kAhead = 3;  // tokens between prefetching weights and adding them

std::vector<size_t> table_widths(const SequenceShape& shape) {
    std::vector<size_t> widths;
    for (size_t t = 0; t < shape.tables(); ++t) widths.push_back(shape.cells(t));
    return widths;
}

}  // namespace

TaggerTrainer::TaggerTrainer(const Columns& data, size_t label, Extractor extractor,
                             const TrainerOptions& options)
    : options_(options),
      extractor_(std::move(extractor)),
      learner_(options.learner, {}),
      random_(options.seed) {
    if (data.tokens() == 0) throw DataError(data.name() + ": there is no sentence to train on");
    if (data.tokens() > UINT32_MAX) throw DataError(data.name() + ": more than 2^32 tokens");
    if (data.width() <= label) throw DataError(data.where(0) + ": there is no label column");
    shape_.search = options.search;
    shape_.order = options.order;
    if (own_history() && options.prune_below > 1)
        throw OptionError(
            "prune_below needs gold history: features of the model's own labels cannot be counted before");
    if (data.width() < extractor_.pattern().columns_needed())
        throw DataError(data.where(0) + ": the template reads column " +
                        std::to_string(extractor_.pattern().columns_needed() - 1) +
                        ", the data has fewer columns");
    if (shape_.search == Search::viterbi && shape_.order == 2 && extractor_.lines(2) == 0)
        throw OptionError("order 2 needs a template line that looks at two labels, such as U:%y[-2]/%y[-1]");
    read_labels(data, label);
    shape_.check_size();
    label_hashes_ = shape_.label_hashes();
    learner_ = Learner(options.learner, table_widths(shape_));
    encode(data);
    if (options.prune_below > 1) prune(options.prune_below);
    order_.resize(starts_.size() - 1);
    std::iota(order_.begin(), order_.end(), 0);
    position_ = order_.size();  // the first step shuffles
    scores_.resize(shape_.stride());
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
            if (fresh) shape_.labels.push_back(name);
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
            const size_t lines = extractor_.lines(reach), table = shape_.table_of(reach);
            if (table > 0) line = 0;
            keys.resize(n * lines);
            extractor_.keys(reach, workspace, keys.data(), lines);
            if (shape_.search == Search::greedy && reach > 0)
                for (size_t i = 0; i < n; ++i) {
                    const uint64_t l1 = i >= 1 ? label_hashes_[gold_[begin + i - 1]] : label_hashes_.back();
                    const uint64_t l2 = i >= 2 ? label_hashes_[gold_[begin + i - 2]] : label_hashes_.back();
                    for (size_t f = 0; f < lines; ++f) {
                        uint64_t& key = keys[i * lines + f];
                        key = reach == 1 ? with_label(key, l1) : with_labels(key, l2, l1);
                    }
                }
            visit(table, reach, line, lines, begin, n, keys);
            line += lines;
        }
    }
}

void TaggerTrainer::encode(const Columns& data) {
    for (unsigned reach = 0; reach <= encoded_reach(); ++reach)
        encoded_[shape_.table_of(reach)].lines += extractor_.lines(reach);
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
    if (!own_history()) return;
    first_origin_ = learner_.table(0).features();
    Extractor::Workspace workspace;
    for (unsigned reach : {1u, 2u}) {
        const size_t lines = extractor_.lines(reach);
        history_keys_[reach - 1].resize(gold_.size() * lines);
        for (size_t s = 0; s + 1 < starts_.size(); ++s) {
            extractor_.read(data, starts_[s], starts_[s + 1], workspace);
            extractor_.keys(reach, workspace, history_keys_[reach - 1].data() + starts_[s] * lines, lines);
        }
    }
}

// Rare-feature pruning, the paper's baseline: features seen less than `below` times become feature 0.
void TaggerTrainer::prune(uint32_t below) {
    for (size_t t = 0; t < shape_.tables(); ++t) {
        std::vector<uint32_t> count(learner_.table(t).features() + 1);
        for (uint32_t f : encoded_[t].features) ++count[f];
        for (uint32_t& f : encoded_[t].features)
            if (count[f] < below) f = 0;
    }
}

bool TaggerTrainer::step(size_t tokens) {
    if (position_ == order_.size()) {
        shuffle(order_, random_);
        position_ = 0;
        progress_.examples = progress_.mistakes = 0;
    }
    const size_t stop = progress_.examples + std::min(tokens, SIZE_MAX - progress_.examples);
    while (position_ < order_.size() && progress_.examples < stop) {
        const size_t begin = starts_[order_[position_]], end = starts_[order_[position_] + 1];
        if (shape_.search == Search::viterbi)
            learn_sentence(begin, end);
        else if (own_history())
            learn_own_history(begin, end);
        else
            learn_tokens(begin, end);
        progress_.examples += end - begin;
        ++position_;
    }
    if (position_ < order_.size()) return false;
    ++progress_.epoch;
    return true;
}

// One token: score, search (argmax), update. `features` are all its features, labels to the left included.
// Returns the label that the weights would have given, before any cost and any update.
Label TaggerTrainer::decide(size_t token, const uint32_t* features, size_t count) {
    const WeightTable& table = learner_.table(0);
    rows_.resize(count);
    for (size_t f = 0; f < count; ++f) rows_[f] = table.scored_row(features[f]);
    table.with_rows([&](const auto& rows) { rows.score(rows_.data(), count, scores_.data()); });
    const Label gold = gold_[token], plain = argmax(scores_.data(), shape_.labels.size());
    Label guess = plain;
    if (const float cost = learner_.cost(); cost > 0) {
        add_cost(scores_.data(), shape_.labels.size(), gold, cost);
        guess = argmax(scores_.data(), shape_.labels.size());
    }
    if (guess != gold) {
        ++progress_.mistakes;
        for (size_t f = 0; f < count; ++f) {
            violation_.gold(0, features[f], gold);
            violation_.guess(0, features[f], guess);
        }
        violation_.loss = scores_[guess] - scores_[gold];
        learner_.learn(violation_);
    }
    learner_.tick();
    return plain;
}

void TaggerTrainer::learn_tokens(size_t begin, size_t end) {
    const WeightTable& table = learner_.table(0);
    const size_t F = encoded_[0].lines;
    const auto prefetch = [&](const auto& rows) {
        return [&](size_t token) {
            const uint32_t* features = encoded_[0].at(token);
            for (size_t f = 0; f < F; ++f) rows.prefetch(table.scored_row(features[f]));
        };
    };
    table.with_rows([&](const auto& rows) {
        for (size_t t = begin; t < std::min(begin + kAhead, end); ++t) prefetch(rows)(t);
        for (size_t t = begin; t < end; ++t) {
            if (t + kAhead < end) prefetch(rows)(t + kAhead);
            decide(t, encoded_[0].at(t), F);
        }
    });
}

void TaggerTrainer::learn_own_history(size_t begin, size_t end) {
    const size_t F0 = extractor_.lines(0), F1 = extractor_.lines(1), F2 = extractor_.lines(2);
    std::vector<uint32_t> features(F0 + F1 + F2);
    std::vector<uint64_t> keys(F1 + F2);
    Label l2 = boundary_label(shape_.labels.size()), l1 = l2;
    for (size_t t = begin; t < end; ++t) {
        std::copy_n(encoded_[0].at(t), F0, features.begin());
        history_keys(history_keys_[0].data() + t * F1, F1, history_keys_[1].data() + t * F2, F2,
                     label_hashes_[l2], label_hashes_[l1], keys.data());
        for (size_t f = 0; f < keys.size(); ++f) {
            features[F0 + f] = learner_.table(0).intern(keys[f]);
            if (features[F0 + f] <= first_origin_ + origins_.size()) continue;
            origins_.push_back(f < F1 ? Origin{keys[f], t, f, 1, l2, l1}
                                      : Origin{keys[f], t, f - F1, 2, l2, l1});
        }
        const Label guess = decide(t, features.data(), features.size());
        l2 = l1;
        l1 = guess;
    }
}

void TaggerTrainer::fill_transitions(unsigned reach, size_t begin, size_t end) {
    Transitions<float>& transitions = reach == 1 ? lattice_.bigram : lattice_.trigram;
    const WeightTable& table = learner_.table(reach);
    const Encoded& encoded = encoded_[reach];
    table.with_rows([&](const auto& rows) {
        if (base_updates_ != learner_.updates()) {
            transitions.base.assign(shape_.cells(reach), 0.0f);
            for (size_t f = 0; f < encoded.lines; ++f) {
                if (extractor_.varies(reach, f)) continue;
                const uint32_t row = table.scored_row(encoded.at(begin)[f]);
                rows.each(row, [&](uint32_t cell, float w, double) { transitions.base[cell] += w; });
            }
        }
        transitions.extras.clear();
        transitions.first.assign(1, 0);
        for (size_t t = begin; t < end; ++t) {
            for (size_t f = 0; f < encoded.lines; ++f) {
                if (!extractor_.varies(reach, f)) continue;
                const uint32_t row = table.scored_row(encoded.at(t)[f]);
                if (row != 0)
                    rows.each(row, [&](uint32_t cell, float w, double) {
                        transitions.extras.push_back({cell, w});
                    });
            }
            transitions.first.push_back(transitions.extras.size());
        }
    });
}

void TaggerTrainer::fill_lattice(size_t begin, size_t end) {
    const size_t n = end - begin, F = encoded_[0].lines;
    const WeightTable& table = learner_.table(0);
    lattice_.resize(n, shape_.labels.size());
    rows_.resize(n * F);
    table.with_rows([&](const auto& rows) {
        const uint32_t* features = encoded_[0].at(begin);
        for (size_t k = 0; k < n * F; ++k) {
            rows_[k] = table.scored_row(features[k]);
            rows.prefetch(rows_[k]);
        }
        for (size_t i = 0; i < n; ++i)
            rows.score(rows_.data() + i * F, F, lattice_.emission.data() + i * lattice_.stride);
    });
    for (unsigned reach = 1; reach <= shape_.order; ++reach) fill_transitions(reach, begin, end);
    base_updates_ = learner_.updates();
    if (const float cost = learner_.cost(); cost > 0)
        for (size_t i = 0; i < n; ++i)
            add_cost(lattice_.emission.data() + i * lattice_.stride, lattice_.labels, gold_[begin + i], cost);
}

float TaggerTrainer::path_score(const std::vector<Label>& path) {
    float score = 0;
    Label h = boundary_label(lattice_.labels), g = h;
    for (size_t i = 0; i < lattice_.n; ++i) {
        score += lattice_.emission[i * lattice_.stride + path[i]] +
                 lattice_.bigram.at(i)[shape_.bigram_cell(g, path[i])];
        if (shape_.order == 2) score += lattice_.trigram.at(i)[shape_.trigram_cell(h, g, path[i])];
        h = g;
        g = path[i];
    }
    return score;
}

// One sentence: score, search (Viterbi), update by the positions and label n-grams that differ.
void TaggerTrainer::learn_sentence(size_t begin, size_t end) {
    fill_lattice(begin, end);
    viterbi_.best(lattice_, shape_.order, path_);
    gold_path_.assign(gold_.begin() + static_cast<ptrdiff_t>(begin),
                      gold_.begin() + static_cast<ptrdiff_t>(end));
    if (path_ != gold_path_) {
        const Label start = boundary_label(lattice_.labels);
        const auto label = [&](const std::vector<Label>& path, size_t i, size_t back) {
            return i >= back ? path[i - back] : start;
        };
        for (size_t i = 0; i < path_.size(); ++i) {
            const bool here = path_[i] != gold_path_[i];
            const bool one = here || label(path_, i, 1) != label(gold_path_, i, 1);
            const bool two = one || label(path_, i, 2) != label(gold_path_, i, 2);
            progress_.mistakes += here;
            const auto violate = [&](uint32_t table, uint32_t gold, uint32_t guess) {
                const uint32_t* features = encoded_[table].at(begin + i);
                for (size_t f = 0; f < encoded_[table].lines; ++f) {
                    violation_.gold(table, features[f], gold);
                    violation_.guess(table, features[f], guess);
                }
            };
            const auto bigram = [&](const std::vector<Label>& path) {
                return shape_.bigram_cell(label(path, i, 1), path[i]);
            };
            const auto trigram = [&](const std::vector<Label>& path) {
                return shape_.trigram_cell(label(path, i, 2), label(path, i, 1), path[i]);
            };
            if (here) violate(0, gold_path_[i], path_[i]);
            if (one) violate(1, bigram(gold_path_), bigram(path_));
            if (two && shape_.order == 2) violate(2, trigram(gold_path_), trigram(path_));
        }
        if (options_.learner.update == Update::passive_aggressive)
            violation_.loss = path_score(path_) - path_score(gold_path_);
        learner_.learn(violation_);
    }
    learner_.tick();
}

Progress TaggerTrainer::progress() const {
    Progress p = progress_;
    p.updates = learner_.updates();
    for (size_t t = 0; t < learner_.tables(); ++t) p.features += learner_.table(t).active();
    return p;
}

size_t TaggerTrainer::bytes() const {
    size_t total = learner_.bytes() + gold_.capacity() * sizeof(Label);
    for (const Encoded& e : encoded_) total += e.features.capacity() * sizeof(uint32_t);
    return total;
}

PackedModel TaggerTrainer::freeze(unsigned bits) const {
    std::vector<uint64_t> widths;
    std::vector<std::vector<uint32_t>> output_of(shape_.tables());
    for (size_t t = 0; t < shape_.tables(); ++t) {
        widths.push_back(shape_.width(t));
        output_of[t].resize(shape_.cells(t));
        for (uint32_t output = 0; output < shape_.width(t); ++output)
            output_of[t][t == 0 ? output : shape_.cell(output)] = output;
    }
    return sapwood::freeze(learner_, bits, widths, output_of);
}

std::string TaggerTrainer::history_name(unsigned reach, Label l2, Label l1) const {
    const auto name = [&](Label y) {
        return y < shape_.labels.size() ? shape_.labels[y] : std::string("_B-1");
    };
    return (reach == 2 ? " y[-2]=" + name(l2) : "") + (reach >= 1 ? " y[-1]=" + name(l1) : "");
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
            const Label start = boundary_label(shape_.labels.size());
            *name = extractor_.name(reach, k % lines, data, begin, begin + n, i);
            if (shape_.search == Search::greedy)
                *name += history_name(reach, i >= 2 ? gold_[begin + i - 2] : start,
                                      i >= 1 ? gold_[begin + i - 1] : start);
        }
    });
    for (const Origin& o : origins_) {
        std::string* name = nameless(0, o.key);
        if (name == nullptr) continue;
        const auto end = std::upper_bound(starts_.begin(), starts_.end(), o.token);
        const size_t begin = *(end - 1);
        *name = extractor_.name(o.reach, o.line, data, begin, *end, o.token - begin) +
                history_name(o.reach, o.l2, o.l1);
    }
    return names;
}

}  // namespace sapwood
