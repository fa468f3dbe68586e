#include "model/table_without.hpp"

#include <algorithm>

namespace sapwood {

template <class S>
void TableWithout<S>::leave_out(std::vector<uint32_t> rows) {
    std::ranges::sort(rows);
    gone_ = std::move(rows);
}

template <class S>
size_t TableWithout<S>::width() const {
    return std::visit([](const auto* table) { return table->width(); }, table_);
}

template <class S>
void TableWithout<S>::prefetch_keys(const uint64_t* keys, size_t n) const {
    std::visit([&](const auto* table) { table->prefetch_keys(keys, n); }, table_);
}

template <class S>
void TableWithout<S>::find_rows(const uint64_t* keys, size_t n, uint32_t* rows) const {
    std::visit([&](const auto* table) { table->find_rows(keys, n, rows); }, table_);
    for (size_t k = 0; k < n && !gone_.empty(); ++k)
        if (std::ranges::binary_search(gone_, rows[k])) rows[k] = 0;
}

template <class S>
void TableWithout<S>::score(const uint32_t* rows, size_t n, S* scores) const {
    std::visit([&](const auto* table) { table->score(rows, n, scores); }, table_);
}

template <class S>
void TableWithout<S>::each(uint32_t row, const std::function<void(uint32_t, S)>& visit) const {
    std::visit([&](const auto* table) { table->each(row, visit); }, table_);
}

template <class S>
S TableWithout<S>::weight(uint32_t row, uint32_t output) const {
    return std::visit([&](const auto* table) -> S { return table->weight(row, output); }, table_);
}

template class TableWithout<int32_t>;
template class TableWithout<float>;

}  // namespace sapwood
