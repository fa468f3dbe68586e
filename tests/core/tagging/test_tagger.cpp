// Training and tagging against a plain tagger (naive_tagger.hpp), and changes that must not affect the result.
#include <array>
#include <cmath>

#include "base/errors.hpp"
#include "check.hpp"
#include "data.hpp"
#include "model/freeze_options.hpp"
#include "naive_tagger.hpp"
#include "random.hpp"
#include "tagging/tagger.hpp"
#include "tagging/tagger_trainer.hpp"

using namespace sapwood;

namespace {

const char* const kTemplate = R"(
U00:%x[-1,0]
U01:%x[0,0]
U02:%x[1,0]
U03:%suffix[0,0,1]
U04:%x[-1,1]/%x[0,1]
B
B10:%x[0,1]
U11:%y[-1]/%x[0,0]
U20:%y[-2]/%y[-1]
U21:%y[-2]/%y[-1]/%x[-1,0]
U30:%y[+1]
U31:%y[+1]/%x[0,0]
U32:%y[+1]/%y[+2]
U33:%y[-1]/%y[+1]
U34:%y[-2]/%y[-1]/%x[1,0]/%y[+1]/%y[+2]
)";

constexpr auto kEverySearch = [] {
    std::array<Search, kSearches.size()> all;
    for (size_t k = 0; k < all.size(); ++k) all[k] = static_cast<Search>(k);
    return all;
}();
constexpr size_t kAll = size_t{1} << 40;  // a step of more tokens than an epoch has

// Sentences whose labels depend on the word, the previous word and chance.
std::string corpus(uint64_t seed, size_t sentences, size_t longest, size_t labels) {
    Random random(seed);
    const std::vector<std::string> words = {"an", "bay", "can", "dog", "eel", "fun", "gas", "hot"};
    std::string text;
    for (; sentences > 0; --sentences) {
        size_t last = 0;
        for (size_t n = random.below(longest) + 1; n > 0; --n) {
            const size_t w = random.below(words.size()),
                         y = random.chance(5) ? random.below(labels) : (w + last) % labels;
            text += words[w] + (random.chance(2) ? " P " : " Q ") + std::string(1, static_cast<char>('a' + y)) + "\n";
            last = w;
        }
        text += "\n";
    }
    return text;
}

Extractor extractor_for(const TaggerOptions& options) {
    const SequenceSpec spec{options.search, options.order, {}};
    return extractor(kTemplate, spec.reach(), {}, spec.ahead());
}

TaggerTrainer trained(const Columns& data, const TaggerOptions& options, int epochs) {
    TaggerTrainer trainer(data, 2, extractor_for(options), options);
    while (epochs-- > 0) CHECK(trainer.step(kAll));
    return trainer;
}

Path gold_of(const Columns& data, size_t sentence, const std::vector<std::string>& labels) {
    Path path;
    for (size_t t = data.begin(sentence); t < data.end(sentence); ++t)
        path.push_back(static_cast<Label>(std::find(labels.begin(), labels.end(), data.cell(t, 2)) - labels.begin()));
    return path;
}

