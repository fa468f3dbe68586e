// The best class on its own: y = argmax_y w_y . phi(x).
#pragma once
#include "search/lattice.hpp"

namespace sapwood {

template <class S>
Label argmax(const S* scores, size_t labels) {
    Label best = 0;
    for (Label y = 1; y < labels; ++y)
        if (scores[y] > scores[best]) best = y;
    return best;
}

template <class S>
void argmax(const Lattice<S>& lattice, std::vector<Label>& path) {
    path.resize(lattice.n);
    for (size_t i = 0; i < lattice.n; ++i)
        path[i] = argmax(lattice.emission.data() + i * lattice.stride, lattice.labels);
}

}  // namespace sapwood
