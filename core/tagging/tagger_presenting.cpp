// Presents a sentence to the learner: TaggerProblem::present (tagging/tagger_problem.hpp).
#include <algorithm>

#include "search/contest.hpp"
#include "tagging/path_difference.hpp"
#include "tagging/tagger_problem.hpp"

namespace sapwood {

// One sentence of the training data: its gold labels, and its features, which are known by number
// (sentence_scorer.hpp).
class TaggerProblem::Sentence {
  public:
    Sentence(const TaggerProblem& problem, size_t sentence, Learner& learner, FeatureNames* names, Scratch& scratch)
        : problem_(problem),
          scratch_(scratch),
          learner_(learner),
          names_(names),
          begin_(problem.starts_[sentence]),
          tokens_(problem.starts_[sentence + 1] - begin_),
          label_lines_(problem.labels_join_late() ? problem.extractor_.label_lines() : 0),
          gold_(problem.labels_.at(begin_)) {
        for (size_t t = 0; t < std::size(features_); ++t)
            if (const Encoded& e = problem.encoded_[t]; e.lines > 0) features_[t] = e.features.at(begin_ * e.lines);
        if (problem.has_values_) feature_values_ = problem.feature_values_.at(begin_ * problem.encoded_[0].lines);
        if (!problem.dictionary_.empty()) values_ = problem.values_.at(begin_);
        if (label_lines_ > 0) label_keys_ = problem.label_keys_.at(begin_ * label_lines_);
        const size_t needed = tokens_ * (problem.encoded_[0].lines + label_lines_);
        if (scratch.rows.size() < needed) scratch.rows.resize(needed);
        if (label_lines_ > 0 && scratch.joined.size() < needed) scratch.joined.resize(needed);
        if (label_lines_ > 0 && problem.has_values_) join_values();
    }

    Learner& learner() const { return learner_; }
    Scratch& scratch() const { return scratch_; }
    size_t labels() const { return problem_.spec_.labels.size(); }
    Label gold(size_t i) const { return gold_[i]; }
    std::span<const Label> allowed(size_t i) const {
        if (problem_.dictionary_.empty()) return {};
        return problem_.dictionary_.find(values_[i]);
    }
    std::span<const Label> gold() const { return {gold_, tokens_}; }

    size_t tokens() const { return tokens_; }
    const WeightTable& table(size_t t) const { return learner_.table(t); }
    uint64_t version() const { return learner_.updates(); }

    // The features of token i in table t. In table 0 they are those that were joined last.
    std::span<const uint32_t> features(size_t t, size_t i) const {
        const size_t lines = problem_.encoded_[t].lines;
        if (label_lines_ > 0) return {scratch_.joined.data() + i * (lines + label_lines_), lines + label_lines_};
        return {features_[t] + i * lines, lines};
    }

    // Of the features of token i in table 0; nullptr if all are 1.
    const float* values(size_t i) const {
        if (feature_values_ == nullptr) return nullptr;
        const size_t lines = problem_.encoded_[0].lines + label_lines_;
        return (label_lines_ > 0 ? scratch_.values.data() : feature_values_) + i * lines;
    }

    void join(size_t i, const LabelContext<Label>& context) {
        if (label_lines_ == 0) return;
        const Extractor& extractor = problem_.extractor_;
        const size_t lines = problem_.encoded_[0].lines;
        auto& keys = scratch_.joined_keys;
        keys.resize(label_lines_);
        extractor.join_labels(label_keys_ + i * label_lines_, problem_.label_hashes_(context), keys.data());
        uint32_t* feature =
            std::copy_n(features_[0] + i * lines, lines, scratch_.joined.data() + i * (lines + label_lines_));
        learner_.table(0).intern(keys.data(), label_lines_, feature);
        if (names_ == nullptr) return;
        for (unsigned group = 1; group < kLineGroups; ++group)
            for (size_t line = 0; line < extractor.lines(group); ++line)
                names_->add(0, *feature++, [&] {
                    return feature_text(problem_.spec_, extractor, group, line, *problem_.data_, begin_,
                                        begin_ + tokens_, begin_ + i, context);
                });
    }

