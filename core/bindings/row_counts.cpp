// For benchmarks: how many rows of a model's tables a parser adds up, that is, how many look-ups it does not save.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bindings/bindings.hpp"
#include "parsing/parser.hpp"

namespace nb = nanobind;

namespace sapwood::bindings {

namespace {

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

std::vector<size_t> rows_added(const Parser& parser, const Conllu& data) {
    return parser.model().with_tables([&]<class W>(const FrozenModel::Tables<W>& tables) {
        std::vector<size_t> found(tables.size());
        std::vector<CountedTable<W>> counted;
        for (size_t t = 0; t < tables.size(); ++t) counted.push_back({&tables[t], &found[t]});
        ParserWorker<CountedTable<W>> worker(parser.spec());
        Words words;
        Tree tree;
        for (size_t s = 0; s < data.sentences(); ++s) {
            read_words(data, s, parser.spec(), words);
            worker.parse(counted, words, tree);
        }
        return found;
    });
}

}  // namespace

void bind_row_counts(nb::module_& m) {
    m.def("rows_added", &rows_added, nb::arg("parser"), nb::arg("data"),
          nb::call_guard<nb::gil_scoped_release>(),
          "How many rows of each table are added up to parse the data; for benchmarks.");
}

}  // namespace sapwood::bindings
