// Why a parser gave words their heads and labels: transition_explainer.hpp, easy_first_explainer.hpp,
// eisner_explainer.hpp and, behind the latter two, arc_label_explainer.hpp say what is compared.
//
// What is explained is the tree of the search: arcs that cross others are still lifted, and their labels say so.
#pragma once
#include <string>

#include "parsing/explained_sentence.hpp"
#include "parsing/parser.hpp"

namespace sapwood {

// A line of JSON for each decision that is asked about in the sentences begins..end - 1; the same for every number of
// threads. The question may be against a label, a head's number or "shift". Throws OptionError if it is against
// anything else, DataError for a sentence that is too long for the search.
std::string explain_parses(const Parser& parser, const OutputNames& outputs, const Conllu& data,
                           const Question& question, size_t begin, size_t end, size_t threads);

}  // namespace sapwood
