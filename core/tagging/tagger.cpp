#include "tagging/tagger.hpp"

#include <algorithm>
#include <numeric>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "tagging/keyed_features.hpp"
#include "tagging/sentence_scorer.hpp"

namespace sapwood {

namespace {

constexpr size_t kLongestKept = 10'000;  // tokens of a sentence whose scratch is kept

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
                        [&](size_t t, std::vector<uint32_t>& outputs) {
                            if (t == 0) return;
                            for (uint32_t& output : outputs) output = spec.cell(output);
                        }});
}

}  // namespace

// Tags sentences in one thread.
class Tagger::Worker {
  public:
    virtual ~Worker() = default;
    // The labels of a sentence, until the next call.
    virtual const std::vector<Label>& tag(const Columns& data, size_t sentence) = 0;
    // The scores of a token's labels by its features alone.
    virtual std::vector<double> scores(const Columns& data, size_t sentence, size_t token) = 0;
    // Whether a long sentence has made the scratch large.
    virtual bool overgrown() const = 0;
};

template <class W>
class Tagger::TableWorker : public Worker {
  public:
    using S = typename FrozenTable<W>::Score;

    TableWorker(const Tagger& owner, const FrozenModel::Tables<W>& tables)
        : tagger_(owner),
          scorer_(owner.spec_, owner.extractor_),
          features_(owner.spec_, owner.extractor_, owner.label_hashes_, tables),
          search_(label_search<S>(owner.spec_.search, owner.spec_.sizes(owner.extractor_))) {}

    const std::vector<Label>& tag(const Columns& data, size_t sentence) override {
        with_sentence(data, sentence, [&](auto& search, auto& read) { search.decode(read, path_); });
        return path_;
    }

    std::vector<double> scores(const Columns& data, size_t sentence, size_t token) override {
        const size_t begin = data.begin(sentence), at = token - begin;
        AlignedVector<S> scores(tagger_.spec_.stride());
        features_.read(data, begin, data.end(sentence), [at](size_t i) { return i == at; });
        scorer_.score(features_, at, scores.data());
        return {scores.begin(), scores.end()};
    }

    // Calls take(path, score) for the best paths, if the search ranks whole sequences.
    template <class Take>
    void n_best(const Columns& data, size_t sentence, size_t count, Take&& take) {
        with_sentence(data, sentence, [&]<class Chosen>(Chosen& search, auto& read) {
            if constexpr (Chosen::kTraits.whole) {
                std::vector<std::vector<Label>> paths;
                std::vector<typename Chosen::Wide> scores;
                search.n_best(read, count, paths, scores);
                for (size_t k = 0; k < paths.size(); ++k) take(paths[k], static_cast<double>(scores[k]));
            }
        });
    }

    bool overgrown() const override { return path_.capacity() > kLongestKept; }

  private:
    using Features = std::conditional_t<std::is_integral_v<W>, RememberedFeatures<W>, KeyedFeatures<W>>;

    // Reads a sentence, and calls use(search, sentence).
    template <class Use>
    void with_sentence(const Columns& data, size_t number, Use&& use) {
        const size_t begin = data.begin(number);
        const auto allowed = [&](size_t i) { return tagger_.dictionary_(data, begin + i); };
        features_.read(data, begin, data.end(number), [&](size_t i) { return allowed(i).size() != 1; });
        SearchedSentence sentence{scorer_, features_, allowed};
        std::visit([&](auto& search) { use(search, sentence); }, search_);
    }

    const Tagger& tagger_;
    SentenceScorer<FrozenTable<W>> scorer_;
    Features features_;
    LabelSearches<S> search_;
    std::vector<Label> path_;
};

Tagger::Tagger(SequenceSpec spec, Extractor extractor, TagDictionary dictionary, const std::vector<PackedTable>& tables,
               unsigned bits, double scale)
    : spec_(checked(std::move(spec))),
      extractor_(std::move(extractor)),
      dictionary_(std::move(dictionary)),
      model_(build(tables, bits, scale, spec_)),
      label_hashes_(spec_) {
    if (!dictionary_.empty() && !spec_.traits().takes_dictionary)
        throw ModelError("its search does not go with a tag dictionary");
}

Tagger::~Tagger() = default;

size_t Tagger::columns_needed() const {
    return std::max(extractor_.pattern().columns_needed(), dictionary_.columns_needed());
}

void Tagger::check_columns(const Columns& data) const {
    const size_t needed = columns_needed();
    if (data.tokens() > 0 && data.width() < needed)
        throw DataError(data.where(0) + ": the model reads " + std::to_string(needed) + " columns, the data has " +
                        std::to_string(data.width()) + "; 'sapwood inspect' names them");
}

const FrozenModel::Tables<float>& Tagger::float_tables() const {
    return model_.with_tables([&]<class W>(const FrozenModel::Tables<W>& tables) -> const FrozenModel::Tables<float>& {
        if constexpr (std::is_same_v<W, float>) {
            return tables;
        } else {
            call_once(made_floats_, [&] { floats_ = FrozenModel::Tables<float>(tables.begin(), tables.end()); });
            return floats_;
        }
    });
}

Pool<Tagger::Worker>::Loan Tagger::worker(const Columns& data) const {
    return (data.has_values() ? float_workers_ : workers_).borrow([&] {
        return with_tables(data, [&]<class W>(const FrozenModel::Tables<W>& tables) -> std::unique_ptr<Worker> {
            return std::make_unique<TableWorker<W>>(*this, tables);
        });
    });
}

std::vector<Label> Tagger::tag(const Columns& data, size_t threads) const {
    check_columns(data);
    std::vector<Label> labels(data.tokens());
    for_each_sentence(data.sentences(), threads, [&] {
        return [&, worker = worker(data)](size_t s) {
            if (data.begin(s) == data.end(s)) return;
            std::ranges::copy(worker->tag(data, s), labels.begin() + static_cast<ptrdiff_t>(data.begin(s)));
        };
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
    const std::vector<double> scores = worker(data)->scores(data, sentence, token);
    std::ranges::stable_sort(labels, [&](Label a, Label b) { return scores[a] > scores[b]; });
    return labels;
}

std::vector<Tagger::Ranked> Tagger::n_best(const Columns& data, size_t sentence, size_t count) const {
    if (!spec_.traits().whole) throw OptionError("n-best needs a model trained with Viterbi search");
    check_columns(data);
    if (data.begin(sentence) == data.end(sentence)) return {{{}, 0}};
    return with_tables(data, [&]<class W>(const std::vector<FrozenTable<W>>& tables) {
        std::vector<Ranked> ranked;
        TableWorker<W>(*this, tables).n_best(data, sentence, count, [&](std::vector<Label>& path, double score) {
            ranked.push_back({std::move(path), score * model_.scale()});
        });
        return ranked;
    });
}

}  // namespace sapwood
