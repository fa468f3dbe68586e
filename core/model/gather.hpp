// How fast this machine adds up rows of a model's weights: the limit that bench/ holds tagging and parsing against.
#pragma once
#include <cstdint>
#include <vector>

#include "base/hash.hpp"
#include "model/frozen_model.hpp"

namespace sapwood {

// Adds up `count` pseudo-random rows of a table, `at_a_time` of them for each score, as scoring does. Returns something
// that depends on all of them.
inline double gather(const FrozenModel& model, size_t table, size_t count, size_t at_a_time, uint64_t seed) {
    return model.with_tables([&](const auto& tables) {
        const auto& weights = tables.at(table);
        std::vector<uint32_t> rows(std::max<size_t>(at_a_time, 1));
        AlignedVector<typename std::decay_t<decltype(weights)>::Score> scores(padded(weights.width()));
        double total = 0;
        for (size_t done = 0; weights.features() > 0 && done < count; done += rows.size()) {
            for (uint32_t& row : rows) {
                seed = fold(seed + 0x9E3779B97F4A7C15ULL, 0xE7037ED1A0B428DBULL);
                row =
                    weights.row(static_cast<size_t>((static_cast<unsigned __int128>(seed) * weights.features()) >> 64));
            }
            weights.score(rows.data(), rows.size(), scores.data());
            total += static_cast<double>(scores[0]);
        }
        return total;
    });
}

}  // namespace sapwood