// Trains as TaggerTrainer does.
NaiveLearner naively_trained(const Columns& data, const TaggerOptions& options, const std::vector<std::string>& labels,
                             int epochs) {
    const Extractor extractor = extractor_for(options);
    const NaiveTagger tagger(options.search, options.order, extractor, labels);
    const double cost =
        options.training.learner.update == Update::perceptron ? 0 : static_cast<double>(options.training.learner.gamma);
    std::vector<NaiveTagger::Sentence> sentences;
    std::vector<Path> golds;
    std::map<std::string, size_t> occurrences;
    for (size_t s = 0; s < data.sentences(); ++s) {
        sentences.push_back(tagger.read(data, s));
        golds.push_back(gold_of(data, s, labels));
        for (size_t i = 0; i < golds[s].size(); ++i)
            for (const auto& part : tagger.at(sentences[s], i, golds[s])) ++occurrences[part.first];
    }
    NaiveLearner learner(options.training.learner.min_updates);
    const auto weight = [&](const std::string& f, size_t y) { return learner.weight(f, y); };
    const auto add = [&](NaiveLearner::Weights& delta, const NaiveTagger::Features& features, double d) {
        for (const auto& part : features)
            if (options.training.prune_below <= 1 || occurrences[part.first] >= options.training.prune_below)
                delta[part] += d;
    };
    PresentationOrder order(sentences.size(), options.training.seed);
    for (; epochs > 0; --epochs)
        for (size_t k : order.next_epoch()) {
            const NaiveTagger::Sentence& s = sentences[k];
            const Path& gold = golds[k];
            NaiveLearner::Weights delta;
            if (options.search == Search::viterbi) {
                const Path guess = tagger.viterbi(s, weight, cost, gold);
                for (size_t i = 0; i < s.n; ++i) {
                    add(delta, tagger.at(s, i, gold), 1);
                    add(delta, tagger.at(s, i, guess), -1);
                }
                learner.learn(delta);
                learner.tick();
                continue;
            }
            if (options.search == Search::easiest_first) {
                Path given = tagger.nothing_known(s);
                for (size_t step = 0; step < s.n; ++step) {
                    const size_t i = tagger.easiest(s, given, weight).first;
                    Path wrong = given;
                    wrong[i] = tagger.decide(s, i, given, weight, cost, gold[i]);
                    given[i] = gold[i];
                    delta.clear();
                    add(delta, tagger.at(s, i, given), 1);
                    add(delta, tagger.at(s, i, wrong), -1);
                    learner.learn(delta);
                    learner.tick();
                }
                continue;
            }
            Path history;  // the gold labels, or with own_history those that the weights predict
            for (size_t i = 0; i < s.n; ++i) {
                const Label own = tagger.decide(s, i, history, weight, 0, 0);
                const Label guess = tagger.decide(s, i, history, weight, cost, gold[i]);
                Path right = history, wrong = history;
                right.push_back(gold[i]);
                wrong.push_back(guess);
                delta.clear();
                add(delta, tagger.at(s, i, right), 1);
                add(delta, tagger.at(s, i, wrong), -1);
                learner.learn(delta);
                learner.tick();
                history.push_back(options.own_history ? own : gold[i]);
            }
        }
    return learner;
}

// The weights of a packed model by the names of its features.
template <class W>
NaiveLearner::Weights weights_by_name(const PackedModel& model, const std::vector<std::vector<std::string>>& names) {
    NaiveLearner::Weights all;
    for (size_t t = 0; t < model.tables.size(); ++t) {
        const PlainTable<W> table = unpack<W>(model.tables[t]);
        for (size_t k = 0, at = 0; k < table.keys.size(); ++k)
            for (size_t end = at + table.sizes[k]; at < end; ++at)
                all[{std::to_string(t) + " " + names[t][k], table.outputs[at]}] = static_cast<double>(table.values[at]);
    }
    return all;
}

bool close(const NaiveLearner::Weights& a, const NaiveLearner::Weights& b) {
    if (a.size() != b.size() || a.empty()) return false;
    for (const auto& [part, value] : a)
        if (!b.contains(part) || std::abs(b.at(part) - value) > 1e-5) return false;
    return true;
}

void check_training(const Columns& data, const TaggerOptions& options, int epochs, const char* what) {
    const TaggerTrainer trainer = trained(data, options, epochs);
    const NaiveLearner naive = naively_trained(data, options, trainer.spec().labels, epochs);
    const PackedModel model = trainer.freeze({32, 0});
    const auto weights = weights_by_name<float>(model, trainer.names(model));
    if (!close(weights, naive.result(options.training.learner.average))) CHECK_EQ(what, "equal to the naive tagger");
}

TaggerOptions options(Search search, unsigned order = 1) {
    TaggerOptions o;
    o.search = search;
    o.order = order;
    o.training.names = true;
    return o;
}

void test_training_token_by_token() {
    const Columns data = columns(corpus(1, 12, 6, 4));
    for (Search search : {Search::argmax, Search::greedy}) {
        TaggerOptions o = options(search);
        check_training(data, o, 3, "plain");
        o.training.seed = 99;
        check_training(data, o, 2, "another seed");
        o.training.learner.min_updates = 3;
        check_training(data, o, 4, "min_updates");
        o.training.learner.average = false;
        check_training(data, o, 3, "last weights");
        o.training.learner.update = Update::margin;
        check_training(data, o, 3, "margin");
        o.training.prune_below = 3;
        check_training(data, o, 3, "pruned");
    }
}

