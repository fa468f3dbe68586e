// The outputs of a parser's tables, by the names under which they are shown.
//
//     eisner      arc, then arc left 1 ... arc right 11+: direction and distance of the modifier;
//                 sibling ...: the same for two neighbouring modifiers of a head
//     easy-first  attach left obj ... attach right nsubj: the head is the left or the right neighbour
//     beam        shift, root root, left nsubj ... right obj: arcs from the root, to the left, to the right
//     labels      obj ... nsubj: the table of a second stage, after those of the search
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "parsing/parser_spec.hpp"

namespace sapwood {

struct OutputName {
    std::string name;
    std::optional<std::string> label;  // of the arc that the output makes, if it has one
};
using OutputNames = std::vector<std::vector<OutputName>>;  // [tables][outputs]

OutputNames output_names(const ParserSpec& spec);

}  // namespace sapwood
