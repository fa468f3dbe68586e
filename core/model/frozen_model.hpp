// The weights of a frozen model, whatever the task: all its tables with their bits and scale, validated once.
// Immutable, and shared by threads.
#pragma once
#include <functional>
#include <variant>
#include <vector>

#include "model/frozen_table.hpp"

namespace sapwood {

// A weight that is not zero: its table, its feature's place in the file, its output.
struct Weight {
    size_t table, feature, output;
    double weight;
};

class FrozenModel {
  public:
    template <class W>
    using Tables = std::vector<FrozenTable<W>>;

    // widths: [tables] outputs of each table in the file. `bits` and `scale` as in PackedModel. `place`, if there is
    // one, lays the outputs of a table out anew in memory: place(t, outputs) makes them numbers below width(t).
    struct Layout {
        std::function<size_t(size_t)> width;
        std::function<void(size_t, std::vector<uint32_t>&)> place;
    };
    // Throws ModelError if the tables are damaged, or are not those that the task has.
    FrozenModel(const std::vector<PackedTable>& tables, unsigned bits, double scale, const std::vector<size_t>& widths,
                const Layout& layout = {});

    // Calls f(tables) with the FrozenTables of the model's weight type: once a call, then no branch a feature.
    template <class F>
    decltype(auto) with_tables(F&& f) const {
        return std::visit(std::forward<F>(f), tables_);
    }

    // A score of integer weights times this is a score in the unit of training.
    double scale() const { return scale_; }

    std::vector<Weight> weights() const;  // all that are not zero

  private:
    double scale_;
    std::variant<Tables<int8_t>, Tables<int16_t>, Tables<float>> tables_;
};

}  // namespace sapwood
