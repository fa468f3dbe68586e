// A sentence whose labels are explained: its features and labels, and the names of what made the difference. How a search is
// explained, label by label or by whole sequences, is in label_explainer.hpp and path_explainer.hpp.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/explanation.hpp"
#include "tagging/keyed_features.hpp"
#include "tagging/path_difference.hpp"
#include "tagging/sentence_scorer.hpp"
#include "tagging/tagger_explainer.hpp"

namespace sapwood {

template <class W>
class ExplainedLabels {
  public:
    using S = typename FrozenTable<W>::Score;
    // Where a feature is found: line `line` of a group of the template, at a token of the sentence.
    struct Place {
        uint32_t token, group, line;
    };

    ExplainedLabels(const Tagger& tagger, const ShownLabels& shown_labels, const LabelHashes& hashes,
                    const FrozenModel::Tables<W>& model_tables)
        : spec(tagger.spec()),
          extractor(tagger.extractor()),
          shown(shown_labels),
          tables(model_tables),
          features(spec, extractor, hashes, tables),
          scorer(spec, extractor),
          tagger_(tagger) {
        for (unsigned group = 0; group < kLineGroups; ++group)
            for (uint32_t line = 0; line < extractor.lines(group) && (group == 0 || spec.joins_labels()); ++line)
                lines_.push_back({0, group, line});
    }
    ExplainedLabels(const ExplainedLabels&) = delete;  // explainers point to it
    ExplainedLabels& operator=(const ExplainedLabels&) = delete;

    // Reads a sentence, which has no labels yet.
    void read(const Columns& columns, size_t sentence) {
        data_ = &columns;
        begin_ = columns.begin(sentence);
        end_ = columns.end(sentence);
        features.read(columns, begin_, end_, [](size_t) { return true; });
        const Label none = boundary_label(labels());
        contexts.assign(tokens(), {none, none, none, none});
        path.resize(tokens());
    }

    // As searches read it (label_search.hpp). It keeps the labels around each token when it was scored last.
    size_t tokens() const { return features.tokens(); }
    size_t labels() const { return spec.labels.size(); }
    std::span<const Label> allowed(size_t i) const { return tagger_.dictionary()(*data_, begin_ + i); }
    void score(size_t i, const LabelContext<Label>& context, S* scores) {
        scorer.score(features, i, contexts[i] = context, scores);
    }
    Lattice<S>& lattice() {
        scorer.fill(features);
        return scorer.lattice;
    }

    template <class Use>
    void each_allowed(size_t i, Use&& use) const {
        const std::span<const Label> only = allowed(i);
        for (Label y = 0; only.empty() && y < labels(); ++y) use(y);
        for (const Label y : only) use(y);
    }

    // Whether a label may be compared with the chosen one: it has another name and, if a name is asked for, that name.
    bool competes(Label y, Label chosen) const { return wanted ? shown.number(y) == wanted : !shown.alike(y, chosen); }

    // The label of highest score among the labels that may be compared with the chosen one.
    template <class Score>
    std::optional<Label> runner_up(size_t i, Score&& score_of) const {
        std::optional<Label> best;
        each_allowed(i, [&](Label y) {
            if (competes(y, path[i]) && (!best || score_of(y) > score_of(*best))) best = y;
        });
        return best;
    }

    // Notes where the features of a token in table 0, joined labels included, are found, and returns their rows.
    std::span<const uint32_t> placed_rows(size_t i) {
        const std::span<const uint32_t> rows = features.rows(i);
        for (size_t k = 0; k < rows.size(); ++k) difference.place(0, rows[k], place(i, k));
        return rows;
    }
    Place place(size_t i, size_t k) const { return {static_cast<uint32_t>(i), lines_[k].group, lines_[k].line}; }

    // Takes the reasons out of `difference`.
    void weigh(std::vector<std::string>& texts, std::vector<Reason>& reasons) {
        difference.weigh(
            tables, [&](const Place& p) { return text_of(p); },
            [&](uint32_t table, uint32_t output) { return name_of(table, output); }, texts, reasons);
    }

    std::string text_of(const Place& p) const {
        return feature_text(spec, extractor, p.group, p.line, *data_, begin_, end_, begin_ + p.token,
                            contexts[p.token]);
    }

    const SequenceSpec& spec;
    const Extractor& extractor;
    const ShownLabels& shown;
    const FrozenModel::Tables<W>& tables;
    KeyedFeatures<W> features;
    SentenceScorer<FrozenTable<W>> scorer;

    std::optional<uint32_t> wanted;             // number of the label name that is asked for
    std::vector<Label> path;                    // [tokens] the chosen labels
    std::vector<LabelContext<Label>> contexts;  // [tokens] the labels around each when it had its turn
    Explanation explanation;
    Difference<Place> difference;

  private:
    // The name of an output: "NN"; of a label n-gram "DT NN".
    std::string name_of(uint32_t table, uint32_t output) const {
        const auto name = [&](size_t y) { return y < labels() ? spec.labels[y] : "<start>"; };
        if (table == 0) return name(output);
        const size_t h = output / spec.stride(), y = output % spec.stride(), L = labels();
        if (table == 1) return name(h) + " " + name(y);
        return name(h / (L + 1)) + " " + name(h % (L + 1)) + " " + name(y);
    }

    const Tagger& tagger_;
    std::vector<Place> lines_;  // [features of a token in table 0] their group and line
    const Columns* data_ = nullptr;
    size_t begin_ = 0, end_ = 0;
};

}  // namespace sapwood