void test_training_easiest_first() {
    for (uint64_t seed : {1, 2, 3}) {
        const Columns data = columns(corpus(seed, 12, 6, 4));
        TaggerOptions o = options(Search::easiest_first);
        check_training(data, o, 3, "plain");
        o.training.seed = 99;
        o.training.learner.min_updates = 3;
        check_training(data, o, 4, "min_updates");
        o.training.learner.average = false;
        check_training(data, o, 3, "last weights");
        o.training.learner.update = Update::margin;
        check_training(data, o, 3, "margin");
        o.training.prune_below = 2;
        CHECK_THROWS(OptionError, "easiest-first", trained(data, o, 1));
    }
}

void test_training_on_own_history() {
    const Columns data = columns(corpus(3, 12, 6, 4));
    TaggerOptions o = options(Search::greedy);
    o.own_history = true;
    check_training(data, o, 3, "own history");
    o.training.learner.min_updates = 2;
    check_training(data, o, 3, "own history, min_updates");
}

// With a margin, the search adds a bonus to wrong labels, but the labels to the left are those that the weights alone
// predict.
void test_own_history_with_margin() {
    TaggerOptions o = options(Search::greedy);
    o.own_history = true;
    o.training.learner.update = Update::margin;
    check_training(columns(corpus(3, 12, 6, 4)), o, 3, "own history, margin");
}

// Rare features are counted before training, but features of the model's own labels cannot be. They are refused, or
// pruned as well.
void test_own_history_and_pruning() {
    TaggerOptions o = options(Search::greedy);
    o.own_history = true;
    o.training.prune_below = 1000;
    try {
        CHECK_EQ(trained(columns(corpus(3, 12, 6, 4)), o, 3).freeze({32, 0}).weights, 0u);
    } catch (const OptionError&) {
    }
}

void test_training_viterbi() {
    for (unsigned order : {1u, 2u}) {
        const Columns data = columns(corpus(order, 8, 5, 3));
        TaggerOptions o = options(Search::viterbi, order);
        check_training(data, o, 3, "plain");
        o.training.learner.min_updates = 2;
        check_training(data, o, 4, "min_updates");
        o.training.learner.update = Update::margin;
        check_training(data, o, 3, "margin");
        o.training.learner.average = false;
        o.training.prune_below = 2;
        check_training(data, o, 3, "pruned");
    }
    TaggerOptions o = options(Search::viterbi);
    check_training(columns(corpus(5, 2, 3, 9)), o, 2, "more labels");  // 9 * 16 cells make rows sparse
}

// Ties go to the lowest label, with the cost added: gold `a` (0) has won where it ties with `b` (1), and gold `b` has
// lost where it ties with `a`.
void test_ties() {
    const Columns data = columns("x P a\n\ny P b\n");
    for (Search search : kEverySearch)
        for (bool own_history : {false, true}) {
            TaggerOptions o = options(search);
            o.own_history = own_history;
            const auto check = [&](Update update, float gamma, std::vector<size_t> mistakes) {
                o.training.learner.update = update;
                o.training.learner.gamma = gamma;
                const SequenceSpec spec{o.search, o.order, {}};
                TaggerTrainer trainer(data, 2, extractor("U01:%x[0,0]\n", spec.reach(), {}, spec.ahead()), o);
                size_t updates = 0;
                for (size_t expected : mistakes) {
                    CHECK(trainer.step(kAll));
                    CHECK_EQ(trainer.progress().mistakes, expected);
                    CHECK_EQ(trainer.progress().updates, updates += expected);
                }
            };
            // All weights are 0: x ties and is right, y ties and is wrong.
            check(Update::perceptron, 20, {1, 0});
            // After an update each, gold scores 1 and the wrong label -1 + 2.
            check(Update::margin, 2, {2, 1, 0});
        }
}

// Without `names`, features have no texts.
void test_names_are_kept_on_request() {
    const Columns data = columns(corpus(1, 12, 6, 4));
    TaggerOptions o = options(Search::viterbi);
    for (bool names : {false, true}) {
        o.training.names = names;
        const TaggerTrainer trainer = trained(data, o, 2);
        const PackedModel model = trainer.freeze({8, 0});
        const auto texts = trainer.names(model);
        CHECK_EQ(texts.size(), 2u);
        for (size_t t = 0; t < texts.size(); ++t) {
            CHECK_EQ(texts[t].size(), model.full_keys[t].size());
            for (const std::string& text : texts[t]) CHECK_EQ(text.empty(), !names);
        }
    }
}

