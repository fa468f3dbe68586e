#include "tagging/tagger_problem.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "search/contest.hpp"
#include "tagging/path_difference.hpp"
#include "text/chunks.hpp"

namespace sapwood {

TaggerProblem::TaggerProblem(size_t label, Extractor extractor, const TaggerOptions& options)
    : options_(options),
      label_(label),
      extractor_(std::move(extractor)),
      spec_{options.search, options.order, {}},
      label_hashes_(spec_),
      starts_(options.scratch),
      labels_(options.scratch) {
    check_options();
    for (const std::string& name : options.known_labels)
        if (number_of_.try_emplace(name, static_cast<Label>(number_of_.size())).second) spec_.labels.push_back(name);
    starts_.push_back(0);
    if (!options.dictionary.empty()) values_ = Store<uint64_t>(options.scratch);
    if (labels_join_late()) label_keys_ = Store<uint64_t>(options.scratch);
    for (unsigned reach = 0; reach <= encoded_reach(); ++reach)
        encoded_[spec_.table_of(reach)].lines += extractor_.lines(reach);
    for (Encoded& e : encoded_)
        if (e.lines > 0) e.features = Store<uint32_t>(options.scratch);
    label_hashes_ = LabelHashes(spec_);
}

// An output of a table is a label and, before it, the labels to its left; a boundary has the number behind the last label.
std::vector<std::vector<uint32_t>> TaggerProblem::outputs_of_known() const {
    const SequenceSpec before{spec_.search, spec_.order, options_.known_labels};
    const size_t labels = before.labels.size();
    if (labels == 0) return {};
    const auto label_of = [&](size_t y) { return static_cast<Label>(y < labels ? y : spec_.labels.size()); };
    std::vector<std::vector<uint32_t>> found(before.tables());
    for (size_t t = 0; t < found.size(); ++t) {
        found[t].resize(before.cells(t), UINT32_MAX);
        for (size_t output = 0; output < before.width(t); ++output) {
            const auto y = static_cast<Label>(output % labels);
            const size_t left = output / labels;
            const Label h = label_of(left % (labels + 1)), g = label_of(left / (labels + 1));
            found[t][t == 0 ? output : before.cell(output)] = t == 0   ? y
                                                              : t == 1 ? spec_.bigram_cell(h, y)
                                                                       : spec_.trigram_cell(g, h, y);
        }
    }
    return found;
}

void TaggerProblem::check_options() const {
    if (labels_join_late() && options_.training.batch > 1)
        throw OptionError(
            "batches need gold history, and not easiest-first search: features of labels that are only known "
            "in the search become known one after the other");
    if (labels_join_late() && options_.training.prune_below > 1)
        throw OptionError(
            "prune_below needs gold history, and not easiest-first search: features of labels that are only "
            "known in training's search cannot be counted before");
    if (labels_join_late() && options_.training.names && !options_.scratch.empty())
        throw OptionError(
            "names of features of labels that are only known in training's search need the data in memory: leave "
            "out names or stream, or take gold history");
    if (spec_.search == Search::viterbi && spec_.order == 2 && extractor_.lines(2) == 0)
        throw OptionError("order 2 needs a template line that looks at two labels, such as U:%y[-2]/%y[-1]");
    if (!options_.dictionary.empty() && spec_.search != Search::argmax && spec_.search != Search::greedy)
        throw OptionError("a tag dictionary needs argmax or greedy search");
}

void TaggerProblem::check(const Columns& data) const {
    if (data.width() <= label_) throw DataError(data.where(0) + ": there is no label column");
    if (data.width() < extractor_.pattern().columns_needed())
        throw DataError(data.where(0) + ": the template reads column " +
                        std::to_string(extractor_.pattern().columns_needed() - 1) + ", the data has fewer columns");
    for (const size_t column : options_.dictionary)
        if (column >= data.width()) throw DataError(data.where(0) + ": there is no column for the tag dictionary");
    if (tokens() + data.tokens() > UINT32_MAX) throw DataError(data.name() + ": more than 2^32 tokens");
}

void TaggerProblem::add(const Columns& data, Learner& learner, FeatureNames* names) {
    if (data.tokens() == 0) return;
    check(data);
    data_ = &data;
    starts_.reserve(examples() + data.sentences() + 1);
    labels_.reserve(tokens() + data.tokens());
    for (Encoded& e : encoded_) e.features.reserve((tokens() + data.tokens()) * e.lines);
    for (size_t s = 0; s < data.sentences(); ++s) {
        const size_t begin = data.begin(s), end = data.end(s);
        read_labels(data, begin, end);
        encode(data, begin, end, learner, names);
        std::ranges::copy(gold_, labels_.extend(gold_.size()));
        starts_.push_back(tokens());
    }
}

// Reads the labels of one sentence, and what they tell the tag dictionary.
void TaggerProblem::read_labels(const Columns& data, size_t begin, size_t end) {
    const size_t known = spec_.labels.size();
    const auto add = [&](std::string_view cell) {
        std::string name(cell);
        const auto [at, fresh] = number_of_.try_emplace(name, static_cast<Label>(number_of_.size()));
        if (fresh && name.find_first_of("\t\n\r") != std::string::npos)
            throw DataError(data.where(begin + gold_.size()) + ": the label has a tab or a line end in it");
        if (fresh) spec_.labels.push_back(std::move(name));
        gold_.push_back(at->second);
    };
    gold_.clear();
    if (options_.iobes) {
        std::vector<std::string_view> cells;
        for (size_t t = begin; t < end; ++t) cells.push_back(data.cell(t, label_));
        for (const std::string& name : bio_to_iobes(cells)) add(name);
    } else {
        for (size_t t = begin; t < end; ++t) add(data.cell(t, label_));
    }
    if (spec_.labels.size() > known) label_hashes_ = LabelHashes(spec_);
    if (options_.dictionary.empty()) return;
    for (size_t t = begin; t < end; ++t) {
        const uint64_t value = TagDictionary::value_of(data, options_.dictionary, t);
        values_.push_back(value);
        allowed_[value].insert(gold_[t - begin]);
    }
}

// Turns the sentence whose labels were read last into feature numbers.
void TaggerProblem::encode(const Columns& data, size_t begin, size_t end, Learner& learner, FeatureNames* names) {
    constexpr size_t ahead = 16;
    const size_t n = end - begin;
    const size_t label_lines = labels_join_late() ? extractor_.label_lines() : 0;
    extractor_.read(data, begin, end, workspace_);
    uint32_t* to = nullptr;
    size_t first = 0;  // line of its table
    for (unsigned reach = 0; reach <= encoded_reach(); ++reach) {
        const auto table = static_cast<uint32_t>(spec_.table_of(reach));
        const size_t lines = extractor_.lines(reach), stride = encoded_[table].lines;
        WeightTable& weights = learner.table(table);
        if (reach == 0 || table > 0) {
            to = encoded_[table].features.extend(n * stride);
            first = 0;
        }
        keys_.resize(n * lines);
        extractor_.keys(reach, workspace_, keys_.data(), lines);
        if (spec_.joins_labels() && reach > 0)
            for (size_t i = 0, k = 0; k < keys_.size(); ++i)
                for (const auto labels = label_hashes_(gold_before(i)); k < (i + 1) * lines; ++k)
                    keys_[k] = with_labels(keys_[k], reach, labels);
        for (size_t k = 0; k < std::min(ahead, keys_.size()); ++k) weights.prefetch_feature(keys_[k]);
        size_t k = 0;
        for (size_t i = 0; i < n; ++i) {
            uint32_t* out = to + i * stride + first;
            for (size_t line = 0; line < lines; ++line, ++k) {
                if (k + ahead < keys_.size()) weights.prefetch_feature(keys_[k + ahead]);
                out[line] = keys_[k] == kNoFeature ? 0 : weights.intern(keys_[k]);
                if (names == nullptr || out[line] == 0) continue;
                names->add(table, out[line],
                           [&] { return name(reach, line, begin, end, begin + i, gold_before(i), data); });
            }
        }
        first += lines;
    }
    if (label_lines > 0) extractor_.label_keys(workspace_, label_keys_.extend(n * label_lines));
}

void TaggerProblem::finish(Learner& learner) {
    if (tokens() == 0) throw DataError("there is no sentence to train on");
    spec_.check_size();
    for (size_t t = 0; t < spec_.tables(); ++t) learner.table(t).set_width(spec_.cells(t));
    if (!options_.dictionary.empty()) {
        dictionary_ = TagDictionary(options_.dictionary, allowed_);
        dictionary_.add(options_.known_dictionary);
        allowed_.clear();
    }
    starts_.seal();
    labels_.seal();
    values_.seal();
    label_keys_.seal();
    for (Encoded& e : encoded_) e.features.seal();
    scratch_ = scratch();
    workspace_ = {};
}

// The labels to the left of a token of the sentence whose labels were read last, in gold history.
LabelContext<Label> TaggerProblem::gold_before(size_t i) const {
    const Label none = boundary_label(spec_.labels.size());
    return {i >= 2 ? gold_[i - 2] : none, i > 0 ? gold_[i - 1] : none, none, none};
}

std::string TaggerProblem::name(unsigned group, size_t line, size_t begin, size_t end, size_t token,
                                const LabelContext<Label>& context, const Columns& data) const {
    return feature_text(spec_, extractor_, group, line, data, begin, end, token, context);
}

size_t TaggerProblem::bytes() const {
    size_t total = starts_.bytes() + labels_.bytes() + values_.bytes() + label_keys_.bytes();
    for (const Encoded& e : encoded_) total += e.features.bytes();
    return total;
}

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
          label_lines_(problem.labels_join_late() ? problem.extractor_.label_lines() : 0) {
        const size_t needed = tokens_ * (problem.encoded_[0].lines + label_lines_);
        if (scratch.rows.size() < needed) scratch.rows.resize(needed);
        if (label_lines_ > 0 && scratch.joined.size() < needed) scratch.joined.resize(needed);
    }

