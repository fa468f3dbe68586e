// Classification: from text to rows of features, the trainer against a plain perceptron, the L1 rivals against eager ones.
#include <cmath>
#include <map>

#include "check.hpp"
#include "errors.hpp"
#include "features/percepts.hpp"
#include "model/calibration.hpp"
#include "random.hpp"
#include "tasks/classifier.hpp"
#include "tasks/classifier_trainer.hpp"
#include "text/phrase_tree.hpp"
#include "text/tokens.hpp"

using namespace sapwood;

namespace {

std::vector<std::string> tokens(std::string_view text) {
    std::vector<std::string> all;
    for (size_t at = 0;;) {
        const std::string_view token = next_token(text, at);
        if (token.empty()) return all;
        all.emplace_back(token);
    }
}

void test_tokens() {
    using List = std::vector<std::string>;
    CHECK(tokens("").empty());
    CHECK(tokens(" \t\r\n").empty());
    CHECK_EQ(tokens("what's up?"), (List{"what's", "up", "?"}));
    CHECK_EQ(tokens("e-mail, 3.5% (ca.)"), (List{"e-mail", ",", "3.5", "%", "(", "ca", ".", ")"}));
    CHECK_EQ(tokens("caf\xC3\xA9--'x'"), (List{"caf\xC3\xA9", "-", "-", "'", "x", "'"}));
}

// The texts and values of a document's features by a template, in the order of their texts.
std::map<std::string, float> percepts(const std::string& lines, const Documents& documents, size_t document,
                                      std::vector<std::string> columns,
                                      std::vector<std::string> fields = {}) {
    const size_t label = columns.size();
    const Percepts extractor(Template(lines, "t", Header{std::move(columns), label, true, std::move(fields)}),
                             {});
    extractor.check(documents);
    Percepts::Workspace workspace;
    FeatureRows rows;
    extractor.read(documents, document, workspace, rows);
    std::vector<uint64_t> keys = rows.keys();
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    const std::vector<std::string> names = extractor.names(documents, keys);
    std::map<std::string, float> found;
    for (size_t k = 0; k < rows.keys().size(); ++k) {
        const auto at = std::lower_bound(keys.begin(), keys.end(), rows.keys()[k]) - keys.begin();
        found[names[static_cast<size_t>(at)]] += rows.binary() ? 1.0f : rows.values()[k];
    }
    return found;
}

// The two sentences of the lecture (Schneider 2017), "interest" marked in each.
Documents lecture() {
    Documents documents(1, 0, "lecture");
    for (const char* text : {"Wall Street vets raise concerns about interest rates , politics",
                             "Pet 's best interest in mind , but vets must follow law"}) {
        std::string word;
        for (const char* c = text;; ++c) {
            if (*c != ' ' && *c != 0) {
                word += *c;
                continue;
            }
            if (word == "interest") documents.mark_next();
            documents.add_cell(word);
            word.clear();
            if (*c == 0) break;
        }
        documents.end_document("", 0);
    }
    return documents;
}

void test_the_table_of_the_lecture() {
    const std::string lines =
        "U:bias\nU1:capitalized?=%capital[0,0]\nN1:#wordsBefore %before\nN2:#wordsAfter %after\n"
        "N3:relativeOffset %offset\nU2:leftWord=%x[-1,0]\nU3:rightWord=%x[1,0]\nA1:%x[0,0]\nA2:%x[0,0] "
        "%x[1,0]\n";
    const Documents documents = lecture();
    const auto x = percepts(lines, documents, 0, {"word"}), y = percepts(lines, documents, 1, {"word"});
    CHECK_EQ(x.at("U:bias"), 1.0f);
    CHECK_EQ(x.at("U1:capitalized?=false"), 1.0f);
    CHECK_EQ(x.at("N1:#wordsBefore %before"), 6.0f);
    CHECK_EQ(y.at("N1:#wordsBefore %before"), 3.0f);
    CHECK_EQ(x.at("N2:#wordsAfter %after"), 3.0f);
    CHECK_EQ(y.at("N2:#wordsAfter %after"), 8.0f);
    CHECK(std::abs(x.at("N3:relativeOffset %offset") - 0.6667f) < 0.001f);
    CHECK(std::abs(y.at("N3:relativeOffset %offset") - 0.2727f) < 0.001f);
    CHECK(x.contains("U2:leftWord=about") && y.contains("U2:leftWord=best"));
    CHECK(x.contains("U3:rightWord=rates") && y.contains("U3:rightWord=in"));
    for (const char* word :
         {"A1:Wall", "A1:Street", "A1:vets", "A2:Wall Street", "A2:Street vets", "A2:vets raise"})
        CHECK(x.contains(word));
    CHECK(!y.contains("A1:Wall") && y.contains("A1:vets") && y.contains("A1:best") && !x.contains("A1:best"));
}

void test_lines_for_documents() {
    Documents documents(1, 2, "d");
    documents.add_field("drama");
    documents.add_field("2.5");
    documents.add_text("Oh no no NO");
    documents.end_document("bad", 7);
    const auto found = percepts("C1:%X[0,0]\nA2:%CHARS[0,0,3]\nU3:%d[genre]\nN4:%d[price]\nN5:%tokens\n",
                                documents, 0, {"word"}, {"genre", "price"});
    const std::map<std::string, float> expected{{"C1:oh", 1},    {"C1:no", 3},           {"A2:<oh", 1},
                                                {"A2:oh>", 1},   {"A2:<no", 1},          {"A2:no>", 1},
                                                {"U3:drama", 1}, {"N4:%d[price]", 2.5f}, {"N5:%tokens", 4}};
    CHECK(found == expected);
    CHECK_THROWS(DataError, "d:7: no word is marked", percepts("U1:%x[1,0]\n", documents, 0, {"word"}));
    CHECK_THROWS(DataError, "'drama' is not a number",
                 percepts("N1:%d[genre]\n", documents, 0, {"word"}, {"genre", "price"}));
    CHECK_EQ(documents.answers().where(0), std::string("d:7"));

    Documents empty(1, 0, "e");
    empty.end_document("", 0);
    const auto bias = percepts("U:bias\nU1:%x[@1,0]\nA1:%x[0,0]\n", empty, 0, {"word"});
    CHECK_EQ(bias.size(), size_t{2});  // the first word of nothing is the boundary
}

void test_templates_that_documents_cannot_have() {
    const auto refuse = [](const char* line, const char* what) {
        CHECK_THROWS(TemplateError, what, Template(line, "t", Header{{"word"}, 1, true, {"genre"}}));
    };
    refuse("B\n", "starts with U, A, C or N");
    refuse("U1:%y[-1]\n", "unknown macro %y");
    refuse("U1:%d[author]\n", "no field 'author'; they have genre");
    refuse("U1:%chars[0,0,3]\n", "only macro of an A or C line");
    refuse("A1:%chars[0,0,3]%x[0,0]\n", "only macro of an A or C line");
    refuse("N1:price\n", "an N line has one of");
    refuse("N1:%before %after\n", "an N line has one macro");
    refuse("N1:%x[0,0]\n", "unknown number %x");
    const auto refuse_columns = [](const char* line) {
        CHECK_THROWS(TemplateError, "t:1", Template(line, "t", Header{{"word", "label"}, 1}));
    };
    refuse_columns("A1:%x[0,0]\n");
    refuse_columns("N1:%before\n");
    refuse_columns("U1:%d[genre]\n");
    refuse_columns("U1:%chars[0,0,3]\n");
}

void test_fasttext() {
    const auto read = [](std::string_view text, bool skip = true) {
        return Documents::read_fasttext(text, "f", 1, skip);
    };
    const Documents two = read("\xEF\xBB\xBF__label__a x y\r\n\n  __label__b\tz\nno label");
    CHECK_EQ(two.size(), size_t{3});
    CHECK_EQ(two.answers().labels(), (std::vector<std::string>{"a", "b"}));
    CHECK_EQ(two.answers().gold(), (std::vector<uint32_t>{0, 1, Answers::kNone}));
    CHECK_EQ(two.answers().where(1), std::string("f:3"));
    CHECK_EQ(two.end(0) - two.begin(0), size_t{2});
    CHECK_EQ(read("a\n\nb\n", false).size(), size_t{3});
    CHECK_THROWS(DataError, "f:2: two labels", read("x\n__label__a __label__b z\n"));
    CHECK_THROWS(DataError, "f:1: __label__ without a name", read("__label__ z\n"));
    CHECK_THROWS(DataError, "f:1: invalid UTF-8", read("a\xFF\n"));
}

void test_svmlight() {
    const auto read = [](std::string_view text) { return FeatureRows::read_svmlight(text, "s", 1); };
    const auto [rows, answers] = read("+1 3:0.5 17:1 # a comment\n\n-1 qid:4 2:0 5:-1e2\nx\n");
    CHECK_EQ(rows.size(), size_t{3});
    CHECK_EQ(answers.labels(), (std::vector<std::string>{"+1", "-1", "x"}));
    CHECK_EQ(rows.values(), (std::vector<float>{0.5f, 1.0f, -100.0f}));  // 0 is no feature
    CHECK_EQ(rows.keys()[1], hash_bytes("17"));
    CHECK_EQ(rows.select({1, 1}).values(), (std::vector<float>{-100.0f, -100.0f}));
    for (const auto& [text, what] : std::vector<std::pair<const char*, const char*>>{
             {"1 3:1 3:2\n", "s:1: feature 3 comes after 3"},
             {"1 1:1\n1 5:1 4:1\n", "s:2: feature 4 comes after 5"},
             {"1 3\n", "'3' is not INDEX:VALUE"},
             {"1 a:1\n", "'a:1' is not INDEX:VALUE"},
             {"1 3:\n", "'3:' is not INDEX:VALUE"},
             {"3:1 4:1\n", "no label"},
             {"1 3:nan\n", "s:1: feature 3: a value is not a number"},
             {"1 3:inf\n", "s:1: feature 3: a value is infinite"},
             {"1 3:1e300\n", "s:1: feature 3: a value is larger than 1e15"}})
        CHECK_THROWS(DataError, what, read(text));
}

// A random problem: rows of up to six of `width` features, with values or all 1.
struct Problem {
    FeatureRows rows;
    std::vector<uint32_t> gold;
    std::vector<double> importance;
    std::vector<std::map<unsigned, double>> examples;

