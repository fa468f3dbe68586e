// What the lines that look at one cell alone (Extractor::cell_lines) add to a token's scores: the sum of their weights,
// remembered for each cell. Words repeat, so most tokens take a few remembered sums in place of dozens of rows. Weights
// are integers here, so that a sum is the same whatever the order.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/aligned.hpp"
#include "base/stop_check.hpp"
#include "base/sum_rows.hpp"
#include "features/extractor.hpp"
#include "model/frozen_table.hpp"

namespace sapwood {

template <class W>
class CellSums {
  public:
    using S = typename FrozenTable<W>::Score;

    CellSums(const Extractor& extractor, const FrozenTable<W>& table)
        : extractor_(extractor), table_(table), stride_(padded(table.width())), scores_(stride_) {
        for (const Extractor::CellLines& lines : extractor.cell_lines()) {
            const auto same = [&](const Column& c) { return c.number == lines.column; };
            auto column = std::ranges::find_if(columns_, same);
            if (column == columns_.end()) column = columns_.insert(column, Column(lines.column));
            column->lines.push_back(&lines);
        }
        for (Column& column : columns_)
            column.most = static_cast<uint32_t>(kMostBytes / (column.lines.size() * stride_ * sizeof(Sum)));
    }

    // Looks at the sentence that the extractor read last, and sums what these tokens need and is not remembered.
    void read(const Extractor::Workspace& workspace, const std::vector<size_t>& tokens) {
        for (Column& column : columns_) {
            find(column, workspace, tokens);
            fill(column, workspace);
        }
    }

    // Adds to the scores of one of these tokens.
    void add(size_t i, S* scores) {
        for (const Column& column : columns_) {
            const size_t n = column.lines.size();
            prefetch(column, (i + 1) * n, std::min((i + 2) * n, column.rows.size()));
            sum_rows(column.sums.data(), stride_, column.rows.data() + i * n, n, stride_, scores_.data());
            for (size_t y = 0; y < stride_; ++y) scores[y] += scores_[y];
        }
    }

  private:
    using Sum = std::conditional_t<sizeof(W) == 1, int16_t, int32_t>;
    static_assert(sizeof(W) > 1 || kMostCellLines * 127 <= 32767);
    static constexpr size_t kMostBytes = size_t{1} << (sizeof(void*) > 4 ? 24 : 18);  // of the sums of a column

    // A sum that is not known yet.
    struct Missing {
        uint32_t row, id;
        const Extractor::CellLines* lines;
    };

    struct Column {
        explicit Column(size_t which) : number(which) {}

        size_t number;
        std::vector<const Extractor::CellLines*> lines;
        uint32_t most = 0;           // cells that are remembered
        uint32_t forgotten = 0;      // of the extractor's cells
        AlignedVector<Sum> sums;     // [cells][lines][stride], then rows of cells that are not remembered
        std::vector<bool> known;     // [cells][lines]
        std::vector<uint32_t> rows;  // [tokens][lines] which row of `sums`
        std::vector<Missing> missing;
    };

    void prefetch(const Column& column, size_t begin, size_t end) const {
        constexpr size_t line = 64 / sizeof(Sum);
        for (size_t k = begin; k < end; ++k)
            for (size_t y = 0; y < stride_; y += line)
                __builtin_prefetch(column.sums.data() + column.rows[k] * stride_ + y);
    }

    void find(Column& column, const Extractor::Workspace& workspace, const std::vector<size_t>& tokens) {
        const size_t n = column.lines.size();
        const uint32_t* const ids = extractor_.ids(column.number, workspace);
        const uint32_t lasting = std::min(column.most, extractor_.lasting_ids(column.number, workspace));
        if (const uint32_t now = workspace.cells[column.number].forgotten; now != column.forgotten) {
            column.known.clear();
            column.forgotten = now;
        }
        if (column.known.size() < lasting * n) column.known.resize(lasting * n);
        column.rows.resize(workspace.n * n);
        column.missing.clear();
        size_t rows = lasting * n;
        for (const size_t i : tokens)
            for (size_t k = 0; k < n; ++k) {
                const uint32_t id = ids[static_cast<ptrdiff_t>(i) + column.lines[k]->offset];
                const size_t row = id < lasting ? id * n + k : rows++;
                column.rows[i * n + k] = static_cast<uint32_t>(row);
                if (id < lasting && column.known[row]) continue;
                if (id < lasting) column.known[row] = true;
                column.missing.push_back({static_cast<uint32_t>(row), id, column.lines[k]});
            }
        if (column.sums.size() < rows * stride_) column.sums.resize(rows * stride_);
    }

    void fill(Column& column, const Extractor::Workspace& workspace) {
        keys_.clear();
        for (const Missing& missing : column.missing) {
            const size_t first = keys_.size(), n = missing.lines->lines.size();
            keys_.resize(first + n);
            extractor_.cell_keys(*missing.lines, workspace, missing.id, keys_.data() + first);
            table_.prefetch_keys(keys_.data() + first, n);
        }
        const uint64_t* keys = keys_.data();
        for (const Missing& missing : column.missing) {
            const size_t n = missing.lines->lines.size();
            StopCheck::after(n * stride_);
            rows_.resize(n);
            table_.find_rows(keys, n, rows_.data());
            for (size_t k = 0; workspace.has_gaps && k < n; ++k)
                if (keys[k] == kNoFeature) rows_[k] = 0;
            table_.score(rows_.data(), n, scores_.data());
            std::ranges::copy(scores_, column.sums.begin() + static_cast<ptrdiff_t>(missing.row * stride_));
            keys += n;
        }
    }

    const Extractor& extractor_;
    const FrozenTable<W>& table_;
    size_t stride_;
    std::vector<Column> columns_;
    std::vector<uint64_t> keys_;  // of the lines of what is missing
    std::vector<uint32_t> rows_;
    AlignedVector<S> scores_;  // [stride]
};

}  // namespace sapwood
