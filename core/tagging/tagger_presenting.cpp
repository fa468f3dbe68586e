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

// The sentence as searches present it (LearnedSentence in label_search.hpp).
class TaggerProblem::PresentedSentence {
  public:
    PresentedSentence(const TaggerProblem& problem, Sentence& features, Scratch& scratch)
        : problem_(problem), features_(features), scratch_(scratch) {}

    Learner& learner() const { return features_.learner(); }
    size_t tokens() const { return features_.tokens(); }
    size_t labels() const { return problem_.spec_.labels.size(); }
    std::span<const Label> gold() const { return features_.gold(); }
    std::span<const Label> allowed(size_t i) const { return features_.allowed(i); }
    bool joins_late() const { return problem_.labels_join_late(); }

    float* scores() const { return scratch_.scores.data(); }
    std::vector<Label>& path() const { return scratch_.path; }
    void score(size_t i, const LabelContext<Label>& context, float* scores) const {
        scratch_.scorer.score(features_, i, context, scores);
    }
    void rescore(size_t i, float* scores) const { scratch_.scorer.score(features_, i, scores); }
    Lattice<float>& lattice() const {
        scratch_.scorer.fill(features_);
        return scratch_.scorer.lattice;
    }

    Presented present_token(size_t i, const Presentation& how = {}) const {
        const auto name_features = [&](Violation& violation, Label gold, Label guess) {
            output_difference(0, features_.features(0, i), features_.values(i), gold, guess, violation);
        };
        forbid_others(scores(), labels(), allowed(i));
        return learner().present(LabelChoice{scores(), labels(), gold()[i], name_features}, how);
    }

    uint32_t output(unsigned t, std::span<const Label> path, size_t i) const {
        return path_output(problem_.spec_, t, path, i);
    }
    void differ(std::span<const Label> gold, std::span<const Label> guess, Violation& violation) const {
        path_difference(
            problem_.spec_, [&](unsigned t, size_t i) { return features_.features(t, i); },
            [&](size_t i) { return features_.values(i); }, gold, guess, violation);
    }

  private:
    const TaggerProblem& problem_;
    Sentence& features_;
    Scratch& scratch_;
};

size_t TaggerProblem::present(size_t number, Learner& learner, FeatureNames* names, Scratch& scratch) const {
    Sentence features(*this, number, learner, names, scratch);
    PresentedSentence sentence(*this, features, scratch);
    std::visit([&](auto& search) { search.present(sentence); }, scratch.search);
    return sentence.tokens();
}

}  // namespace sapwood