    // Tokens are asked for from left to right, and some may be left out. Where no labels join, rows are found for many
    // tokens at once, so that the misses of the cache overlap.
    void score(size_t i, float* scores) {
        const size_t n = features(0, i).size();
        if (label_lines_ == 0 && i >= found_) {
            found_ = std::min(tokens_, i + kAtOnce);
            version_ = learner_.updates();
            find_rows(i, found_ - i);
        } else if (label_lines_ > 0 || learner_.updates() != version_) {
            find_rows(i, 1);
        }
        table(0).score(scratch_.rows.data() + i * n, values(i), n, scores);
    }

    uint32_t row(size_t t, size_t i, size_t line) const { return table(t).scored_row(features(t, i)[line]); }

  private:
    static constexpr size_t kAtOnce = 64;

    // Features of labels have the value 1.
    void join_values() {
        const size_t lines = problem_.encoded_[0].lines;
        scratch_.values.assign(tokens_ * (lines + label_lines_), 1.0f);
        for (size_t i = 0; i < tokens_; ++i)
            std::copy_n(feature_values_ + i * lines, lines, scratch_.values.data() + i * (lines + label_lines_));
    }

    void find_rows(size_t i, size_t tokens) {
        const std::span<const uint32_t> first = features(0, i);
        const size_t n = first.size();
        table(0).find_rows(first.data(), tokens * n, scratch_.rows.data() + i * n);
    }

    const TaggerProblem& problem_;
    Scratch& scratch_;
    Learner& learner_;
    FeatureNames* names_;
    size_t begin_, tokens_;
    size_t label_lines_;                     // of labels that join late
    const Label* gold_;                      // [tokens]
    const uint32_t* features_[3] = {};       // by table: [tokens][lines]
    const float* feature_values_ = nullptr;  // [tokens][lines] of table 0, if they have values
    const uint64_t* values_ = nullptr;       // [tokens] if there is a tag dictionary
    const uint64_t* label_keys_ = nullptr;   // [tokens][label lines]
    uint64_t version_ = 0;                   // of the weights when rows were last found ahead
    size_t found_ = 0;                       // tokens whose rows were found ahead
};

// One sentence in Viterbi search, as a Decision (search/search.hpp): score, search, and name the positions and label
// n-grams that differ.
struct TaggerProblem::PathChoice {
    const TaggerProblem& problem;
    Sentence& sentence;
    std::span<const Label> gold = sentence.gold();
    Scratch& scratch = sentence.scratch();
    std::vector<Label>& guess = scratch.path;
    float cost_of_guess = 0;  // if it is constant; otherwise the lattice has the costs

    bool search(float cost) {
        Lattice<float>& lattice = scratch.scorer.lattice;
        scratch.scorer.fill(sentence);
        if (sentence.learner().has_constant_cost()) {
            cost_of_guess = cost;
            scratch.viterbi.best_against(lattice, problem.spec_.order, gold, cost, guess);
            return !std::ranges::equal(guess, gold);
        }
        if (cost > 0)
            for (size_t i = 0; i < lattice.n; ++i)
                add_cost(lattice.emission.data() + i * lattice.stride, lattice.labels, gold[i], cost);
        scratch.viterbi.best(lattice, problem.spec_.order, guess);
        return !std::ranges::equal(guess, gold);
    }

    size_t mistakes() const {
        size_t wrong = 0;
        for (size_t i = 0; i < gold.size(); ++i) wrong += guess[i] != gold[i];
        return wrong;
    }

    double loss() const { return static_cast<double>(score(guess) + cost_of_guess - score(gold)); }

    void differ(Violation& violation) const {
        path_difference(
            problem.spec_, [&](unsigned t, size_t i) { return sentence.features(t, i); },
            [&](size_t i) { return sentence.values(i); }, gold, guess, violation);
    }

  private:
    uint32_t output(unsigned t, std::span<const Label> path, size_t i) const {
        return path_output(problem.spec_, t, path, i);
    }

