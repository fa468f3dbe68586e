#include "parsing/parser_explainer.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "model/table_without.hpp"
#include "parsing/arc_label_explainer.hpp"
#include "parsing/easy_first_explainer.hpp"
#include "parsing/eisner_explainer.hpp"
#include "parsing/parse_flip.hpp"
#include "parsing/transition_explainer.hpp"

namespace sapwood {

namespace {

// Tables that can leave features out serve all questions, so that each search is compiled once for each kind of weights.
template <class W>
class Worker {
  public:
    using Table = TableWithout<FrozenTable<W>>;
    using Tables = std::vector<Table>;

    explicit Worker(const ParserSpec& spec)
        : search_(make_search<TransitionExplainer<Table>, EasyFirstExplainer<Table>, EisnerExplainer<Table>>(spec)) {
        if (spec.labelling == Labelling::second_stage) labels_.emplace(spec);
    }

    template <class Take>
    void explain(const Tables& tables, const ExplainedSentence& sentence, Take&& take) {
        found_.clear();
        const auto keep = [&](Explanation& explanation) { found_.push_back(std::move(explanation)); };
        std::visit([&](auto& search) { search.explain(tables, sentence, tree_, keep); }, search_);
        if (labels_) labels_->explain(tables, sentence, tree_, keep);
        std::ranges::stable_sort(found_, {}, &Explanation::token);
        for (Explanation& explanation : found_) take(explanation);
    }

  private:
    std::variant<TransitionExplainer<Table>, EasyFirstExplainer<Table>, EisnerExplainer<Table>> search_;
    std::optional<ArcLabelExplainer> labels_;
    Tree tree_;
    std::vector<Explanation> found_;
};

void check(const ParserSpec& spec, const std::string& against) {
    const bool is_number = against.find_first_not_of("0123456789") == std::string::npos;
    const bool is_shift = against == "shift" && spec.search == ParserSearch::beam;
    if (!is_number && !is_shift && std::ranges::find(spec.labels, against) == spec.labels.end())
        throw OptionError("the parser has no label '" + against + "'; a head is given by its number");
}

}  // namespace

std::string explain_parses(const Parser& parser, const OutputNames& outputs, const Conllu& data,
                           const Question& question, size_t begin, size_t end, size_t threads) {
    const ParserSpec& spec = parser.spec();
    check(spec, question.against);
    return parser.model().with_tables([&]<class W>(const FrozenModel::Tables<W>& frozen) {
        const typename Worker<W>::Tables tables(frozen.begin(), frozen.end());
        return json_lines(question, begin, std::min(end, data.sentences()), threads, parser.model().scale(), [&] {
            using Flips = ParseFlip<typename Worker<W>::Table, Worker<W>>;
            const bool searches = question.token && question.search_flips;
            return [&, worker = std::make_unique<Worker<W>>(spec),
                    flips = searches ? std::make_unique<Flips>(spec, outputs, question) : nullptr,
                    sentence = ExplainedSentence(spec, outputs, question),
                    words = Words()](size_t s, auto&& take) mutable {
                read_words(data, s, spec, words);  // which checks the length
                const auto cell = [&](size_t w, Field field) { return data.cell(w, field); };
                sentence.read(data.begin(s), data.end(s), cell);
                if (flips) flips->read(data.begin(s), data.end(s), cell);
                worker->explain(tables, sentence, [&](Explanation& explanation) {
                    if (flips) flips->search(tables, explanation);
                    take(explanation);
                });
            };
        });
    });
}

ParseMargins parse_margins(const Parser& parser, const Conllu& data, size_t threads) {
    const ParserSpec& spec = parser.spec();
    const bool staged = spec.labelling == Labelling::second_stage;
    const double none = std::numeric_limits<double>::infinity();
    ParseMargins margins{std::vector<double>(data.words(), none), std::vector<double>(staged ? data.words() : 0, none)};
    Question question;
    question.only_margins = true;
    const OutputNames no_names;
    parser.model().with_tables([&]<class W>(const FrozenModel::Tables<W>& frozen) {
        const typename Worker<W>::Tables tables(frozen.begin(), frozen.end());
        for_each_sentence(data.sentences(), threads, [&] {
            return [&, worker = std::make_unique<Worker<W>>(spec),
                    sentence = ExplainedSentence(spec, no_names, question), words = Words()](size_t s) mutable {
                read_words(data, s, spec, words);  // which checks the length
                sentence.read(data.begin(s), data.end(s), [&](size_t w, Field field) { return data.cell(w, field); });
                worker->explain(tables, sentence, [&](const Explanation& found) {
                    auto& to = found.decision == "arc" ? margins.arcs : margins.relations;
                    if (found.against) to[data.begin(s) + found.token] = found.margin * parser.model().scale();
                });
            };
        });
    });
    return margins;
}

}  // namespace sapwood