    Problem(Random& random, size_t n, unsigned width, unsigned labels, bool valued) {
        for (size_t e = 0; e < n; ++e) {
            std::map<unsigned, double> example;
            for (unsigned k = static_cast<unsigned>(random.below(7)); k > 0; --k)
                example[static_cast<unsigned>(random.below(width))] =
                    valued ? static_cast<double>(random.below(8)) / 2 - 2 : 1;
            std::erase_if(example, [](const auto& f) { return f.second == 0; });
            for (const auto& [feature, value] : example)
                rows.add(hash_bytes(std::to_string(feature)), static_cast<float>(value));
            rows.end_row();
            examples.push_back(example);
            gold.push_back(static_cast<uint32_t>(random.below(labels)));
            importance.push_back(1 + static_cast<double>(random.below(3)));
        }
    }
};

using Weights = std::map<std::pair<unsigned, size_t>, double>;

// The weights of a frozen classifier by feature and label; of two labels those of the second.
Weights weights_of(const ClassifierTrainer& trainer, unsigned width) {
    const PackedModel model = trainer.freeze({32, 0});
    const size_t outputs = model.tables[0].width;
    const Classifier classifier(outputs == 1 ? 2 : outputs, model.tables, 32, 1);
    Weights weights;
    for (unsigned f = 0; f < width; ++f) {
        const std::vector<double> row = classifier.weights_of({hash_bytes(std::to_string(f))});
        for (size_t y = 0; y < outputs; ++y)
            if (row[y] != 0) weights[{f, y}] = row[y];
    }
    return weights;
}

bool near(const Weights& a, const Weights& b, double tolerance) {
    const auto within = [&](const Weights& x, const Weights& y) {
        for (const auto& [key, w] : x) {
            const auto at = y.find(key);
            if (std::abs(w - (at == y.end() ? 0.0 : at->second)) > tolerance * std::max(1.0, std::abs(w)))
                return false;
        }
        return true;
    };
    return within(a, b) && within(b, a);
}

// The perceptron of the lecture with a margin, min_updates and averaging, by maps and sums of all weight vectors.
Weights naive_perceptron(const Problem& p, unsigned labels, const ClassifierOptions& options, size_t epochs) {
    Weights w, total;
    std::map<unsigned, unsigned> updates, occurrences;
    for (const auto& x : p.examples)
        for (const auto& f : x) ++occurrences[f.first];
    double squares = 0;
    size_t seen = 0;
    for (size_t epoch = 0; epoch < epochs; ++epoch)
        for (size_t e = 0; e < p.examples.size(); ++e) {
            auto x = p.examples[e];
            std::erase_if(x, [&](const auto& f) { return occurrences[f.first] < options.prune_below; });
            ++seen;
            for (const auto& f : x) squares += f.second * f.second;
            const double cost =
                options.learner.update == Update::perceptron
                    ? 0
                    : static_cast<double>(options.learner.gamma) * squares / static_cast<double>(seen);
            std::vector<double> score(labels);
            for (const auto& [f, value] : x)
                if (updates[f] >= options.learner.min_updates)
                    for (size_t y = labels == 2 ? 1 : 0; y < labels; ++y)
                        score[y] += value * w[{f, labels == 2 ? 0 : y}];
            size_t guess = 0;
            for (size_t y = 0; y < labels; ++y) score[y] += y == p.gold[e] ? 0 : cost;
            for (size_t y = 1; y < labels; ++y)
                if (score[y] > score[guess]) guess = y;
            if (guess != p.gold[e])
                for (const auto& [f, value] : x) {
                    const double step = value * p.importance[e];
                    if (labels == 2) {
                        w[{f, 0}] += p.gold[e] == 1 ? step : -step;
                    } else {
                        w[{f, p.gold[e]}] += step;
                        w[{f, guess}] -= step;
                    }
                    ++updates[f];
                }
            for (const auto& [key, value] : w) total[key] += value;
        }
    Weights result;
    for (const auto& [key, value] : options.learner.average ? total : w)
        if (updates[key.first] >= options.learner.min_updates)
            result[key] = options.learner.average ? value / static_cast<double>(seen) : value;
    return result;
}

void test_trainer_equals_the_naive_perceptron() {
    Random random(1);
    for (int trial = 0; trial < 60; ++trial) {
        const unsigned labels = 2 + static_cast<unsigned>(random.below(3)), width = 12;
        const Problem p(random, 30, width, labels, trial % 2 == 0);
        ClassifierOptions options;
        options.learner = {trial % 3 ? Update::margin : Update::perceptron, 0.5f,
                           1 + static_cast<uint32_t>(random.below(3)), trial % 5 != 0};
        options.prune_below = trial % 4 ? 1 : 3;
        options.shuffled = false;
        ClassifierTrainer trainer(labels, options);
        trainer.add(p.rows, p.gold, p.importance);
        for (int epoch = 0; epoch < 3; ++epoch)
            while (!trainer.step(7)) {
            }
        CHECK(near(weights_of(trainer, width), naive_perceptron(p, labels, options, 3), 1e-4));
    }
}

// Both penalties, paid by every weight after every example (Tsuruoka et al. 2009, figure 2; Langford et al. 2009).
Weights naive_l1(const Problem& p, unsigned labels, unsigned width, const L1Options& options, size_t epochs) {
    const size_t outputs = labels == 2 ? 1 : labels, n = p.examples.size();
    Weights w, q;
    double u = 0, pending = 0;
    size_t k = 0;
    for (size_t epoch = 0; epoch < epochs; ++epoch)
        for (size_t e = 0; e < n; ++e) {
            const double eta = options.eta * std::pow(0.85, static_cast<double>(k) / static_cast<double>(n));
            std::vector<double> score(labels), gradient(labels);
            for (const auto& [f, value] : p.examples[e])
                for (size_t y = 0; y < outputs; ++y) score[labels == 2 ? 1 : y] += value * w[{f, y}];
            double sum = 0;
            for (double s : score) sum += std::exp(s);
            for (size_t y = 0; y < labels; ++y) gradient[y] = (y == p.gold[e]) - std::exp(score[y]) / sum;
            for (const auto& [f, value] : p.examples[e])
                for (size_t y = 0; y < outputs; ++y)
                    w[{f, y}] += eta * p.importance[e] * value * gradient[labels == 2 ? 1 : y];
            ++k;
            const double gravity = eta * options.strength / static_cast<double>(n);
            if (options.penalty == Penalty::cumulative) {
                u += gravity;
                for (const auto& f :
                     p.examples[e])  // the cumulative penalty is applied where a feature occurs
                    for (size_t y = 0; y < outputs; ++y) {
                        double& weight = w[{f.first, y}];
                        double& received = q[{f.first, y}];
                        const double before = weight;
                        weight = before > 0 ? std::max(0.0, before - (u + received))
                                            : std::min(0.0, before + (u - received));
                        received += weight - before;
                    }
            } else if (pending += gravity; k % 100 == 0) {
                for (auto& [key, weight] : w)
                    weight = weight > 0 ? std::max(0.0, weight - pending) : std::min(0.0, weight + pending);
                pending = 0;
            }
        }
    if (options.penalty == Penalty::cumulative)
        for (unsigned f = 0; f < width; ++f)
            for (size_t y = 0; y < outputs; ++y) {
                double& weight = w[{f, y}];
                const double received = q[{f, y}];
                weight = weight > 0 ? std::max(0.0, weight - (u + received))
                                    : std::min(0.0, weight + (u - received));
            }
    std::erase_if(w, [](const auto& each) { return each.second == 0; });
    return w;
}

void test_l1_equals_the_naive_one() {
    Random random(2);
    size_t zeros[2] = {};  // weights that each penalty drove to 0
    for (int trial = 0; trial < 40; ++trial) {
        const unsigned labels = 2 + static_cast<unsigned>(random.below(2)), width = 10;
        const Problem p(random, 100, width, labels, trial % 2 == 0);  // the last truncation is the last step
        ClassifierOptions options;
        options.l1 = L1Options{trial % 2 ? Penalty::cumulative : Penalty::truncated, 6, 0.3};
        options.learner.average = false;
        options.shuffled = false;
        ClassifierTrainer trainer(labels, options);
        trainer.add(p.rows, p.gold, p.importance);
        for (int epoch = 0; epoch < 4; ++epoch)
            while (!trainer.step(1000)) {
            }
        const Weights expected = naive_l1(p, labels, width, *options.l1, 4);
        CHECK(near(weights_of(trainer, width), expected, 1e-5));
        zeros[trial % 2] += width * (labels == 2 ? 1 : labels) - expected.size();
    }
    CHECK(zeros[0] > 10 && zeros[1] > 10);
}

void test_slices_are_one_pass() {
    Random random(3);
    const Problem p(random, 50, 12, 3, true);
    ClassifierOptions options;
    options.learner = {Update::margin, 1.0f, 1, true};
    options.shuffled = false;
    ClassifierTrainer whole(3, options), sliced(3, options);
    whole.add(p.rows, p.gold, {});
    while (!whole.step(1000)) {
    }
    for (size_t begin = 0; begin < 50; begin += 5) {
        std::vector<size_t> part;
        std::vector<uint32_t> gold;
        for (size_t e = begin; e < begin + 5; ++e) {
            part.push_back(e);
            gold.push_back(p.gold[e]);
        }
        sliced.forget_examples();
        sliced.add(p.rows.select(part), gold, {});
        while (!sliced.step(1000)) {
        }
    }
    CHECK(weights_of(whole, 12) == weights_of(sliced, 12));
}

void test_scores_are_weighted_sums() {
    Random random(4);
    for (unsigned bits : {8u, 16u, 32u})
        for (unsigned labels : {2u, 3u, 17u, 80u}) {
            const Problem p(random, 60, 20, labels, bits != 16);
            ClassifierTrainer trainer(labels, {});
            trainer.add(p.rows, p.gold, {});
            while (!trainer.step(1000)) {
            }
            const PackedModel model = trainer.freeze({bits, 0});
            const Classifier classifier(labels, model.tables, bits, model.scale);
            Classifier::Workspace workspace;
            std::vector<double> scores(labels);
            for (size_t e = 0; e < 20; ++e) {
                std::vector<double> expected(labels);
                for (const auto& [f, value] : p.examples[e]) {
                    const auto row = classifier.weights_of({hash_bytes(std::to_string(f))});
                    for (size_t y = 0; y < row.size(); ++y) expected[labels == 2 ? 1 : y] += value * row[y];
                }
                classifier.score(p.rows, e, workspace, scores.data());
                for (size_t y = 0; y < labels; ++y) CHECK(std::abs(scores[y] - expected[y]) < 1e-3);
            }
        }
}

void test_what_a_trainer_refuses() {
    ClassifierTrainer trainer(2, {});
    FeatureRows rows;
    rows.end_row();
    CHECK_THROWS(DataError, "no label", trainer.add(rows, {2}, {}));
    CHECK_THROWS(DataError, "differ in number", trainer.add(rows, {0, 1}, {}));
    CHECK_THROWS(DataError, "no example", trainer.step(1));
    const PackedModel model = trainer.freeze({8, 0});
    CHECK_THROWS(ModelError, "width", Classifier(3, model.tables, 8, 1));
    CHECK_THROWS(ModelError, "one table", Classifier(2, {}, 8, 1));
    CHECK_THROWS(ModelError, "scale", Classifier(2, model.tables, 8, 0));
}

void test_calibration() {
    const auto apply = [](const Calibration& c, std::vector<double> scores) {
        c.apply(scores.data());
        return scores;
    };
    const auto even = apply(Calibration("temperature", {{2.0}}, 2), {0, 2 * std::log(3)});
    CHECK(std::abs(even[1] - 0.75) < 1e-12);
    // Margins of +1 and -1: 1 / (1 + exp(-1)) and its complement already add up to 1.
    const auto platt = apply(Calibration("sigmoid", {{-1, 0}, {-1, 0}}, 2), {1, 2});
    CHECK(std::abs(platt[1] - 1 / (1 + std::exp(-1.0))) < 1e-12);
    const auto steps = apply(Calibration("isotonic", {{0, 0.2, 2, 0.6}, {0, 0.2, 2, 0.6}}, 2), {0, 1});
    CHECK(std::abs(steps[1] - 0.4 / 0.6) < 1e-12);  // 0.4 between the points, 0.2 left of them
    const auto none = apply(Calibration("isotonic", {{0, 0}, {0, 0}}, 2), {0, 1});
    CHECK_EQ(none, (std::vector<double>{0.5, 0.5}));
    for (const auto& [method, curves] : std::vector<std::pair<std::string, std::vector<std::vector<double>>>>{
             {"magic", {{1}}},
             {"temperature", {}},
             {"temperature", {{0}}},
             {"temperature", {{NAN}}},
             {"sigmoid", {{1, 2}}},
             {"sigmoid", {{1}, {1}}},
             {"isotonic", {{0, 0.5}, {}}},
             {"isotonic", {{0, 0.5}, {1, 0.5, 1, 0.6}}},
             {"isotonic", {{0, 0.5}, {1, 1.5}}}})
        CHECK_THROWS(ModelError, "calibration is damaged", Calibration(method, curves, 2));
}

void test_phrase_trees() {
    Symbols symbols;
    const auto trees =
        read_trees("( (S (NP (DT the)\n (NN dog)) (VP (VBZ barks))) )\n(X y)", "t", 1, symbols);
    CHECK_EQ(trees.size(), size_t{2});
    CHECK_EQ(to_text(trees[0], symbols), std::string("(S (NP (DT the) (NN dog)) (VP (VBZ barks)))"));
    CHECK_EQ(trees[0].words(), size_t{3});
    CHECK_EQ(trees[0].nodes[1].next, 4u);
    CHECK_EQ(trees[0].nodes[1].end, 2u);
    CHECK_EQ(trees[0].children(0), size_t{2});
    CHECK_EQ(trees[1].line, size_t{3});
    CHECK(read_trees("()", "t", 1, symbols)[0].nodes.empty());
    for (const auto& [text, what] :
         std::vector<std::pair<std::string, const char*>>{{"(S (A a)", "does not close"},
                                                          {"x (S a)", "outside of brackets"},
                                                          {"(S (A a)))", "outside of brackets"},
                                                          {"(S)", "nothing in it"},
                                                          {"(S a b)", "beside others"},
                                                          {"(S (A a) b)", "beside others"},
                                                          {"(S a (B b))", "side by side"},
                                                          {"((S a) (T b))", "more than one tree"},
                                                          {"(S ((A a)))", "no label"},
                                                          {std::string(2000, '(') + "S", "no label"}})
        CHECK_THROWS(DataError, what, read_trees(text, "t", 1, symbols));
    std::string deep;
    for (int k = 0; k < 1001; ++k) deep += "(S ";
    CHECK_THROWS(DataError, "1,000 levels", read_trees(deep, "t", 1, symbols));
}

}  // namespace

int main() {
    test_tokens();
    test_the_table_of_the_lecture();
    test_lines_for_documents();
    test_templates_that_documents_cannot_have();
    test_fasttext();
    test_svmlight();
    test_trainer_equals_the_naive_perceptron();
    test_l1_equals_the_naive_one();
    test_slices_are_one_pass();
    test_scores_are_weighted_sums();
    test_what_a_trainer_refuses();
    test_calibration();
    test_phrase_trees();
    return check::failures();
}
