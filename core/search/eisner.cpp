#include "search/eisner.hpp"

namespace sapwood {

template class Eisner<float>;
template class Eisner<int32_t>;

}  // namespace sapwood
