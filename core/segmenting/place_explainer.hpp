// Explains what begins at the places of a text at which a segmenter has a choice.
#pragma once
#include <string>

#include "tagging/tagger_explainer.hpp"

namespace sapwood {

// A place of a segmenter's rows as one reads it: Dr. |Who, do|n't.
std::string shown_place(const Columns& rows, size_t place);

// The explanations of a segmenter's tagger about the paragraphs begin..end - 1 of its rows, with shown_place as the words.
// Throws as TaggerExplainer::explain does.
std::string explain_places(const TaggerExplainer& tagger, const Columns& rows, const Question& question, size_t begin,
                           size_t end);

}  // namespace sapwood
