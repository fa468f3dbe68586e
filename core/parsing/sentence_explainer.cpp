#include "parsing/sentence_explainer.hpp"

#include <algorithm>

#include "parsing/arc_label_explainer.hpp"
#include "parsing/easy_first_explainer.hpp"
#include "parsing/eisner_explainer.hpp"
#include "parsing/parser_worker.hpp"
#include "parsing/transition_explainer.hpp"

namespace sapwood {

namespace {

template <class W>
class SearchExplainer : public SentenceExplainer {
  public:
    SearchExplainer(const ParserSpec& spec, const FrozenModel::Tables<W>& tables, double scale)
        : tables_(tables),
          search_(make_search<TransitionExplainer<W>, EasyFirstExplainer<W>, EisnerExplainer<W>>(spec, scale)) {
        if (spec.labelling == Labelling::second_stage) labels_.emplace(spec);
    }

    void explain(const ExplainedSentence& sentence, const TakeExplanation& take) override {
        found_.clear();
        const TakeExplanation keep = [&](Explanation& explanation) { found_.push_back(std::move(explanation)); };
        std::visit([&](auto& search) { search.explain(tables_, sentence, tree_, keep); }, search_);
        if (labels_) labels_->explain(tables_, sentence, tree_, keep);
        std::ranges::stable_sort(found_, {}, &Explanation::token);
        for (Explanation& explanation : found_) take(explanation);
    }

  private:
    const FrozenModel::Tables<W>& tables_;
    std::variant<TransitionExplainer<W>, EasyFirstExplainer<W>, EisnerExplainer<W>> search_;
    std::optional<ArcLabelExplainer> labels_;
    Tree tree_;
    std::vector<Explanation> found_;
};

}  // namespace

std::unique_ptr<SentenceExplainer> make_sentence_explainer(const Parser& parser) {
    return parser.model().with_tables(
        [&]<class W>(const FrozenModel::Tables<W>& tables) -> std::unique_ptr<SentenceExplainer> {
            return std::make_unique<SearchExplainer<W>>(parser.spec(), tables, parser.model().scale());
        });
}

}  // namespace sapwood
