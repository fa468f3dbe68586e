// The search of parsers with weights of 8 bits, which takes most of the time of an analysis. The same functions in other files
// are compiled to be small; those of this one, which is linked first, are taken.
#include "model/frozen_table.hpp"
#include "parsing/transition_parser.hpp"

namespace sapwood {

template class TransitionParser<FrozenTable<int8_t>, int16_t>;
template class TransitionParser<FrozenTable<int8_t>, int32_t>;

}  // namespace sapwood
