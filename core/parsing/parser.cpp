#include "parsing/parser.hpp"

#include <algorithm>
#include <cmath>

#include "base/threads.hpp"

namespace sapwood {

namespace {

template <class W>
std::vector<FrozenTable<W>> build(const std::vector<PackedTable>& packed, const ParserSpec& spec) {
    const std::vector<size_t> widths = spec.widths();
    std::vector<FrozenTable<W>> tables;
    for (size_t t = 0; t < packed.size(); ++t) {
        const PlainTable<W> table = unpack<W>(packed[t]);
        if (table.width != widths[t]) throw ModelError("a table's width does not fit the labels");
        tables.emplace_back(table);
    }
    return tables;
}

// A table that counts the rows that are found in it.
template <class W>
struct CountedTable {
    using Score = typename FrozenTable<W>::Score;

    const FrozenTable<W>* table;
    size_t* found;

    void prefetch_keys(const uint64_t* keys, size_t n) const { table->prefetch_keys(keys, n); }
    void find_rows(const uint64_t* keys, size_t n, uint32_t* rows) const {
        table->find_rows(keys, n, rows);
        *found += n - static_cast<size_t>(std::count(rows, rows + n, 0u));
    }
    void score(const uint32_t* rows, size_t n, Score* scores) const { table->score(rows, n, scores); }
};

}  // namespace

Parser::Parser(ParserSpec spec, const std::vector<PackedTable>& tables, unsigned bits, double scale)
    : spec_(std::move(spec)), scale_(scale) {
    spec_.check();
    if (tables.size() != spec_.widths().size())
        throw ModelError("the model has the wrong number of tables for its search");
    if (!(scale > 0) || !std::isfinite(scale)) throw ModelError("the scale is not a positive number");
    for (const std::string& label : spec_.labels) labels_.number(label);
    if (spec_.labelling == Labelling::none) labels_.number("_");
    lifted_.emplace(labels_);
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
    // A template that cannot be used is found now and not in a thread.
    std::visit([&]<class W>(const Tables<W>&) { const ParserWorker<FrozenTable<W>> worker(spec_); }, tables_);
}

std::vector<Tree> Parser::parse(const Conllu& data, size_t threads) const {
    std::vector<Tree> trees(data.sentences());
    std::visit(
        [&]<class W>(const Tables<W>& tables) {
            for_each_sentence(data.sentences(), threads, [&] {
                return [&, worker = ParserWorker<FrozenTable<W>>(spec_), words = Words()](size_t s) mutable {
                    read_words(data, s, spec_, words);
                    worker.parse(tables, words, trees[s]);
                    deprojectivise(trees[s], *lifted_);
                };
            });
        },
        tables_);
    return trees;
}

std::vector<Parser::Ranked> Parser::n_best(const Conllu& data, size_t sentence, size_t count) const {
    if (spec_.search != ParserSearch::eisner || spec_.order != 1)
        throw OptionError("the n best trees need a parser trained with Eisner search of order 1");
    return std::visit(
        [&]<class W>(const Tables<W>& tables) {
            ParserWorker<FrozenTable<W>> worker(spec_);
            Words words;
            std::vector<Tree> trees;
            std::vector<double> scores;
            read_words(data, sentence, spec_, words);
            worker.n_best(tables, words, count, trees, scores);
            std::vector<Ranked> ranked;
            for (size_t k = 0; k < trees.size(); ++k) {
                deprojectivise(trees[k], *lifted_);
                ranked.push_back({std::move(trees[k]), scores[k] * scale_});
            }
            return ranked;
        },
        tables_);
}

std::vector<Weight> Parser::weights() const {
    return std::visit([&](const auto& tables) { return all_weights(tables, scale_); }, tables_);
}

std::vector<size_t> Parser::rows_added(const Conllu& data) const {
    return std::visit(
        [&]<class W>(const Tables<W>& tables) {
            std::vector<size_t> found(tables.size());
            std::vector<CountedTable<W>> counted;
            for (size_t t = 0; t < tables.size(); ++t) counted.push_back({&tables[t], &found[t]});
            ParserWorker<CountedTable<W>> worker(spec_);
            Words words;
            Tree tree;
            for (size_t s = 0; s < data.sentences(); ++s) {
                read_words(data, s, spec_, words);
                worker.parse(counted, words, tree);
            }
            return found;
        },
        tables_);
}

double Parser::gather(size_t table, size_t count, size_t rows, uint64_t seed) const {
    return std::visit([&](const auto& tables) { return tables.at(table).gather(count, rows, seed); },
                      tables_);
}

size_t Parser::bytes() const {
    return std::visit(
        [](const auto& tables) {
            size_t total = 0;
            for (const auto& table : tables) total += table.bytes();
            return total;
        },
        tables_);
}

}  // namespace sapwood
