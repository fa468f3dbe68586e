// Why the parts of a pipeline decided as they did about a text: the explanations of each part, about what the parts before it
// have found.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/deciding_parts.hpp"
#include "text/conllu.hpp"

namespace sapwood {

class PipelineReasons {
  public:
    // part: the name of the one that is asked, by whose own numbers the question is; empty: all are asked, and the numbers are
    // those of words: a splitter is asked about the token of the word, a segmenter, which has places, is not asked. `of_text`:
    // the words were found in a text, else they were given. Throws OptionError for a part that cannot be asked.
    PipelineReasons(const DecidingParts& parts, Question question, const std::string& part, bool of_text);

    // Begins with the words that the parts have found in a text. The words must outlive this object.
    void begin(const Conllu& words, std::string_view text);

    // The next explanations, as lines of JSON with the name of a part at the head of each; none at the end. Throws OptionError
    // at the end if no part can answer the question, for one reason.
    std::optional<std::string> next(size_t threads);

  private:
    void begin_part();
    Columns rows() const;
    bool refuse(std::string flaw);  // keeps a flaw of the question; false if it has none
    std::optional<std::string> lines(size_t begin, size_t end, size_t threads);
    std::optional<std::string> lines_of_splits(size_t begin, size_t end);

    const DecidingParts& parts_;
    Question question_;
    bool of_words_;                           // numbers are those of words, and not the part's own
    std::vector<const DecidingPart*> asked_;  // in their order
    std::string text_;
    const Conllu* words_ = nullptr;
    size_t part_ = 0;  // that is explained, and the numbers of its sentences that are left
    size_t begin_ = 0, end_ = 0;
    Columns rows_{1, "text"};  // of its tagger
    bool answered_ = false;
    std::string flaw_;
};

}  // namespace sapwood
