// A search over label sequences, as features, training, tagging and explanations see it. A search is a class template of
// the type of scores, in a file NAME_search.hpp; label_searches.hpp lists them. Nothing else in the core names one.
#pragma once
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

#include "features/extractor.hpp"
#include "search/lattice.hpp"

namespace sapwood {

struct LabelSearchTraits {
    const char* name;                // by which users ask for it
    const char* about;               // how it searches, in a few words
    unsigned before = 0, after = 0;  // labels to the left and right of a token that join the keys of its features
    // The labels that join in training are those that the search gives, too, and never the gold ones.
    bool joins_late = false;
    // Whole sequences are ranked. Label n-grams are outputs, in tables of their own, and the sentence is one decision.
    bool whole = false;
    bool takes_dictionary = false;  // a tag dictionary may restrict the labels of a token
    bool repeats = false;           // guided learning may present a decision until it is right

    bool joins() const { return before + after > 0; }
};

// The sizes that a search has to know.
struct LabelSearchSizes {
    unsigned order;         // of label n-grams, where whole sequences are ranked
    unsigned reach, ahead;  // labels to the left and right that the template's lines look at
};

// A sentence of which a search reads scores S.
template <class Sentence, class S>
concept ScoredSentence = requires(Sentence sentence, size_t i, const LabelContext<Label>& context, S* scores) {
    { sentence.tokens() } -> std::same_as<size_t>;
    { sentence.labels() } -> std::same_as<size_t>;
    { sentence.allowed(i) } -> std::same_as<std::span<const Label>>;  // the labels that token i may have; none: all
    sentence.score(i, context, scores);                               // joins the labels beside token i, and scores it
    { sentence.lattice() } -> std::same_as<Lattice<S>&>;              // with the scores of all tokens and label n-grams
};

// A sentence of the training data. Features of labels that do not join late are joined with gold labels beforehand.
template <class Sentence>
concept LearnedSentence = ScoredSentence<Sentence, float> && requires(Sentence sentence, size_t i, float* scores) {
    sentence.learner();                                           // a Presenting (learner/presenting.hpp)
    { sentence.gold() } -> std::same_as<std::span<const Label>>;  // [tokens]
    { sentence.joins_late() } -> std::same_as<bool>;              // whether labels join while it is searched
    sentence.rescore(i, scores);                                  // scores token i with the labels that have joined
    { sentence.scores() } -> std::same_as<float*>;                // [padded(labels)] scratch, of one token
    { sentence.path() } -> std::same_as<std::vector<Label>&>;     // scratch
    // present_token(i, how) presents the token whose scores are in scores(), with the features that have joined; `differ`
    // names the features by which two paths differ, and output(t, path, i) is that of the label n-gram at token i.
};

template <class Search, class Tagged, class Learned>
concept LabelSearch = std::constructible_from<Search, const LabelSearchSizes&> &&
                      requires(Search search, Tagged tagged, Learned learned, std::vector<Label>& path) {
                          { Search::kTraits } -> std::convertible_to<LabelSearchTraits>;
                          search.decode(tagged, path);
                          search.present(learned);
                          typename Search::template Explainer<float>;
                      };

// Explains one label after another: the choice is compared with the best other label at the step that made it.
template <class W>
class LabelExplainer;
// Explains whole sequences: the best one is compared with the best one in which a token has another label.
template <class W>
class PathExplainer;

}  // namespace sapwood
