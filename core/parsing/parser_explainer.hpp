// Explains why a parser gave words their heads and labels. What is compared is described in transition_explainer.hpp,
// easy_first_explainer.hpp and eisner_explainer.hpp and, for labels of a second stage, in arc_label_explainer.hpp.
//
// The explained tree is the projective tree that the search returned: lifted arcs are not yet put back, and their labels
// still say that they were lifted.
#pragma once
#include <string>
#include <vector>

#include "parsing/explained_sentence.hpp"
#include "parsing/parser.hpp"

namespace sapwood {

// Returns a line of JSON for each decision of the sentences begin..end - 1 that is asked about. The result does not depend
// on the number of threads. `Question::against` may be a label, the number of a head, or "shift". Throws OptionError if
// it is anything else, and DataError for a sentence that is too long for the search.
std::string explain_parses(const Parser& parser, const Conllu& data, const Question& question, size_t begin, size_t end,
                           size_t threads);

// The flaw of a question, such as a label that the parser does not have; empty if it has none.
std::string flaw_of(const Question& question, const ParserSpec& spec);

}  // namespace sapwood
