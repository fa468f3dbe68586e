// Some lines of a template whose keys are always made together. Neighbours with the same number of atoms form a run. A run
// is one loop without branches that a processor would predict wrongly, and it reads memory in order.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "features/conjunctions.hpp"

namespace sapwood {

class LineGroup {
  public:
    // any_order: whether the keys may come in another order than the lines'.
    LineGroup(const Conjunctions& conjunctions, std::vector<uint32_t> lines, bool any_order) {
        const auto size = [&](uint32_t line) { return conjunctions.atoms(line).size(); };
        if (any_order) std::ranges::stable_sort(lines, {}, size);
        for (const uint32_t line : lines) {
            const auto atoms = conjunctions.atoms(line);
            if (runs_.empty() || runs_.back().atoms != atoms.size()) runs_.push_back({atoms.size(), 0});
            ++runs_.back().lines;
            seeds_.push_back(conjunctions.seed(line));
            atoms_.insert(atoms_.end(), atoms.begin(), atoms.end());
        }
    }

    // As Conjunctions::keys, of these lines.
    size_t keys(const uint64_t* values, uint64_t* out) const {
        const uint64_t* seeds = seeds_.data();
        const uint16_t* atoms = atoms_.data();
        uint64_t* to = out;
        for (const Run& run : runs_) {
            switch (run.atoms) {
                case 1:
                    to = keys<1>(run, seeds, atoms, values, to);
                    break;
                case 2:
                    to = keys<2>(run, seeds, atoms, values, to);
                    break;
                case 3:
                    to = keys<3>(run, seeds, atoms, values, to);
                    break;
                case 4:
                    to = keys<4>(run, seeds, atoms, values, to);
                    break;
                default:
                    to = keys<0>(run, seeds, atoms, values, to);
            }
            seeds += run.lines;
            atoms += run.lines * run.atoms;
        }
        return static_cast<size_t>(to - out);
    }

  private:
    struct Run {
        size_t atoms, lines;  // of each line, and how many lines
    };

    // Atoms: of each line, 0 for any number.
    template <size_t Atoms>
    static uint64_t* keys(const Run& run, const uint64_t* seeds, const uint16_t* atoms, const uint64_t* values,
                          uint64_t* to) {
        const size_t size = Atoms == 0 ? run.atoms : Atoms;
        for (size_t k = 0; k < run.lines; ++k, atoms += size) to += make_key(seeds[k], {atoms, size}, values, to);
        return to;
    }

    std::vector<Run> runs_;
    std::vector<uint64_t> seeds_;  // [lines]
    std::vector<uint16_t> atoms_;  // of all lines, by number
};

}  // namespace sapwood
