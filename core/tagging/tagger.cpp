#include "tagging/tagger.hpp"

#include <algorithm>
#include <numeric>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "search/easiest_first.hpp"
#include "search/greedy.hpp"
#include "search/viterbi.hpp"
#include "tagging/keyed_features.hpp"
#include "tagging/sentence_scorer.hpp"

namespace sapwood {

namespace {

SequenceSpec checked(SequenceSpec spec) {
    if (spec.labels.empty()) throw ModelError("the model has no label");
    spec.check_size();
    return spec;
}

FrozenModel build(const std::vector<PackedTable>& tables, unsigned bits, double scale, const SequenceSpec& spec) {
    std::vector<size_t> widths;
    for (size_t t = 0; t < spec.tables(); ++t) widths.push_back(spec.width(t));
    return FrozenModel(tables, bits, scale, widths,
                       {[&](size_t t) { return spec.cells(t); },
                        [&](size_t t, uint32_t output) { return t == 0 ? output : spec.cell(output); }});
}

}  // namespace

// Tags sentences in one thread.
template <class W>
struct Tagger::Worker {
    using S = typename FrozenTable<W>::Score;

    const Tagger& tagger;
    KeyedFeatures<W> features;
    SentenceScorer<FrozenTable<W>> scorer;
    Viterbi<S> viterbi;
    EasiestFirst<S> easiest;

    Worker(const Tagger& owner, const FrozenModel::Tables<W>& tables)
        : tagger(owner),
          features(owner.spec_, owner.extractor_, owner.label_hashes_, tables),
          scorer(owner.spec_, owner.extractor_),
          easiest(owner.extractor_.reach(), owner.extractor_.ahead()) {}

    void tag(const Columns& data, size_t sentence, std::vector<Label>& path) {
        const size_t begin = data.begin(sentence);
        const auto allowed = [&](size_t i) { return tagger.dictionary_(data, begin + i); };
        features.read(data, begin, data.end(sentence), [&](size_t i) { return allowed(i).size() != 1; });
        switch (tagger.spec_.search) {
            case Search::argmax:
            case Search::greedy:
                return tag_greedily(path, allowed);
            case Search::easiest_first:
                return tag_easiest_first(path);
            case Search::viterbi:
                scorer.fill(features);
                return viterbi.best(scorer.lattice, tagger.spec_.order, path);
        }
    }

    template <class Allowed>
    void tag_greedily(std::vector<Label>& path, Allowed&& allowed) {
        const Label none = boundary_label(tagger.spec_.labels.size());
        scorer.lattice.resize(features.tokens(), tagger.spec_.labels.size());
        const auto score = [&](size_t i, Label l2, Label l1, S* scores) {
            scorer.score(features, i, {l2, l1, none, none}, scores);
        };
        greedy(scorer.lattice, path, score, allowed);
    }

    void tag_easiest_first(std::vector<Label>& path) {
        const auto score = [&](size_t i, Label l2, Label l1, Label r1, Label r2, S* scores) {
            scorer.score(features, i, {l2, l1, r1, r2}, scores);
        };
        path.resize(features.tokens());
        easiest.start(features.tokens(), tagger.spec_.labels.size(), score);
        while (!easiest.done()) {
            const size_t i = easiest.easiest();
            path[i] = easiest.guess(i);
            easiest.give(i, path[i], score);
        }
    }
};

Tagger::Tagger(SequenceSpec spec, Extractor extractor, TagDictionary dictionary, const std::vector<PackedTable>& tables,
               unsigned bits, double scale)
    : spec_(checked(std::move(spec))),
      extractor_(std::move(extractor)),
      dictionary_(std::move(dictionary)),
      model_(build(tables, bits, scale, spec_)),
      label_hashes_(spec_) {
    if (!dictionary_.empty() && spec_.search != Search::argmax && spec_.search != Search::greedy)
        throw ModelError("its search does not go with a tag dictionary");
}

size_t Tagger::columns_needed() const {
    return std::max(extractor_.pattern().columns_needed(), dictionary_.columns_needed());
}

void Tagger::check_columns(const Columns& data) const {
    const size_t needed = columns_needed();
    if (data.tokens() > 0 && data.width() < needed)
        throw DataError(data.where(0) + ": the model reads " + std::to_string(needed) + " columns, the data has " +
                        std::to_string(data.width()) + "; 'sapwood inspect' names them");
}

std::vector<Label> Tagger::tag(const Columns& data, size_t threads) const {
    check_columns(data);
    std::vector<Label> labels(data.tokens());
    model_.with_tables([&]<class W>(const std::vector<FrozenTable<W>>& tables) {
        for_each_sentence(data.sentences(), threads, [&] {
            return [&, worker = Worker<W>(*this, tables), path = std::vector<Label>()](size_t s) mutable {
                worker.tag(data, s, path);
                std::copy(path.begin(), path.end(), labels.begin() + static_cast<ptrdiff_t>(data.begin(s)));
            };
        });
    });
    return labels;
}

std::vector<Label> Tagger::ranked(const Columns& data, size_t sentence, size_t token) const {
    check_columns(data);
    const std::span<const Label> allowed = dictionary_(data, token);
    std::vector<Label> labels(allowed.begin(), allowed.end());
    if (allowed.empty()) {
        labels.resize(spec_.labels.size());
        std::iota(labels.begin(), labels.end(), Label{0});
    }
    model_.with_tables([&]<class W>(const std::vector<FrozenTable<W>>& tables) {
        Worker<W> worker(*this, tables);
        AlignedVector<typename Worker<W>::S> scores(spec_.stride());
        worker.features.read(data, data.begin(sentence), data.end(sentence), [](size_t) { return true; });
        worker.scorer.score(worker.features, token - data.begin(sentence), scores.data());
        std::ranges::stable_sort(labels, [&](Label a, Label b) { return scores[a] > scores[b]; });
    });
    return labels;
}

std::vector<Tagger::Ranked> Tagger::n_best(const Columns& data, size_t sentence, size_t count) const {
    if (spec_.search != Search::viterbi) throw OptionError("n-best needs a model trained with Viterbi search");
    check_columns(data);
    return model_.with_tables([&]<class W>(const std::vector<FrozenTable<W>>& tables) {
        Worker<W> worker(*this, tables);
        std::vector<std::vector<Label>> paths;
        std::vector<typename Viterbi<typename Worker<W>::S>::Wide> scores;
        worker.features.read(data, data.begin(sentence), data.end(sentence), [](size_t) { return true; });
        worker.scorer.fill(worker.features);
        worker.viterbi.n_best(worker.scorer.lattice, spec_.order, count, paths, scores);
        std::vector<Ranked> ranked;
        for (size_t k = 0; k < paths.size(); ++k)
            ranked.push_back({std::move(paths[k]), static_cast<double>(scores[k]) * model_.scale()});
        return ranked;
    });
}

}  // namespace sapwood