Tagger tagger(const TaggerTrainer& trainer, const TaggerOptions& options, const PackedModel& model) {
    return Tagger(trainer.spec(), extractor_for(options), {}, model.tables, model.bits, model.scale);
}

template <class W>
void check_tagging(const TaggerTrainer& trainer, const TaggerOptions& options, const Columns& test, unsigned bits) {
    const PackedModel model = trainer.freeze({bits, 0});
    const auto weights = weights_by_name<W>(model, trainer.names(model));
    const Extractor extractor = extractor_for(options);
    const NaiveTagger naive(options.search, options.order, extractor, trainer.spec().labels);
    const auto weight = [&](const std::string& f, size_t y) {
        const auto at = weights.find({f, y});
        return at == weights.end() ? 0 : at->second;
    };
    const std::vector<Label> guess = tagger(trainer, options, model).tag(test, 1);
    for (size_t s = 0; s < test.sentences(); ++s) {
        const auto begin = guess.begin() + static_cast<ptrdiff_t>(test.begin(s));
        const auto end = guess.begin() + static_cast<ptrdiff_t>(test.end(s));
        CHECK_EQ(Path(begin, end), naive.tag(naive.read(test, s), weight));
    }
}

// If weights are integers, all scores are exact, so both sides must also break every tie in the same way.
void test_tagging() {
    for (const auto& [search, order] : {std::pair{Search::argmax, 1u},
                                        {Search::greedy, 1u},
                                        {Search::easiest_first, 1u},
                                        {Search::viterbi, 1u},
                                        {Search::viterbi, 2u}}) {
        const Columns data = columns(corpus(7, 40, 5, 3)), test = columns(corpus(8, 60, 5, 3));
        TaggerOptions o = options(search, order);
        o.training.learner.average = false;
        const TaggerTrainer last = trained(data, o, 3);
        check_tagging<float>(last, o, test, 32);
        check_tagging<int8_t>(last, o, test, 8);
        o.training.learner.average = true;
        const TaggerTrainer averaged = trained(data, o, 3);
        check_tagging<int16_t>(averaged, o, test, 16);
        check_tagging<int8_t>(averaged, o, test, 8);
    }
}

void test_threads_make_no_difference() {
    const Columns data = columns(corpus(9, 300, 8, 4)), none = columns("");
    for (Search search : kEverySearch) {
        const TaggerOptions o = options(search);
        const TaggerTrainer trainer = trained(data, o, 2);
        for (unsigned bits : {8, 16, 32}) {
            const Tagger t = tagger(trainer, o, trainer.freeze({bits, 0}));
            const std::vector<Label> one = t.tag(data, 1);
            for (size_t threads : {0, 2, 5, 64}) CHECK(t.tag(data, threads) == one);
            CHECK(t.tag(none, 2).empty());
        }
    }
}

void test_one_label() {
    const Columns data = columns(corpus(2, 3, 8, 1));
    for (Search search : kEverySearch) {
        TaggerOptions o = options(search);
        o.training.learner.update = Update::margin;
        const TaggerTrainer trainer = trained(data, o, 2);
        const PackedModel model = trainer.freeze({8, 0});
        CHECK_EQ(model.weights, 0u);
        CHECK(tagger(trainer, o, model).tag(data, 1) == std::vector<Label>(data.tokens(), 0));
    }
}

void test_n_best() {
    const Columns data = columns(corpus(10, 30, 5, 3));
    for (unsigned order : {1u, 2u}) {
        const TaggerOptions o = options(Search::viterbi, order);
        const TaggerTrainer trainer = trained(data, o, 3);
        const Tagger t = tagger(trainer, o, trainer.freeze({16, 0}));
        const std::vector<Label> best = t.tag(data, 1);
        for (size_t s = 0; s < data.sentences(); ++s) {
            const auto ranked = t.n_best(data, s, 4);
            const auto begin = best.begin() + static_cast<ptrdiff_t>(data.begin(s));
            CHECK_EQ(ranked.at(0).labels, Path(begin, begin + static_cast<ptrdiff_t>(data.end(s) - data.begin(s))));
            for (size_t k = 1; k < ranked.size(); ++k) CHECK(ranked[k].score <= ranked[k - 1].score);
        }
    }
    const TaggerOptions o = options(Search::greedy);
    const TaggerTrainer trainer = trained(data, o, 1);
    CHECK_THROWS(OptionError, "Viterbi", tagger(trainer, o, trainer.freeze({8, 0})).n_best(data, 0, 2));
}

