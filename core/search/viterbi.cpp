#include "search/viterbi.hpp"

namespace sapwood {

template class Viterbi<float>;
template class Viterbi<int32_t>;

}  // namespace sapwood