    Learner& learner() const { return learner_; }
    Scratch& scratch() const { return scratch_; }
    size_t labels() const { return problem_.spec_.labels.size(); }
    Label gold(size_t i) const { return problem_.labels_[begin_ + i]; }
    std::span<const Label> allowed(size_t i) const {
        if (problem_.dictionary_.empty()) return {};
        return problem_.dictionary_.find(problem_.values_[begin_ + i]);
    }
    std::span<const Label> gold() const { return {problem_.labels_.data() + begin_, tokens_}; }

    size_t tokens() const { return tokens_; }
    const WeightTable& table(size_t t) const { return learner_.table(t); }
    uint64_t version() const { return learner_.updates(); }

    // The features of token i in table t. In table 0 they are those that were joined last.
    std::span<const uint32_t> features(size_t t, size_t i) const {
        const size_t lines = problem_.encoded_[t].lines;
        if (label_lines_ > 0) return {scratch_.joined.data() + i * (lines + label_lines_), lines + label_lines_};
        return {problem_.encoded_[t].features.data() + (begin_ + i) * lines, lines};
    }

    void join(size_t i, const LabelContext<Label>& context) {
        if (label_lines_ == 0) return;
        const Extractor& extractor = problem_.extractor_;
        const Encoded& encoded = problem_.encoded_[0];
        auto& keys = scratch_.joined_keys;
        keys.resize(label_lines_);
        extractor.join_labels(problem_.label_keys_.data() + (begin_ + i) * label_lines_,
                              problem_.label_hashes_(context), keys.data());
        uint32_t* feature = std::copy_n(encoded.features.data() + (begin_ + i) * encoded.lines, encoded.lines,
                                        scratch_.joined.data() + i * (encoded.lines + label_lines_));
        learner_.table(0).intern(keys.data(), label_lines_, feature);
        if (names_ == nullptr) return;
        for (unsigned group = 1; group < kLineGroups; ++group)
            for (size_t line = 0; line < extractor.lines(group); ++line)
                names_->add(0, *feature++, [&] {
                    return problem_.name(group, line, begin_, begin_ + tokens_, begin_ + i, context, *problem_.data_);
                });
    }

