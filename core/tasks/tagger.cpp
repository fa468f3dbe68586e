#include "tasks/tagger.hpp"

#include <atomic>
#include <cmath>
#include <exception>
#include <system_error>
#include <thread>

#include "errors.hpp"
#include "search/greedy.hpp"

namespace sapwood {

namespace {

constexpr size_t kSentencesAtOnce = 32;  // that a thread takes
constexpr size_t kAhead = 12;            // lookups between prefetch and use

template <class W>
std::vector<FrozenTable<W>> build(const std::vector<PackedTable>& packed, const SequenceShape& shape) {
    std::vector<FrozenTable<W>> tables;
    for (size_t t = 0; t < packed.size(); ++t) {
        PlainTable<W> table = unpack<W>(packed[t]);
        if (table.width != shape.width(t)) throw ModelError("a table's width does not fit the labels");
        if (t > 0)
            for (uint32_t& output : table.outputs) output = shape.cell(output);
        table.width = shape.cells(t);
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
    std::vector<uint64_t> keys[3];   // [n][lines] by reach
    std::vector<uint32_t> rows;      // [n][lines of reach 0 + history lines]
    std::vector<uint64_t> decision;  // keys of one greedy decision
    Lattice<S> lattice;
    Viterbi<S> viterbi;
    std::vector<std::pair<unsigned, size_t>> varying;  // Viterbi: lines (reach, index) that differ by token

    Scorer(const Tagger& owner, const Tables<W>& weights) : tagger(owner), tables(weights) {
        if (tagger.shape_.search != Search::viterbi) return;
        fill_base(1, lattice.bigram);
        if (tagger.shape_.order == 2) fill_base(2, lattice.trigram);
    }

    size_t lines(unsigned reach) const { return tagger.extractor_.lines(reach); }

    void fill_base(unsigned reach, Transitions<S>& transitions) {
        const SequenceShape& shape = tagger.shape_;
        transitions.base.assign(shape.cells(reach), S{});
        for (size_t f = 0; f < lines(reach); ++f) {
            if (tagger.extractor_.varies(reach, f)) {
                varying.emplace_back(reach, f);
                continue;
            }
            const uint32_t row = tables[reach].find(tagger.extractor_.constant_key(reach, f));
            tables[reach].each(row, [&](uint32_t cell, W w) { transitions.base[cell] += w; });
        }
    }

    // Reads a sentence and finds the rows of its label-free features; room is left for `history` more a
    // token.
    void read(const Columns& data, size_t begin, size_t end, size_t history) {
        const Extractor& extractor = tagger.extractor_;
        const FrozenTable<W>& table = tables[0];
        const size_t n = end - begin, F = lines(0);
        extractor.read(data, begin, end, text);
        for (unsigned reach = 0; reach < 3; ++reach) {
            keys[reach].resize(n * lines(reach));
            extractor.keys(reach, text, keys[reach].data(), lines(reach));
        }
        lattice.resize(n, tagger.shape_.labels.size());
        rows.resize(n * (F + history));
        const uint64_t* key = keys[0].data();
        const size_t total = n * F;
        for (size_t k = 0; k < std::min(kAhead, total); ++k) table.prefetch_key(key[k]);
        for (size_t i = 0, k = 0; i < n; ++i) {
            uint32_t* row = rows.data() + i * (F + history);
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

    void label_greedily(std::vector<Label>& path) {
        const size_t F = lines(0), F1 = lines(1), F2 = lines(2), H = F1 + F2;
        const auto& hashes = tagger.label_hashes_;
        decision.resize(H);
        greedy(lattice, path, [&](size_t i, Label l2, Label l1, S* scores) {
            history_keys(keys[1].data() + i * F1, F1, keys[2].data() + i * F2, F2, hashes[l2], hashes[l1],
                         decision.data());
            uint32_t* row = rows.data() + i * (F + H);
            for (uint64_t key : decision) tables[0].prefetch_key(key);
            for (size_t f = 0; f < H; ++f) {
                row[F + f] = tables[0].find(decision[f]);
                tables[0].prefetch_row(row[F + f]);
            }
            tables[0].score(row, F + H, scores);
        });
    }

    void transitions() {
        for (unsigned reach = 1; reach <= tagger.shape_.order; ++reach) {
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
        const size_t begin = data.begin(sentence), end = data.end(sentence);
        switch (tagger.shape_.search) {
            case Search::argmax:
                read(data, begin, end, 0);
                emissions();
                return argmax(lattice, path);
            case Search::greedy:
                read(data, begin, end, lines(1) + lines(2));
                return label_greedily(path);
            case Search::viterbi:
                read(data, begin, end, 0);
                emissions();
                transitions();
                return viterbi.best(lattice, tagger.shape_.order, path);
        }
    }
};

Tagger::Tagger(SequenceShape shape, Extractor extractor, const std::vector<PackedTable>& tables,
               unsigned bits, double scale)
    : shape_(std::move(shape)),
      extractor_(std::move(extractor)),
      scale_(scale),
      label_hashes_(shape_.label_hashes()) {
    if (shape_.labels.empty()) throw ModelError("the model has no label");
    if (tables.size() != shape_.tables())
        throw ModelError("the model has the wrong number of tables for its search");
    if (!(scale > 0) || !std::isfinite(scale)) throw ModelError("the scale is not a positive number");
    shape_.check_size();
    switch (bits) {
        case 8:
            tables_ = build<int8_t>(tables, shape_);
            break;
        case 16:
            tables_ = build<int16_t>(tables, shape_);
            break;
        case 32:
            tables_ = build<float>(tables, shape_);
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
    std::atomic<size_t> next{0};
    auto work = [&] {
        std::visit(
            [&]<class W>(const Tables<W>& tables) {
                Scorer<W> scorer(*this, tables);
                std::vector<Label> path;
                for (size_t s; (s = next.fetch_add(kSentencesAtOnce)) < data.sentences();)
                    for (size_t end = std::min(s + kSentencesAtOnce, data.sentences()); s < end; ++s) {
                        scorer.label(data, s, path);
                        std::copy(path.begin(), path.end(),
                                  labels.begin() + static_cast<ptrdiff_t>(data.begin(s)));
                    }
            },
            tables_);
    };
    threads = std::max<size_t>(1, std::min(threads, data.sentences() / kSentencesAtOnce + 1));
    std::vector<std::exception_ptr> errors(threads);
    std::vector<std::jthread> others;
    auto guarded = [&](size_t t) {
        try {
            work();
        } catch (...) {
            errors[t] = std::current_exception();
        }
    };
    try {
        for (size_t t = 1; t < threads; ++t) others.emplace_back(guarded, t);
    } catch (const std::system_error&) {  // no more threads to be had: those there are do the work
    }
    guarded(0);
    others.clear();  // joins
    for (const auto& error : errors)
        if (error) std::rethrow_exception(error);
    return labels;
}

std::vector<Tagger::Ranked> Tagger::n_best(const Columns& data, size_t sentence, size_t count) const {
    if (shape_.search != Search::viterbi)
        throw OptionError("n-best needs a model trained with Viterbi search");
    check_columns(data);
    return std::visit(
        [&]<class W>(const Tables<W>& tables) {
            Scorer<W> scorer(*this, tables);
            std::vector<std::vector<Label>> paths;
            std::vector<typename Viterbi<typename Scorer<W>::S>::Wide> scores;
            scorer.read(data, data.begin(sentence), data.end(sentence), 0);
            scorer.emissions();
            scorer.transitions();
            scorer.viterbi.n_best(scorer.lattice, shape_.order, count, paths, scores);
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
