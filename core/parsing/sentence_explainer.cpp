#include "parsing/sentence_explainer.hpp"

#include <algorithm>

#include "parsing/arc_label_explainer.hpp"
#include "parsing/easy_first_explainer.hpp"
#include "parsing/eisner_explainer.hpp"
#include "parsing/parser_worker.hpp"
#include "parsing/transition_explainer.hpp"

namespace sapwood {

namespace {

template <class S>
class SearchExplainer : public SentenceExplainer {
  public:
    SearchExplainer(const ParserSpec& spec, std::vector<TableWithout<S>> tables)
        : tables_(std::move(tables)),
          search_(make_search<TransitionExplainer<S>, EasyFirstExplainer<S>, EisnerExplainer<S>>(spec)) {
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

    void leave_out(const std::vector<FeatureId>& features) override {
        for (uint32_t t = 0; t < tables_.size(); ++t) {
            std::vector<uint32_t> rows;
            for (const auto& [table, row] : features)
                if (table == t) rows.push_back(row);
            tables_[t].leave_out(std::move(rows));
        }
    }

  private:
    std::vector<TableWithout<S>> tables_;
    std::variant<TransitionExplainer<S>, EasyFirstExplainer<S>, EisnerExplainer<S>> search_;
    std::optional<ArcLabelExplainer> labels_;
    Tree tree_;
    std::vector<Explanation> found_;
};

}  // namespace

std::unique_ptr<SentenceExplainer> make_sentence_explainer(const Parser& parser) {
    return parser.model().with_tables(
        [&]<class W>(const FrozenModel::Tables<W>& tables) -> std::unique_ptr<SentenceExplainer> {
            using S = typename FrozenTable<W>::Score;
            return std::make_unique<SearchExplainer<S>>(parser.spec(),
                                                        std::vector<TableWithout<S>>(tables.begin(), tables.end()));
        });
}

}  // namespace sapwood