    // The rows that score now; tokens are asked for from left to right, and some may be left out. Where no labels join,
    // rows are found for many tokens at once, so that the misses of the cache overlap.
    std::span<const uint32_t> rows(size_t i) {
        const size_t n = features(0, i).size();
        if (label_lines_ == 0 && i >= found_) {
            found_ = std::min(tokens_, i + kAtOnce);
            version_ = learner_.updates();
            find_rows(i, found_ - i);
        } else if (label_lines_ > 0 || learner_.updates() != version_) {
            find_rows(i, 1);
        }
        return {scratch_.rows.data() + i * n, n};
    }

    uint32_t row(size_t t, size_t i, size_t line) const { return table(t).scored_row(features(t, i)[line]); }

  private:
    static constexpr size_t kAtOnce = 64;

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
    size_t label_lines_;    // of labels that join late
    uint64_t version_ = 0;  // of the weights when rows were last found ahead
    size_t found_ = 0;      // tokens whose rows were found ahead
};

// One sentence in Viterbi search, as a Decision (search/search.hpp): score, search, and name the positions and label
// n-grams that differ.
struct TaggerProblem::PathChoice {
    const TaggerProblem& problem;
    Sentence& sentence;
    std::span<const Label> gold = sentence.gold();
    Scratch& scratch = sentence.scratch();
    std::vector<Label>& guess = scratch.path;

