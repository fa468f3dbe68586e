#include "tagging/tagger.hpp"

#include <cmath>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "search/easiest_first.hpp"
#include "search/greedy.hpp"

namespace sapwood {

namespace {

constexpr size_t kAhead = 12;  // lookups between prefetch and use

template <class W>
std::vector<FrozenTable<W>> build(const std::vector<PackedTable>& packed, const SequenceSpec& spec) {
    std::vector<FrozenTable<W>> tables;
    for (size_t t = 0; t < packed.size(); ++t) {
        PlainTable<W> table = unpack<W>(packed[t]);
        if (table.width != spec.width(t)) throw ModelError("a table's width does not fit the labels");
        if (t > 0)
            for (uint32_t& output : table.outputs) output = spec.cell(output);
        table.width = spec.cells(t);
        tables.emplace_back(table);
    }
    return tables;
}

}  // namespace

// Fills lattices for one thread.
template <class W>
struct Tagger::Scorer {
    using S = typename FrozenTable<W>::Score;

    const Tagger& tagger;
    const Tables<W>& tables;
    Extractor::Workspace text;
    std::vector<uint64_t> keys[3];     // [n][lines] by reach; greedy, easiest-first: of reach 0
    std::vector<uint64_t> label_keys;  // greedy, easiest-first: [n][label lines] yet to be joined with labels
    std::vector<uint64_t> joined;      // [label lines] of one token, joined
    std::vector<uint32_t> rows;        // [n][lines of reach 0, then label lines]
    Lattice<S> lattice;
    Viterbi<S> viterbi;
    EasiestFirst<S> easiest;
    std::vector<std::pair<unsigned, size_t>> varying;  // Viterbi: lines (reach, index) that differ by token

    Scorer(const Tagger& owner, const Tables<W>& weights)
        : tagger(owner), tables(weights), easiest(owner.extractor_.reach(), owner.extractor_.ahead()) {
        if (tagger.spec_.search != Search::viterbi) return;
        fill_base(1, lattice.bigram);
        if (tagger.spec_.order == 2) fill_base(2, lattice.trigram);
    }

    size_t lines(unsigned reach) const { return tagger.extractor_.lines(reach); }

    void fill_base(unsigned reach, Transitions<S>& transitions) {
        const SequenceSpec& spec = tagger.spec_;
        transitions.base.assign(spec.cells(reach), S{});
        for (size_t f = 0; f < lines(reach); ++f) {
            if (tagger.extractor_.varies(reach, f)) {
                varying.emplace_back(reach, f);
                continue;
            }
            const uint32_t row = tables[reach].find(tagger.extractor_.constant_key(reach, f));
            tables[reach].each(row, [&](uint32_t cell, W w) { transitions.base[cell] += w; });
        }
    }

    // Lines whose labels join the key.
    size_t label_lines() const { return tagger.spec_.joins_labels() ? tagger.extractor_.label_lines() : 0; }

    // Reads a sentence and finds the rows of its label-free features; room is left for those with labels.
    void read(const Columns& data, size_t begin, size_t end) {
        const Extractor& extractor = tagger.extractor_;
        const FrozenTable<W>& table = tables[0];
        const size_t n = end - begin, F = lines(0), H = label_lines();
        extractor.read(data, begin, end, text);
        const unsigned farthest = tagger.spec_.joins_labels() ? 0 : tagger.spec_.reach();
        for (unsigned reach = 0; reach <= farthest; ++reach) {
            keys[reach].resize(n * lines(reach));
            extractor.keys(reach, text, keys[reach].data(), lines(reach));
        }
        label_keys.resize(n * H);
        if (H > 0) extractor.label_keys(text, label_keys.data());
        lattice.resize(n, tagger.spec_.labels.size());
        rows.resize(n * (F + H));
        const uint64_t* key = keys[0].data();
        const size_t total = n * F;
        for (size_t k = 0; k < std::min(kAhead, total); ++k) table.prefetch_key(key[k]);
        for (size_t i = 0, k = 0; i < n; ++i) {
            uint32_t* row = rows.data() + i * (F + H);
            for (size_t f = 0; f < F; ++f, ++k) {
                if (k + kAhead < total) table.prefetch_key(key[k + kAhead]);
                row[f] = table.find(key[k]);
                table.prefetch_row(row[f]);
            }
        }
    }

    void emissions() {
        const size_t F = lines(0);
        for (size_t i = 0; i < lattice.n; ++i)
            tables[0].score(rows.data() + i * F, F, lattice.emission.data() + i * lattice.stride);
    }

    // The scores of token i among the labels beside it.
    void score_beside(size_t i, const LabelContext<uint64_t>& context, S* scores) {
        const size_t F = lines(0), H = label_lines();
        joined.resize(H);
        tagger.extractor_.join_labels(label_keys.data() + i * H, context, joined.data());
        uint32_t* row = rows.data() + i * (F + H);
        for (uint64_t key : joined) tables[0].prefetch_key(key);
        for (size_t f = 0; f < H; ++f) {
            row[F + f] = tables[0].find(joined[f]);
            tables[0].prefetch_row(row[F + f]);
        }
        tables[0].score(row, F + H, scores);
    }

    void label_greedily(std::vector<Label>& path) {
        const auto& hash = tagger.label_hashes_;
        greedy(lattice, path, [&](size_t i, Label l2, Label l1, S* scores) {
            score_beside(i, {hash[l2], hash[l1], 0, 0}, scores);
        });
    }

