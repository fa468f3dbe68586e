#include "tagging/tagger_explainer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/errors.hpp"
#include "model/choice_flip.hpp"
#include "search/easiest_first.hpp"
#include "search/greedy.hpp"
#include "search/max_marginals.hpp"
#include "search/viterbi.hpp"
#include "tagging/keyed_features.hpp"
#include "tagging/lattice_removal.hpp"
#include "tagging/path_difference.hpp"
#include "tagging/sentence_scorer.hpp"
#include "text/label_set.hpp"

namespace sapwood {

namespace {

// Where a feature is found: line `line` of a group of the template, at a token of the sentence.
struct Place {
    uint32_t token, group, line;
};

}  // namespace

template <class W>
class TaggerExplainer::Worker {
  public:
    Worker(const TaggerExplainer& owner, const FrozenModel::Tables<W>& tables)
        : owner_(owner),
          tagger_(owner.tagger_),
          spec_(tagger_.spec()),
          extractor_(tagger_.extractor()),
          shown_(owner.shown_),
          number_(owner.number_),
          tables_(tables),
          features_(spec_, extractor_, owner.label_hashes_, tables),
          scorer_(spec_, extractor_),
          easiest_(extractor_.reach(), extractor_.ahead()),
          scores_(spec_.stride()),
          removal_(spec_, extractor_, features_, scorer_.lattice) {
        for (unsigned group = 0; group < kLineGroups; ++group)
            for (uint32_t line = 0; line < extractor_.lines(group) && (group == 0 || spec_.joins_labels()); ++line)
                lines_.push_back({0, group, line});
    }

    // Calls take(explanation) for the tokens that are asked about.
    template <class Take>
    void explain(const Columns& data, size_t sentence, const Question& question, Take&& take) {
        question_ = &question;
        wanted_ = owner_.number(question.against);
        read(data, sentence);
        for (size_t i = 0; i < features_.tokens(); ++i) {
            if (!question.asks_token(i)) continue;
            explanation_ = {};
            explanation_.token = i;
            explanation_.word = data.cell(begin_ + i, 0);
            explanation_.decision = "label";
            explanation_.chosen = shown_[path_[i]];
            if (number_[path_[i]] == wanted_) continue;
            if (spec_.search == Search::viterbi)
                explain_path(i);
            else
                explain_label(i);
            if (explanation_.against || !wanted_) take(explanation_);
        }
    }

    // Fills in the margins of a sentence's tokens.
    void margins(const Columns& data, size_t sentence, std::span<double> margins) {
        wanted_ = std::nullopt;
        read(data, sentence);
        for (size_t i = 0; i < features_.tokens(); ++i) {
            score(i);
            const std::optional<Label> against = runner_up(i, [&](Label y) { return score_at(i, y); });
            margins[i] = against ? score_at(i, path_[i]) - score_at(i, *against) : kInfinity;
        }
    }

    // Fills in the gaps of a sentence's tokens, [tokens][labels], but for labels that are not allowed.
    void gaps(const Columns& data, size_t sentence, std::span<double> to) {
        read(data, sentence);
        for (size_t i = 0; i < features_.tokens(); ++i) {
            score(i);
            each_allowed(i, [&](Label y) { to[i * spec_.labels.size() + y] = score_at(i, y) - score_at(i, path_[i]); });
        }
    }

  private:
    using S = typename FrozenTable<W>::Score;
    static constexpr double kInfinity = std::numeric_limits<double>::infinity();

    // Makes score_at(i, ...) known: of whole sequences, or of a token's labels as the search saw them.
    void score(size_t i) {
        if (spec_.search != Search::viterbi) scorer_.score(features_, i, contexts_[i], scores_.data());
    }
    double score_at(size_t i, Label y) const {
        return spec_.search == Search::viterbi ? marginals_(i, y) : static_cast<double>(scores_[y]);
    }

    void read(const Columns& data, size_t sentence) {
        data_ = &data;
        begin_ = data.begin(sentence);
        end_ = data.end(sentence);
        features_.read(data, begin_, end_, [](size_t) { return true; });
        search();
    }

    std::span<const Label> allowed(size_t i) const { return tagger_.dictionary()(*data_, begin_ + i); }
    template <class Use>
    void each_allowed(size_t i, Use&& use) const {
        const std::span<const Label> only = allowed(i);
        for (Label y = 0; only.empty() && y < spec_.labels.size(); ++y) use(y);
        for (const Label y : only) use(y);
    }