    bool search(float cost) {
        Lattice<float>& lattice = scratch.scorer.lattice;
        scratch.scorer.fill(sentence);
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

    double loss() const { return static_cast<double>(score(guess) - score(gold)); }

    void differ(Violation& violation) const {
        path_difference(
            problem.spec_, [&](unsigned t, size_t i) { return sentence.features(t, i); }, gold, guess, violation);
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

// Tells the scratch files that a sentence is read.
void TaggerProblem::passed(size_t sentence) const {
    const size_t tokens = starts_[sentence + 1] - starts_[sentence];
    starts_.visited(2);
    labels_.visited(tokens);
    values_.visited(tokens);
    label_keys_.visited(tokens * (labels_join_late() ? extractor_.label_lines() : 0));
    for (const Encoded& e : encoded_) e.features.visited(tokens * e.lines);
}

std::unique_ptr<TaggerProblem::Scratch> TaggerProblem::scratch() const {
    return std::make_unique<Scratch>(
        Scratch{{spec_, extractor_}, {extractor_.reach(), extractor_.ahead()}, AlignedVector<float>(spec_.stride())});
}

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
Presented TaggerProblem::present_token(Sentence& sentence, size_t i) const {
    float* scores = sentence.scratch().scores.data();
    const auto differ = [&](Violation& violation, Label gold, Label guess) {
        for (uint32_t feature : sentence.features(0, i)) {
            violation.gold(0, feature, gold);
            violation.guess(0, feature, guess);
        }
    };
    forbid_others(scores, sentence.labels(), sentence.allowed(i));
    return sentence.learner().present(LabelChoice{scores, sentence.labels(), sentence.gold(i), differ});
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

// Guided learning (Shen, Satta & Joshi 2007): if the best label of the token whose turn it is is wrong, there is an
// update towards that token's gold label, and no later decision rests on a wrong one. The paper then asks again until
// the best action of all is right. Here the token is given its gold label and has had its turn. Asking again would
// count a feature several times for one token, which is not what `min_updates` means, and need not end (two tokens may
// be alike in all but their labels). In our trials both learn equally well. The order is what the weights alone give:
// with a cost the least certain token would come first.
void TaggerProblem::present_easiest_first(Sentence& sentence) const {
    Scratch& scratch = sentence.scratch();
    const auto score = [&](size_t i, Label l2, Label l1, Label r1, Label r2, float* scores) {
        scratch.scorer.score(sentence, i, {l2, l1, r1, r2}, scores);
    };
    const auto score_again = [&](size_t i, Label, Label, Label, Label, float* scores) {
        scratch.scorer.score(sentence, i, scores);
    };
    scratch.easiest.start(sentence.tokens(), sentence.labels(), score);
    while (!scratch.easiest.done()) {
        const size_t i = scratch.easiest.easiest();
        scratch.scorer.score(sentence, i, scratch.scores.data());
        const Presented presented = present_token(sentence, i);
        scratch.easiest.give(i, sentence.gold(i), score);
        if (presented.step > 0) scratch.easiest.rescore(score_again);
    }
}

}  // namespace sapwood
