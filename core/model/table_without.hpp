// A frozen table without some of its features: every look-up of one of them finds nothing. Searches take it like the table
// itself, which stays as it is.
//
// Its type is that of the scores, not that of the weights, so that what explains decisions is compiled once for whole
// numbers and once for floats. The branch on the type of the weights is one a call, for all features of a context.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <variant>
#include <vector>

#include "model/frozen_table.hpp"

namespace sapwood {

template <class S>
class TableWithout {
  public:
    using Score = S;

    template <class W>
    explicit TableWithout(const FrozenTable<W>& table) : table_(&table) {}

    // rows: of the features to leave out, in any order.
    void leave_out(std::vector<uint32_t> rows);

    size_t width() const;
    void prefetch_keys(const uint64_t* keys, size_t n) const;
    void find_rows(const uint64_t* keys, size_t n, uint32_t* rows) const;
    void score(const uint32_t* rows, size_t n, S* scores) const;
    void each(uint32_t row, const std::function<void(uint32_t, S)>& visit) const;
    S weight(uint32_t row, uint32_t output) const;

  private:
    using Integers = std::variant<const FrozenTable<int8_t>*, const FrozenTable<int16_t>*>;
    using Floats = std::variant<const FrozenTable<float>*>;

    std::conditional_t<std::is_same_v<S, float>, Floats, Integers> table_;
    std::vector<uint32_t> gone_;  // ascending
};

extern template class TableWithout<int32_t>;
extern template class TableWithout<float>;

}  // namespace sapwood