    void label_easiest_first(std::vector<Label>& path) {
        const auto& hash = tagger.label_hashes_;
        const auto score = [&](size_t i, Label l2, Label l1, Label r1, Label r2, S* scores) {
            score_beside(i, {hash[l2], hash[l1], hash[r1], hash[r2]}, scores);
        };
        path.resize(lattice.n);
        easiest.start(lattice.n, lattice.labels, score);
        while (!easiest.done()) {
            const size_t i = easiest.easiest();
            path[i] = easiest.guess(i);
            easiest.give(i, path[i], score);
        }
    }

    void transitions() {
        for (unsigned reach = 1; reach <= tagger.spec_.order; ++reach) {
            Transitions<S>& transitions = reach == 1 ? lattice.bigram : lattice.trigram;
            transitions.extras.clear();
            transitions.first.clear();
            if (std::none_of(varying.begin(), varying.end(), [&](auto& line) { return line.first == reach; }))
                continue;
            transitions.first.push_back(0);
            for (size_t i = 0; i < lattice.n; ++i) {
                for (const auto& [line_reach, f] : varying) {
                    if (line_reach != reach) continue;
                    const uint32_t row = tables[reach].find(keys[reach][i * lines(reach) + f]);
                    tables[reach].each(row,
                                       [&](uint32_t cell, W w) { transitions.extras.push_back({cell, w}); });
                }
                transitions.first.push_back(transitions.extras.size());
            }
        }
    }

    void label(const Columns& data, size_t sentence, std::vector<Label>& path) {
        read(data, data.begin(sentence), data.end(sentence));
        switch (tagger.spec_.search) {
            case Search::argmax:
                emissions();
                return argmax(lattice, path);
            case Search::greedy:
                return label_greedily(path);
            case Search::easiest_first:
                return label_easiest_first(path);
            case Search::viterbi:
                emissions();
                transitions();
                return viterbi.best(lattice, tagger.spec_.order, path);
        }
    }
};

Tagger::Tagger(SequenceSpec spec, Extractor extractor, const std::vector<PackedTable>& tables, unsigned bits,
               double scale)
    : spec_(std::move(spec)),
      extractor_(std::move(extractor)),
      scale_(scale),
      label_hashes_(spec_.label_hashes()) {
    if (spec_.labels.empty()) throw ModelError("the model has no label");
    if (tables.size() != spec_.tables())
        throw ModelError("the model has the wrong number of tables for its search");
    if (!(scale > 0) || !std::isfinite(scale)) throw ModelError("the scale is not a positive number");
    spec_.check_size();
    switch (bits) {
        case 8:
            tables_ = build<int8_t>(tables, spec_);
            break;
        case 16:
            tables_ = build<int16_t>(tables, spec_);
            break;
        case 32:
            tables_ = build<float>(tables, spec_);
            break;
        default:
            throw ModelError("the weights have " + std::to_string(bits) + " bits, not 8, 16 or 32");
    }
}

void Tagger::check_columns(const Columns& data) const {
    const size_t needed = extractor_.pattern().columns_needed();
    if (data.tokens() > 0 && data.width() < needed)
        throw DataError(data.where(0) + ": the model reads " + std::to_string(needed) +
                        " columns, the data has " + std::to_string(data.width()));
}

std::vector<Label> Tagger::tag(const Columns& data, size_t threads) const {
    check_columns(data);
    std::vector<Label> labels(data.tokens());
    std::visit(
        [&]<class W>(const Tables<W>& tables) {
            for_each_sentence(data.sentences(), threads, [&] {
                return [&, scorer = Scorer<W>(*this, tables), path = std::vector<Label>()](size_t s) mutable {
                    scorer.label(data, s, path);
                    std::copy(path.begin(), path.end(),
                              labels.begin() + static_cast<ptrdiff_t>(data.begin(s)));
                };
            });
        },
        tables_);
    return labels;
}

std::vector<Tagger::Ranked> Tagger::n_best(const Columns& data, size_t sentence, size_t count) const {
    if (spec_.search != Search::viterbi)
        throw OptionError("n-best needs a model trained with Viterbi search");
    check_columns(data);
    return std::visit(
        [&]<class W>(const Tables<W>& tables) {
            Scorer<W> scorer(*this, tables);
            std::vector<std::vector<Label>> paths;
            std::vector<typename Viterbi<typename Scorer<W>::S>::Wide> scores;
            scorer.read(data, data.begin(sentence), data.end(sentence));
            scorer.emissions();
            scorer.transitions();
            scorer.viterbi.n_best(scorer.lattice, spec_.order, count, paths, scores);
            std::vector<Ranked> ranked;
            for (size_t k = 0; k < paths.size(); ++k)
                ranked.push_back({std::move(paths[k]), static_cast<double>(scores[k]) * scale_});
            return ranked;
        },
        tables_);
}

std::vector<Weight> Tagger::weights() const {
    return std::visit([&](const auto& tables) { return all_weights(tables, scale_); }, tables_);
}

double Tagger::gather(size_t count, size_t rows_per_token, uint64_t seed) const {
    return std::visit([&](const auto& tables) { return tables[0].gather(count, rows_per_token, seed); },
                      tables_);
}

size_t Tagger::bytes() const {
    return std::visit(
        [](const auto& tables) {
            size_t total = 0;
            for (const auto& table : tables) total += table.bytes();
            return total;
        },
        tables_);
}

}  // namespace sapwood