    // Labels the sentence, and keeps the labels around each token when it had its turn.
    void search() {
        const size_t L = spec_.labels.size(), n = features_.tokens();
        const Label none = boundary_label(L);
        contexts_.assign(n, {none, none, none, none});
        path_.resize(n);
        if (spec_.search == Search::viterbi) {
            scorer_.fill(features_);
            removal_.read();
            viterbi_.best(scorer_.lattice, spec_.order, path_);
            marginals_.run(scorer_.lattice, spec_.order);
        } else if (spec_.search == Search::easiest_first) {
            const auto score = [&](size_t i, Label l2, Label l1, Label r1, Label r2, S* scores) {
                scorer_.score(features_, i, contexts_[i] = {l2, l1, r1, r2}, scores);
            };
            easiest_.start(n, L, score);
            while (!easiest_.done()) {
                const size_t i = easiest_.easiest();
                path_[i] = easiest_.guess(i);
                easiest_.give(i, path_[i], score);
            }
        } else {
            scorer_.lattice.resize(n, L);
            const auto score = [&](size_t i, Label l2, Label l1, S* scores) {
                scorer_.score(features_, i, contexts_[i] = {l2, l1, none, none}, scores);
            };
            greedy(scorer_.lattice, path_, score, [&](size_t i) { return allowed(i); });
        }
    }

    // Whether a label may be compared with the chosen one: it has another name and, if a name is asked for, that name.
    bool competes(Label y, Label chosen) const {
        return wanted_ ? number_[y] == wanted_ : number_[y] != number_[chosen];
    }

    // The label of highest score among the labels that may be compared with the chosen one.
    template <class Score>
    std::optional<Label> runner_up(size_t i, Score&& score) const {
        std::optional<Label> best;
        each_allowed(i, [&](Label y) {
            if (competes(y, path_[i]) && (!best || score(y) > score(*best))) best = y;
        });
        return best;
    }

    void explain_label(size_t i) {
        if (allowed(i).size() == 1) return;
        scorer_.score(features_, i, scores_.data());
        const std::optional<Label> against = runner_up(i, [&](Label y) { return scores_[y]; });
        if (!against) return;
        explanation_.against = shown_[*against];
        explanation_.margin = static_cast<double>(scores_[path_[i]]) - static_cast<double>(scores_[*against]);
        const std::span<const uint32_t> rows = features_.rows(i);
        output_difference(0, rows, features_.values(i), path_[i], *against, difference_);
        for (size_t k = 0; k < rows.size(); ++k)
            difference_.place(0, rows[k], {static_cast<uint32_t>(i), lines_[k].group, lines_[k].line});
        weigh(explanation_.features, explanation_.reasons);
        find_flip(i, *against);
    }

    void explain_path(size_t i) {
        const std::optional<Label> against = runner_up(i, [&](Label y) { return marginals_(i, y); });
        if (!against) return;
        explanation_.against = shown_[*against];
        marginals_.path(i, *against, path_, other_);
        explanation_.margin = path_distance(scorer_.lattice, spec_.order, path_, other_);
        difference_of_paths(path_, other_);
        weigh(explanation_.features, explanation_.reasons);
        find_flip_of_path(i);
    }

    void difference_of_paths(std::span<const Label> path, std::span<const Label> other) {
        const auto features = [&](unsigned t, size_t i) -> std::span<const uint32_t> {
            if (t == 0) {
                const std::span<const uint32_t> rows = features_.rows(i);
                for (size_t k = 0; k < rows.size(); ++k)
                    difference_.place(0, rows[k], {static_cast<uint32_t>(i), lines_[k].group, lines_[k].line});
                return rows;
            }
            rows_.clear();
            for (uint32_t line = 0; line < extractor_.lines(t); ++line) {
                rows_.push_back(removal_.row(t, i, line));
                difference_.place(t, rows_.back(), {static_cast<uint32_t>(i), t, line});
            }
            return rows_;
        };
        path_difference(spec_, features, [&](size_t i) { return features_.values(i); }, path, other, difference_);
    }

    void weigh(std::vector<std::string>& features, std::vector<Reason>& reasons) {
        difference_.weigh(
            tables_, [&](const Place& p) { return text_of(p); },
            [&](uint32_t table, uint32_t output) { return name_of(table, output); }, features, reasons, &ids_);
    }

    std::string text_of(const Place& p) const {
        return feature_text(spec_, extractor_, p.group, p.line, *data_, begin_, end_, begin_ + p.token,
                            contexts_[p.token]);
    }

    // The name of an output: "NN"; of a label n-gram "DT NN".
    std::string name_of(uint32_t table, uint32_t output) const {
        const auto name = [&](size_t y) { return y < spec_.labels.size() ? spec_.labels[y] : "<start>"; };
        if (table == 0) return name(output);
        const size_t h = output / spec_.stride(), y = output % spec_.stride(), L = spec_.labels.size();
        if (table == 1) return name(h) + " " + name(y);
        return name(h / (L + 1)) + " " + name(h % (L + 1)) + " " + name(y);
    }

    void find_flip(size_t i, Label against) {
        outputs_.clear();
        each_allowed(i, [&](Label y) { outputs_.push_back(y); });
        const auto found = choice_flip_.find(
            tables_[0], features_.rows(i), features_.values(i), scores_.data(), outputs_, path_[i],
            [&](Label a, Label b) { return number_[a] == number_[b]; },
            question_->flip_to_against ? std::optional(against) : std::nullopt);
        if (!found) return;
        Flip& flip = explanation_.flip.emplace();
        flip.to = shown_[found->to];
        for (const size_t f : found->features)
            flip.features.push_back(text_of({static_cast<uint32_t>(i), lines_[f].group, lines_[f].line}));
    }

