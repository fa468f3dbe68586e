#include "tagging/tagger_explainer.hpp"

#include <algorithm>
#include <limits>

#include "base/errors.hpp"
#include "tagging/explained_labels.hpp"
#include "tagging/label_explainer.hpp"
#include "tagging/path_explainer.hpp"

namespace sapwood {

template <class W>
class TaggerExplainer::Worker {
  public:
    Worker(const TaggerExplainer& owner, const FrozenModel::Tables<W>& tables)
        : sentence_(owner.tagger_, owner.shown_, owner.label_hashes_, tables), explainer_(explainer_of(sentence_)) {}

    // Calls take(explanation) for the tokens that are asked about.
    template <class Take>
    void explain(const Columns& data, size_t sentence, const Question& question, Take&& take) {
        sentence_.wanted = sentence_.shown.find(question.against);
        with_labels(data, sentence, [&](auto& explainer) {
            for (size_t i = 0; i < sentence_.tokens(); ++i) {
                if (!question.asks_token(i)) continue;
                const Label chosen = sentence_.path[i];
                Explanation& explanation = sentence_.explanation = {};
                explanation.token = i;
                explanation.word = data.cell(data.begin(sentence) + i, 0);
                explanation.decision = "label";
                explanation.chosen = sentence_.shown.names()[chosen];
                if (sentence_.shown.number(chosen) == sentence_.wanted) continue;
                explainer.explain(i);
                if (explanation.against || !sentence_.wanted) take(explanation);
            }
        });
    }

    // Fills in the margins of a sentence's tokens.
    void margins(const Columns& data, size_t sentence, std::span<double> margins) {
        sentence_.wanted = std::nullopt;
        with_labels(data, sentence, [&](auto& explainer) {
            for (size_t i = 0; i < sentence_.tokens(); ++i) {
                explainer.score(i);
                const auto score = [&](Label y) { return explainer.score_at(i, y); };
                const std::optional<Label> against = sentence_.runner_up(i, score);
                margins[i] = against ? score(sentence_.path[i]) - score(*against) : kInfinity;
            }
        });
    }

    // Fills in the gaps of a sentence's tokens, [tokens][labels], but for labels that are not allowed.
    void gaps(const Columns& data, size_t sentence, std::span<double> to) {
        with_labels(data, sentence, [&](auto& explainer) {
            for (size_t i = 0; i < sentence_.tokens(); ++i) {
                explainer.score(i);
                const auto score = [&](Label y) { return explainer.score_at(i, y); };
                sentence_.each_allowed(
                    i, [&](Label y) { to[i * sentence_.labels() + y] = score(y) - score(sentence_.path[i]); });
            }
        });
    }

  private:
    using Explainer = std::variant<LabelExplainer<W>, PathExplainer<W>>;
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();

    static Explainer explainer_of(ExplainedLabels<W>& sentence) {
        const auto search = label_search<float>(sentence.spec.search, sentence.spec.sizes(sentence.extractor));
        return std::visit(
            [&]<class Search>(const Search&) {
                return Explainer(std::in_place_type<typename Search::template Explainer<W>>, sentence);
            },
            search);
    }

    // Labels a sentence, and calls use(explainer).
    template <class Use>
    void with_labels(const Columns& data, size_t sentence, Use&& use) {
        sentence_.read(data, sentence);
        std::visit(
            [&](auto& explainer) {
                explainer.search();
                use(explainer);
            },
            explainer_);
    }

    ExplainedLabels<W> sentence_;
    Explainer explainer_;
};

std::string TaggerExplainer::flaw_of(const Question& question) const {
    if (question.against.empty() || shown_.find(question.against)) return {};
    return "the model has no label '" + question.against + "'";
}

void TaggerExplainer::check(const Columns& data, const Question& question) const {
    tagger_.check_columns(data);
    if (const std::string flaw = flaw_of(question); !flaw.empty()) throw OptionError(flaw);
}

std::string TaggerExplainer::explain(const Columns& data, const Question& question, size_t begin, size_t end,
                                     size_t threads) const {
    check(data, question);
    return tagger_.with_tables(data, [&]<class V>(const std::vector<FrozenTable<V>>& tables) {
        return json_lines(question, begin, std::min(end, data.sentences()), threads, tagger_.model().scale(), [&] {
            return [&, worker = Worker<V>(*this, tables)](size_t s, auto&& take) mutable {
                if (data.begin(s) < data.end(s)) worker.explain(data, s, question, take);
            };
        });
    });
}

template <class Fill>
std::vector<double> TaggerExplainer::by_token(const Columns& data, size_t threads, size_t width, Fill&& fill) const {
    tagger_.check_columns(data);
    std::vector<double> numbers(data.tokens() * width, -std::numeric_limits<double>::infinity());
    tagger_.with_tables(data, [&]<class V>(const std::vector<FrozenTable<V>>& tables) {
        for_each_sentence(data.sentences(), threads, [&] {
            return [&, worker = Worker<V>(*this, tables)](size_t s) mutable {
                const size_t tokens = data.end(s) - data.begin(s);
                if (tokens > 0) fill(worker, s, std::span(numbers).subspan(data.begin(s) * width, tokens * width));
            };
        });
    });
    for (double& number : numbers) number *= tagger_.model().scale();
    return numbers;
}

std::vector<double> TaggerExplainer::margins(const Columns& data, size_t threads) const {
    return by_token(data, threads, 1, [&](auto& worker, size_t s, auto to) { worker.margins(data, s, to); });
}

std::vector<double> TaggerExplainer::gaps(const Columns& data, size_t threads) const {
    return by_token(data, threads, tagger_.spec().labels.size(),
                    [&](auto& worker, size_t s, auto to) { worker.gaps(data, s, to); });
}

std::vector<Explanation> TaggerExplainer::explain_sentence(const Columns& data, size_t sentence,
                                                           const Question& question) const {
    check(data, question);
    std::vector<Explanation> all;
    tagger_.with_tables(data, [&]<class V>(const std::vector<FrozenTable<V>>& tables) {
        Worker<V> worker(*this, tables);
        worker.explain(data, sentence, question, [&](Explanation& explanation) {
            explanation.sentence = sentence;
            all.push_back(std::move(explanation));
        });
    });
    return all;
}

}  // namespace sapwood