std::vector<std::string> bytes(const PackedModel& model) {
    std::vector<std::string> all = {std::to_string(model.scale), std::to_string(model.features),
                                    std::to_string(model.weights)};
    for (const PackedTable& p : model.tables) {
        for (uint64_t number :
             {p.features, p.weights, p.width, uint64_t{p.key_bits}, uint64_t{p.size_bits}, uint64_t{p.output_bits}})
            all.push_back(std::to_string(number));
        for (const std::string* array : {&p.high, &p.low, &p.sizes, &p.outputs, &p.values}) all.push_back(*array);
    }
    return all;
}

void test_same_model_again() {
    const Columns data = columns(corpus(11, 50, 8, 4));
    for (Search search : kEverySearch)
        for (Update update : {Update::perceptron, Update::margin, Update::passive_aggressive}) {
            TaggerOptions o = options(search);
            o.training.learner.update = update;
            const TaggerTrainer a = trained(data, o, 3);
            TaggerTrainer b(data, 2, extractor_for(o), o);
            for (int epoch = 0; epoch < 3; ++epoch)
                while (!b.step(7)) continue;  // small steps make no difference
            for (unsigned bits : {8, 16, 32}) {
                CHECK(bytes(a.freeze({bits, 0})) == bytes(a.freeze({bits, 0})));
                CHECK(bytes(a.freeze({bits, 0})) == bytes(b.freeze({bits, 0})));
            }
            o.training.seed = 2;
            CHECK(bytes(trained(data, o, 3).freeze({32, 0})) != bytes(a.freeze({32, 0})));
        }
}

void test_progress() {
    const Columns data = columns(corpus(12, 20, 5, 3));
    TaggerTrainer trainer(data, 2, extractor_for(options(Search::viterbi)), options(Search::viterbi));
    CHECK_EQ(trainer.progress().epoch, 0u);
    CHECK(!trainer.step(1));
    CHECK(trainer.progress().examples >= 1);
    CHECK(trainer.step(kAll));
    CHECK_EQ(trainer.progress().epoch, 1u);
    CHECK_EQ(trainer.progress().examples, data.tokens());
    CHECK(trainer.progress().mistakes > 0 && trainer.progress().mistakes <= data.tokens());
    CHECK(trainer.progress().features > 0);
    for (int epoch = 0; epoch < 50; ++epoch) trainer.step(kAll);
    CHECK_EQ(trainer.progress().mistakes, 0u);  // the data are separable: every token has its own features
}

void test_largest_step_is_an_epoch() {
    TaggerTrainer trainer(columns(corpus(12, 20, 5, 3)), 2, extractor_for(options(Search::greedy)),
                          options(Search::greedy));
    trainer.step(1);
    CHECK(trainer.step(SIZE_MAX));
}

void test_passive_aggressive_learns() {
    const Columns data = columns(corpus(13, 20, 5, 3));
    for (Search search : kEverySearch) {
        TaggerOptions o = options(search);
        o.training.learner.update = Update::passive_aggressive;
        const TaggerTrainer trainer = trained(data, o, 30);
        const std::vector<Label> guess = tagger(trainer, o, trainer.freeze({32, 0})).tag(data, 1);
        size_t right = 0;
        for (size_t t = 0; t < guess.size(); ++t) right += trainer.spec().labels[guess[t]] == data.cell(t, 2);
        CHECK(right * 10 > data.tokens() * 9);
    }
}

void test_iobes() {
    const Columns data = columns("a P B-X\nb P I-X\nc P B-X\nd P O\n");
    TaggerOptions o = options(Search::viterbi);
    o.iobes = true;
    CHECK_EQ(TaggerTrainer(data, 2, extractor_for(o), o).spec().labels,
             (std::vector<std::string>{"B-X", "E-X", "S-X", "O"}));
    o.iobes = false;
    CHECK_EQ(TaggerTrainer(data, 2, extractor_for(o), o).spec().labels, (std::vector<std::string>{"B-X", "I-X", "O"}));
}

