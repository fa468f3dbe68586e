// What a search needs of a table of weights to score with it. The trainable WeightTable and the FrozenTables of a model
// both have it, so that each task scores by the same code in training and in prediction.
//
//     Score                           float, or int32_t in quantised models, where sums are exact
//     prefetch_keys(keys, n)          starts the cache misses of n look-ups
//     find_rows(keys, n, rows)        the row of each key; 0, the empty row, for one that does not score
//     score(rows, n, scores)          scores: [padded(width)], overwritten with the sum of n rows
//
// A table whose scores are exact may have score_parts(rows, parts, scores), too, which makes several sums at a time.
//
// A VisitableTable, which label n-grams take, also has
//
//     each(row, visit)                visit(output, weight) for the weights of a row that are not 0, and maybe
//                                     for some that are
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace sapwood {

template <class T>
concept ScoringTable = requires(const T& table, const uint64_t* keys, size_t n, uint32_t* found, const uint32_t* rows,
                                typename T::Score* scores) {
    requires std::same_as<typename T::Score, float> || std::same_as<typename T::Score, int32_t>;
    table.prefetch_keys(keys, n);
    table.find_rows(keys, n, found);
    table.score(rows, n, scores);
};

template <class T>
concept VisitableTable =
    ScoringTable<T> &&
    requires(const T& table, uint32_t row, void (*visit)(uint32_t, typename T::Score)) { table.each(row, visit); };

}  // namespace sapwood
