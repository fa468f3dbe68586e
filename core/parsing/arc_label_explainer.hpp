// Explains why the second stage (arc_labeller.hpp) gave an arc its label: compares it with the best other label that an
// arc of that direction can have.
#pragma once
#include <vector>

#include "parsing/explained_choice.hpp"
#include "parsing/parser_worker.hpp"

namespace sapwood {

class ArcLabelExplainer {
  public:
    // Of a parser with a second stage.
    explicit ArcLabelExplainer(const ParserSpec& spec)
        : labeller_(make_labeller(spec).value()),
          features_(spec.section("labels", ArcLabelContext::atoms()), labeller_.table()) {}

    // Calls take(explanation) for the arcs of the words of a tree that are asked about, and labels the tree.
    template <class W>
    void explain(const std::vector<FrozenTable<W>>& tables, const ExplainedSentence& sentence, Tree& tree,
                 const TakeExplanation& take) {
        if (sentence.asks_for_head()) return;
        const auto name = [&](uint32_t y) { return sentence.label(y); };
        const auto is_asked = [&](uint32_t y) { return sentence.asks_for(0, name(y)); };
        using LabelChoice = ContextChoice<typename FrozenTable<W>::Score>;
        labeller_.label(
            tables[labeller_.table()], sentence.words(), tree,
            [&](uint32_t m, const uint64_t* values, const std::vector<uint32_t>& allowed, const auto* scores) {
                if (sentence.asks(m))
                    features_.explain(tables, sentence, LabelChoice{values, scores, allowed, tree.labels[m]}, is_asked,
                                      name, sentence.about(m, "relation"), take);
            });
    }

  private:
    ArcLabeller labeller_;
    ContextFeatures features_;
};

}  // namespace sapwood