void test_refused() {
    const TaggerOptions o = options(Search::viterbi, 2);
    const auto train = [&](const std::string& text, size_t label) {
        TaggerTrainer(columns(text), label, extractor_for(o), o);
    };
    CHECK_THROWS(DataError, "data: there is no sentence", train("\n\n", 2));
    CHECK_THROWS(DataError, "data:2: there is no label column", train("\na b\n", 2));
    std::string many;
    for (int y = 0; y < 500; ++y) many += "w P l" + std::to_string(y) + "\n";
    CHECK_THROWS(OptionError, "too many labels (500) for Viterbi of order 2", train(many, 2));

    const Columns data = columns(corpus(14, 10, 5, 3));
    const TaggerTrainer trainer = trained(data, o, 1);
    const PackedModel model = trainer.freeze({8, 0});
    const auto build = [&](SequenceSpec spec, std::vector<PackedTable> tables, unsigned bits, double scale) {
        Tagger(std::move(spec), extractor_for(o), {}, tables, bits, scale);
    };
    const SequenceSpec& spec = trainer.spec();
    SequenceSpec other = spec;
    other.labels.clear();
    CHECK_THROWS(ModelError, "no label", build(other, model.tables, 8, 1));
    other.labels = {"a", "b", "c", "d"};
    CHECK_THROWS(ModelError, "width does not fit", build(other, model.tables, 8, 1));
    other = spec;
    other.order = 1;
    CHECK_THROWS(ModelError, "wrong number of tables", build(other, model.tables, 8, 1));
    for (double scale : {0.0, -1.0, std::nan(""), HUGE_VAL})
        CHECK_THROWS(ModelError, "scale", build(spec, model.tables, 8, scale));
    CHECK_THROWS(ModelError, "the weights have 12 bits", build(spec, model.tables, 12, 1));
    CHECK_THROWS(ModelError, "wrong length", build(spec, model.tables, 16, 1));
    const Tagger t = tagger(trainer, o, model);
    CHECK_THROWS(DataError, "data:2: the model reads 2 columns, the data has 1", t.tag(columns("\na\nb\n"), 1));
    CHECK_THROWS(DataError, "the model reads 2 columns", t.n_best(columns("a\n"), 0, 1));
}

// The template reads columns 0 and 1.
void test_training_data_too_narrow() {
    const TaggerOptions o = options(Search::greedy);
    CHECK_THROWS(DataError, "data:1", TaggerTrainer(columns("a\n"), 0, extractor_for(o), o));
}

// Tokens for which a tag dictionary leaves no choice are left out. Where nothing but the token itself is looked at, a
// long sentence teaches the same as its tokens one by one, however many are left out between two that are not.
void test_tokens_without_a_choice() {
    Random random(3);
    std::string together, apart;
    for (int k = 0; k < 900; ++k) {
        const bool is_open = random.chance(random.chance(9) ? 90 : 4);
        const std::string word = is_open ? "w" + std::to_string(random.below(7)) : "one";
        const std::string token = word + (is_open && random.chance(3) ? " b\n" : " a\n");
        together += token;
        apart += token + "\n";
    }
    TaggerOptions options;
    options.search = Search::argmax;
    options.dictionary = {0};
    options.training.shuffled = false;
    options.training.learner = {Update::margin, 1.0f, 1, true};
    const auto weights = [&](const std::string& text) {
        const Columns data = columns(text);
        TaggerTrainer trainer(data, 1, extractor("U:%x[0,0]\n", 0, {}, 0), options);
        for (int epoch = 0; epoch < 3; ++epoch) CHECK(trainer.step(kAll));
        return unpack<float>(trainer.freeze({32}).tables[0]);
    };
    const PlainTable<float> a = weights(together), b = weights(apart);
    CHECK(a.keys == b.keys && a.outputs == b.outputs && a.values == b.values);
}

}  // namespace

int main() {
    test_training_token_by_token();
    test_training_viterbi();
    test_training_easiest_first();
    test_training_on_own_history();
    test_own_history_with_margin();
    test_own_history_and_pruning();
    test_ties();
    test_names_are_kept_on_request();
    test_one_label();
    test_tagging();
    test_threads_make_no_difference();
    test_n_best();
    test_same_model_again();
    test_progress();
    test_largest_step_is_an_epoch();
    test_passive_aggressive_learns();
    test_iobes();
    test_refused();
    test_training_data_too_narrow();
    test_tokens_without_a_choice();
    return check::failures();
}