    // Removes the features with the largest contributions to the margin, until the search gives the token another label.
    // If a third sequence with the old label becomes the best one, the next round compares that sequence with the best
    // sequence with another label. In the end, features that turn out not to be needed are put back.
    void find_flip_of_path(size_t i) {
        std::vector<std::pair<FeatureId, std::string>> taken;
        std::vector<std::string> features = explanation_.features;
        std::vector<Reason> reasons = explanation_.reasons;
        double margin = explanation_.margin;
        int round = 0;
        for (;; ++round) {
            const auto found = fewest_features(reasons, margin, false);
            if (!found || round == kMostRounds) return removal_.restore();
            for (const uint32_t f : *found) taken.push_back({ids_[f], features[f]});
            if (flips(i, taken)) break;
            left_marginals_.run(scorer_.lattice, spec_.order);
            const std::vector<Label> winner = other_;
            left_marginals_.path(i, *runner_up(i, [&](Label y) { return left_marginals_(i, y); }), winner, other_);
            margin = path_distance(scorer_.lattice, spec_.order, winner, other_);
            difference_of_paths(winner, other_);
            weigh(features, reasons);
            std::erase_if(reasons, [&](const Reason& r) { return removal_.has(ids_[r.feature]); });
        }
        if (round > 0) put_back(i, taken);
        removal_.restore();
        Flip& flip = explanation_.flip.emplace();
        flip.to = shown_[other_[i]];
        for (auto& [id, text] : taken) flip.features.push_back(std::move(text));
    }

    // Puts back one feature after another whose removal is not needed, until all removals are needed.
    void put_back(size_t i, std::vector<std::pair<FeatureId, std::string>>& taken) {
        for (size_t k = 0; taken.size() > 1 && k < taken.size();) {
            auto fewer = taken;
            fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(k));
            if (flips(i, fewer)) {
                taken = std::move(fewer);
                k = 0;
            } else {
                ++k;
            }
        }
        flips(i, taken);
    }

    // Whether the search gives the token another label without these features. The new labels are in other_. The weights
    // stay out of the lattice until restore().
    bool flips(size_t i, const std::vector<std::pair<FeatureId, std::string>>& taken) {
        removal_.restore();
        std::vector<FeatureId> gone;
        for (const auto& [id, text] : taken) gone.push_back(id);
        removal_.remove(std::move(gone));
        viterbi_.best(scorer_.lattice, spec_.order, other_);
        return question_->flip_to_against ? number_[other_[i]] == wanted_ : number_[other_[i]] != number_[path_[i]];
    }

    static constexpr int kMostRounds = 16;  // rounds in which features are removed

    const TaggerExplainer& owner_;
    const Tagger& tagger_;
    const SequenceSpec& spec_;
    const Extractor& extractor_;
    const ShownLabels& shown_;
    const std::vector<uint32_t>& number_;
    std::optional<uint32_t> wanted_;  // number of the label name that is asked for
    const FrozenModel::Tables<W>& tables_;
    KeyedFeatures<W> features_;
    SentenceScorer<FrozenTable<W>> scorer_;
    Viterbi<S> viterbi_;
    EasiestFirst<S> easiest_;
    MaxMarginals<S> marginals_, left_marginals_;
    AlignedVector<S> scores_;   // [stride] of one token
    std::vector<Place> lines_;  // [features of a token in table 0] their group and line

    const Columns* data_ = nullptr;
    const Question* question_ = nullptr;
    size_t begin_ = 0, end_ = 0;
    std::vector<Label> path_, other_;            // the chosen labels, and other ones
    std::vector<LabelContext<Label>> contexts_;  // [tokens] the labels around each when it had its turn
    Explanation explanation_;
    Difference<Place> difference_;
    std::vector<FeatureId> ids_;  // of the reasons' features
    LatticeRemoval<W> removal_;
    std::vector<uint32_t> rows_;
    std::vector<Label> outputs_;
    ChoiceFlip choice_flip_;
};

TaggerExplainer::TaggerExplainer(const Tagger& tagger, ShownLabels shown)
    : tagger_(tagger), shown_(std::move(shown)), label_hashes_(tagger.spec()) {
    LabelSet different;
    for (const std::string& name : shown_) number_.push_back(different.number(name));
}

std::optional<uint32_t> TaggerExplainer::number(const std::string& name) const {
    const auto at = std::ranges::find(shown_, name);
    if (name.empty() || at == shown_.end()) return std::nullopt;
    return number_[static_cast<size_t>(at - shown_.begin())];
}

void TaggerExplainer::check(const Columns& data, const Question& question) const {
    tagger_.check_columns(data);
    if (!question.against.empty() && !number(question.against))
        throw OptionError("the model has no label '" + question.against + "'");
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
