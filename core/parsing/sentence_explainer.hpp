// Explains the decisions of a parser about one sentence, whatever its search and its weights are. One call explains a
// sentence, so which search it is is asked once a sentence.
#pragma once
#include <memory>
#include <vector>

#include "parsing/explained_sentence.hpp"
#include "parsing/parser.hpp"

namespace sapwood {

class SentenceExplainer {
  public:
    virtual ~SentenceExplainer() = default;

    // Parses the sentence, and calls take(explanation) for the decisions that are asked about, in the order of the words.
    virtual void explain(const ExplainedSentence& sentence, const TakeExplanation& take) = 0;
};

// For one thread. The parser must outlive it.
std::unique_ptr<SentenceExplainer> make_sentence_explainer(const Parser& parser);

}  // namespace sapwood
