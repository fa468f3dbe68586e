// A frozen table without some of its features: every look-up of one of them finds nothing. Searches take it like the table
// itself, which stays as it is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sapwood {

template <class Table>
class TableWithout {
  public:
    using Score = typename Table::Score;

    explicit TableWithout(const Table& table) : table_(&table) {}

    // rows: of the features to leave out, in any order.
    void leave_out(std::vector<uint32_t> rows) {
        std::ranges::sort(rows);
        gone_ = std::move(rows);
    }

    size_t width() const { return table_->width(); }
    void prefetch_keys(const uint64_t* keys, size_t n) const { table_->prefetch_keys(keys, n); }
    void find_rows(const uint64_t* keys, size_t n, uint32_t* rows) const {
        table_->find_rows(keys, n, rows);
        for (size_t k = 0; k < n && !gone_.empty(); ++k)
            if (std::ranges::binary_search(gone_, rows[k])) rows[k] = 0;
    }
    void score(const uint32_t* rows, size_t n, Score* scores) const { table_->score(rows, n, scores); }
    template <class Visit>
    void each(uint32_t row, Visit&& visit) const {
        table_->each(row, visit);
    }
    auto weight(uint32_t row, uint32_t output) const { return table_->weight(row, output); }

  private:
    const Table* table_;
    std::vector<uint32_t> gone_;  // ascending
};

}  // namespace sapwood