    float score(std::span<const Label> path) const {
        Lattice<float>& lattice = scratch.scorer.lattice;
        float sum = 0;
        for (size_t i = 0; i < lattice.n; ++i) {
            sum += lattice.emission[i * lattice.stride + path[i]] + lattice.bigram.at(i)[output(1, path, i)];
            if (problem.spec_.order == 2) sum += lattice.trigram.at(i)[output(2, path, i)];
        }
        return sum;
    }
};

size_t TaggerProblem::present(size_t number, Learner& learner, FeatureNames* names, Scratch& scratch) const {
    Sentence sentence(*this, number, learner, names, scratch);
    if (spec_.search == Search::viterbi)
        learner.present(PathChoice{*this, sentence});
    else if (spec_.search == Search::easiest_first)
        present_easiest_first(sentence);
    else if (labels_join_late())
        present_own_history(sentence);
    else
        present_tokens(sentence);
    return sentence.tokens();
}

// Presents a token among whose labels there is a choice, and whose scores were computed last.
Presented TaggerProblem::present_token(Sentence& sentence, size_t i, const Presentation& how) const {
    float* scores = sentence.scratch().scores.data();
    const auto differ = [&](Violation& violation, Label gold, Label guess) {
        output_difference(0, sentence.features(0, i), sentence.values(i), gold, guess, violation);
    };
    forbid_others(scores, sentence.labels(), sentence.allowed(i));
    return sentence.learner().present(LabelChoice{scores, sentence.labels(), sentence.gold(i), differ}, how);
}

void TaggerProblem::present_tokens(Sentence& sentence) const {
    Scratch& scratch = sentence.scratch();
    for (size_t i = 0; i < sentence.tokens(); ++i) {
        if (sentence.allowed(i).size() == 1) continue;
        scratch.scorer.score(sentence, i, scratch.scores.data());
        present_token(sentence, i);
    }
}

// The labels to the left are those that the weights alone give, before any cost and any update.
void TaggerProblem::present_own_history(Sentence& sentence) const {
    Scratch& scratch = sentence.scratch();
    const Label none = boundary_label(sentence.labels());
    LabelContext<Label> context = {none, none, none, none};
    for (size_t i = 0; i < sentence.tokens(); ++i) {
        const std::span<const Label> allowed = sentence.allowed(i);
        const Label before = context.l1;
        if (allowed.size() == 1) {
            context.l1 = allowed[0];
        } else {
            scratch.scorer.score(sentence, i, context, scratch.scores.data());
            context.l1 = argmax(scratch.scores.data(), sentence.labels(), allowed);
            present_token(sentence, i);
        }
        context.l2 = before;
    }
}

// Guided learning (Shen, Satta & Joshi 2007): if the best label of the chosen token is wrong, there is an update towards
// that token's gold label, and no later decision rests on a wrong one. The paper then ranks the queue again, until the
// best action of all is right, which `repeat` does, up to kPresentations times. Otherwise, and when that was not enough,
// the token is given its gold label. The order is what the weights alone give: with a cost the least certain token would
// come first.
void TaggerProblem::present_easiest_first(Sentence& sentence) const {
    Scratch& scratch = sentence.scratch();
    const auto score = [&](size_t i, Label l2, Label l1, Label r1, Label r2, float* scores) {
        scratch.scorer.score(sentence, i, {l2, l1, r1, r2}, scores);
    };
    const auto score_again = [&](size_t i, Label, Label, Label, Label, float* scores) {
        scratch.scorer.score(sentence, i, scores);
    };
    scratch.easiest.start(sentence.tokens(), sentence.labels(), score);
    for (size_t times = 0; !scratch.easiest.done();) {
        const size_t i = scratch.easiest.easiest();
        scratch.scorer.score(sentence, i, scratch.scores.data());
        const Presented presented = present_token(sentence, i, {.repeated = times > 0});
        if (sentence.learner().again(presented, ++times)) {
            scratch.easiest.rescore(score_again);
            continue;
        }
        times = 0;
        scratch.easiest.give(i, sentence.gold(i), score);
        if (presented.step > 0) scratch.easiest.rescore(score_again);
    }
}

}  // namespace sapwood
