// Parsers in training against plain implementations with strings and maps, and frozen parsers against the weights from
// which they were made.
#include <cmath>
#include <map>

#include "check.hpp"
#include "features/line_group.hpp"
#include "model/freeze.hpp"
#include "model/freeze_options.hpp"
#include "model/frozen_table.hpp"
#include "naive_arcs.hpp"
#include "naive_transitions.hpp"
#include "naive_trees.hpp"
#include "parsing/parser.hpp"
#include "parsing/parser_trainer.hpp"
#include "presented.hpp"
#include "random.hpp"

using namespace sapwood;

namespace {

std::string template_of(const Lines& lines) {
    std::string text;
    for (const auto& line : lines) {
        for (const std::string& atom : line) text += atom + " ";
        text += "\n";
    }
    return text;
}

void test_conjunctions() {
    const std::vector<std::string> atoms = {"a", "b", "c"};
    const Conjunctions lines("# comment\n\n a  b # more\r\nc\n\tb a", "t", atoms);
    CHECK_EQ(lines.lines(), 3u);
    const uint64_t whole[] = {1, 2, 3}, without_b[] = {1, 0, 3}, none[] = {0, 0, 0};
    uint64_t keys[3], others[3];
    CHECK_EQ(lines.keys(whole, keys), 3u);
    CHECK(keys[0] != keys[2]);  // the order of atoms matters
    CHECK_EQ(lines.keys(without_b, others), 1u);
    CHECK_EQ(others[0], keys[1]);
    CHECK_EQ(lines.keys(none, others), 0u);
    CHECK(lines.whole(0, whole) && !lines.whole(0, without_b) && lines.whole(1, without_b));
    CHECK_EQ(LineGroup(lines, {0, 1}, false).keys(whole, others), 2u);
    CHECK_EQ(others[0], keys[0]);
    CHECK_EQ(others[1], keys[1]);
    CHECK_EQ(LineGroup(lines, {0, 1, 2}, true).keys(whole, others), 3u);
    CHECK_EQ(others[0], keys[1]);  // the line with the fewest atoms comes first
    CHECK_EQ(others[1], keys[0]);
    CHECK_EQ(LineGroup(lines, {0, 1}, true).keys(without_b, others), 1u);
    const Conjunctions longer("a b c a b\na b c a\na b c", "t", atoms);
    CHECK_EQ(longer.keys(whole, keys), 3u);
    CHECK_EQ(LineGroup(longer, {0, 1, 2}, true).keys(whole, others), 3u);
    for (size_t k = 0; k < 3; ++k) CHECK_EQ(others[k], keys[2 - k]);
    CHECK_EQ(lines.keys(whole, keys), 3u);
    CHECK_EQ(lines.text(2, whole, [](uint64_t value) { return std::to_string(value); }), std::string("b=2 a=1"));
    // Keys depend neither on the other lines nor on blanks.
    const Conjunctions alone("b   a", "t", atoms);
    CHECK_EQ(alone.keys(whole, others), 1u);
    CHECK_EQ(others[0], keys[2]);

    CHECK_THROWS(TemplateError, "t:3: there is no atom 'd' in this search", Conjunctions("a\n\nb d\n", "t", atoms));
    CHECK_THROWS(TemplateError, "t:4: this line is there already: a b",
                 Conjunctions("a b\n# x\nb\na   b # y\n", "t", atoms));
    CHECK_THROWS(TemplateError, "t: the template has no line", Conjunctions("# x\n\n", "t", atoms));
}

const Lines kArcLines = {{"hw", "mw"},         {"ht", "mt"},    {"hw"},       {"mt"},
                         {"ht", "mw", "h+1t"}, {"bt"},          {"ht", "bt"}, {"hw", "m-1t"},
                         {"ht", "bt", "mt"},   {"h-1t", "m+1w"}};
const Lines kSiblingLines = {{"st", "mt"}, {"hw", "st", "mw"}, {"ht", "sw"}};

// In all sentences, two features have the same key if and only if they have the same string.
void test_arc_features() {
    Random random(1);
    ArcFeatures arcs(Conjunctions(template_of(kArcLines), "t", ArcFeatures::atoms("b")));
    ArcFeatures siblings(Conjunctions(template_of(kSiblingLines), "t", ArcFeatures::atoms("s")));
    std::map<uint64_t, std::string> texts;
    std::map<std::string, uint64_t> keys_of;
    const auto values = texts_of_values(1);
    const auto text_of = [&](uint64_t value) { return text_of_value(values, value); };
    for (int round = 0; round < 60; ++round) {
        const NaiveSentence s = random_sentence(random, {Heads(2 + random.below(12), 0)}, 1);
        const Words words = read(s);
        const size_t n = words.size();
        arcs.read(words);
        siblings.read(words);
        std::vector<uint64_t> keys(20 * (n + 4));
        for (size_t h = 0; h <= n; ++h)
            for (size_t m = 1; m <= n; ++m) {
                if (m == h) continue;
                size_t count = arcs.head_keys(h, keys.data());
                count += arcs.modifier_keys(m, keys.data() + count);
                count += arcs.arc_keys(h, m, keys.data() + count);
                count += arcs.between_keys(h, m, keys.data() + count);
                const auto expected = arc_features(kArcLines, s, h, words_between(h, m), m);
                std::vector<ArcFeatures::Found> features;
                arcs.add_arc(h, m, features);
                CHECK_EQ(features.size(), count);
                std::set<std::string> found;
                for (size_t k = 0; k < count; ++k) {
                    CHECK_EQ(features[k].key, keys[k]);
                    const std::string text = arcs.text(features[k], words, h, m, text_of);
                    found.insert(text);
                    CHECK_EQ(texts.try_emplace(keys[k], text).first->second, text);
                    CHECK_EQ(keys_of.try_emplace(text, keys[k]).first->second, keys[k]);
                }
                CHECK_EQ(found.size(), count);  // no feature occurs twice
                CHECK(found == expected);
                for (size_t third = 1; third <= n + 1; ++third) {
                    const size_t triples = siblings.triple_keys(h, third, m, keys.data());
                    features.clear();
                    siblings.add_triple(h, third, m, features);
                    CHECK_EQ(features.size(), triples);
                    std::set<std::string> parts;
                    for (size_t k = 0; k < triples; ++k) {
                        CHECK_EQ(features[k].key, keys[k]);
                        parts.insert(siblings.text(features[k], words, h, m, text_of));
                    }
                    CHECK(parts == arc_features(kSiblingLines, s, h, {third}, m));
                }
            }
    }
    CHECK(texts.size() > 300);
}

NaiveLearner::Weights weights_of(const Learner& learner, const FeatureNames& names, bool with_table) {
    NaiveLearner::Weights weights;
    for (uint32_t t = 0; t < learner.tables(); ++t)
        learner.table(t).each_weight(learner.averaging_clock(), [&](uint64_t key, uint32_t, uint32_t output, float w) {
            const std::string table = with_table ? std::to_string(t) + " " : "";
            weights[{table + names(t, learner.table(t).find(key)), output}] = w;
        });
    return weights;
}

void check_weights(const NaiveLearner::Weights& weights, const NaiveLearner::Weights& expected) {
    CHECK(!expected.empty());
    CHECK_EQ(weights.size(), expected.size());
    for (const auto& [part, w] : expected) {
        const auto at = weights.find(part);
        CHECK(at != weights.end() && std::abs(at->second - w) < 1e-5 * (1 + std::abs(w)));
    }
}

const Lines kTransitionLines = {{"S0w"},
                                {"S0t", "N0t"},
                                {"S1t", "S0t"},
                                {"S0w", "N0w"},
                                {"S2t", "S1t"},
                                {"N1t", "N0t", "S0t"},
                                {"S0lt", "S0t"},
                                {"S0rw", "N0t"},
                                {"S1rt", "S0t"},
                                {"N0lt", "S0w"},
                                {"S0l2t", "S0lt"},
                                {"S0ld", "S0t"},
                                {"S1rd", "N0t"},
                                {"S0vl", "S0vr"},
                                {"N0vl", "S0t"},
                                {"S0sl", "S0t"},
                                {"S1sr", "S1vr"},
                                {"S1-S0"},
                                {"S0-N0", "S0t", "N0t"},
                                {"N2w", "N0l2d"},
                                {"S1l2w", "S1r2t"}};

// width 1 learns from the dynamic oracle.
void test_transition_training(size_t width, uint32_t min_updates, float gamma, size_t labels, bool single_root,
                              bool early) {
    Random random(width + min_updates + labels);
    const Conjunctions conjunctions(template_of(kTransitionLines), "t", TransitionContext::atoms());
    const TransitionOutputs outputs(some_relations(labels), single_root);
    const NaiveTransitions naive(kTransitionLines, names_of_labels(labels), single_root);
    Learner learner({gamma > 0 ? Update::margin : Update::perceptron, gamma, min_updates, true}, {outputs.width()});
    NaiveLearner right(min_updates);
    TransitionTrainer trainer(conjunctions, outputs, width);
    if (early) trainer.update_early();
    const auto texts = texts_of_values(labels);
    FeatureNames names;
    const Spelling spelling{names, [&](uint64_t value) { return text_of_value(texts, value); }};

    std::vector<NaiveSentence> sentences;
    for (size_t n = 1; n <= 4; ++n)
        for (int k = 0; k < 3; ++k)
            sentences.push_back(random_sentence(random, projective_trees(n, single_root), labels));
    for (int epoch = 0; epoch < 3; ++epoch)
        for (const NaiveSentence& s : sentences) {
            const size_t mistakes = present(trainer, learner, s, &spelling);
            CHECK_EQ(mistakes,
                     width == 1 ? naive.learn_greedy(right, s, gamma) : naive.learn(right, s, width, gamma, early));
        }
    check_weights(weights_of(learner, names, false), right.result(true));
}

// The test does not learn from sentences whose best trees are tied, because each search breaks ties in its own way.
// Both sides start with the same random weights, since with zero weights all trees would be tied.
void test_eisner_training(unsigned order, uint32_t min_updates, float gamma, bool single_root) {
    Random random(order + min_updates);
    const Conjunctions arcs(template_of(kArcLines), "t", ArcFeatures::atoms("b"));
    const Conjunctions sibling_lines(template_of(kSiblingLines), "t", ArcFeatures::atoms("s"));
    const std::optional<Conjunctions> siblings = order == 2 ? std::optional(sibling_lines) : std::nullopt;
    const NaiveArcs naive(kArcLines, order == 2 ? std::optional(kSiblingLines) : std::nullopt);
    Learner learner({gamma > 0 ? Update::margin : Update::perceptron, gamma, min_updates, true},
                    std::vector<size_t>(order, kArcOutputs));
    NaiveLearner right(min_updates);
    EisnerTrainer trainer(arcs, siblings, single_root);
    const auto texts = texts_of_values(1);
    FeatureNames names;
    const Spelling spelling{names, [&](uint64_t value) { return text_of_value(texts, value); }};

    std::vector<NaiveSentence> sentences;
    for (size_t n = 2; n <= 5; ++n)
        for (int k = 0; k < 4; ++k) sentences.push_back(random_sentence(random, projective_trees(n, single_root), 1));
    ArcFeatures reader(arcs);
    for (uint32_t time = 0; time < min_updates; ++time) {
        Violation start;
        NaiveLearner::Weights delta;
        std::set<std::string> done;
        for (const NaiveSentence& s : sentences) {
            const Words words = read(s);
            reader.read(words);
            for (size_t h = 0; h <= words.size(); ++h)
                for (size_t m = 1; m <= words.size(); ++m) {
                    if (h == m) continue;
                    std::vector<ArcFeatures::Found> features;
                    reader.add_arc(h, m, features);
                    for (const ArcFeatures::Found& found : features) {
                        const std::string text = reader.text(found, words, h, m, spelling.text_of);
                        if (!done.insert(text).second) continue;
                        const uint32_t feature = learner.table(0).intern(found.key);
                        names.add(0, feature, [&] { return text; });
                        const size_t weight = 1 + random.below(9);
                        for (size_t times = 0; times < weight; ++times) start.gold(0, feature, 0);
                        delta[{"0 " + text, 0}] += static_cast<double>(weight);
                    }
                }
        }
        learner.learn(start);
        right.learn(delta);
    }

    size_t learned = 0;
    for (int epoch = 0; epoch < 4; ++epoch)
        for (const NaiveSentence& s : sentences) {
            const auto guess = naive.best(right, s, projective_trees(s.forms.size(), single_root), gamma);
            if (!guess) continue;
            size_t mistakes = 0;
            for (size_t m = 1; m < s.heads.size(); ++m) mistakes += (*guess)[m] != s.heads[m];
            CHECK_EQ(present(trainer, learner, s, &spelling), mistakes);
            if (mistakes > 0) {
                ++learned;
                NaiveLearner::Weights delta = naive.phi(s, s.heads);
                for (const auto& [part, count] : naive.phi(s, *guess)) delta[part] -= count;
                right.learn(delta);
            }
            right.tick();
        }
    CHECK(learned > 10);
    check_weights(weights_of(learner, names, true), right.result(true));
}

// Without averaging, a frozen model of 32 bits gives the same scores as the weights in training.
template <class Trainer, template <class> class Parser, class... Arguments>
void check_frozen(size_t width, const Arguments&... arguments) {
    Random random(7);
    Learner learner({Update::margin, 2, 2, false}, std::vector<size_t>{width});
    Trainer trainer(arguments...);
    for (int k = 0; k < 60; ++k) {
        const NaiveSentence s = random_sentence(random, projective_trees(1 + random.below(5), true), 2);
        present(trainer, learner, s);
    }
    const PackedModel model = freeze(learner, {32, 0});
    const std::vector<FrozenTable<float>> tables = {FrozenTable<float>(unpack<float>(model.tables[0]))};
    Parser<WeightTable> live(arguments...);
    Parser<FrozenTable<float>> frozen(arguments...);
    for (int k = 0; k < 200; ++k) {
        const Words words = read(random_sentence(random, {Heads(2 + random.below(20), 0)}, 2));
        Tree a, b;
        live.parse(learner.all_tables(), words, a);
        frozen.parse(tables, words, b);
        CHECK_EQ(a.heads, b.heads);
        CHECK_EQ(a.labels, b.labels);
        CHECK(projective_tree(a.heads));
        CHECK_EQ(root_children(a.heads), 1u);
    }
}

template <class Table>
using WholeTransitionParser = TransitionParser<Table>;

// Scores and margins of int8 weights are the same in 16 bits and in 32, in dense rows and in lists.
void test_16_bits() {
    const Conjunctions transitions(template_of(kTransitionLines), "t", TransitionContext::atoms());
    for (const uint32_t labels : {2u, 60u}) {
        Random random(8);
        const TransitionOutputs outputs(some_relations(labels), true);
        Learner learner({Update::margin, 2, 1, false}, std::vector<size_t>{outputs.width()});
        TransitionTrainer trainer(transitions, outputs, 4);
        for (int k = 0; k < 60; ++k)
            present(trainer, learner, random_sentence(random, projective_trees(1 + random.below(5), true), labels));
        using Table = FrozenTable<int8_t>;
        const std::vector<Table> tables = {Table(unpack<int8_t>(freeze(learner, {8, 0}).tables[0]))};
        TransitionParser<Table> wide(transitions, outputs, 4);
        TransitionParser<Table, int16_t> narrow(transitions, outputs, 4);
        for (int k = 0; k < 200; ++k) {
            const Words words = read(random_sentence(random, {Heads(2 + random.below(20), 0)}, labels));
            Tree a, b;
            wide.parse(tables, words, a);
            narrow.parse(tables, words, b);
            CHECK_EQ(a.heads, b.heads);
            CHECK_EQ(a.labels, b.labels);
            std::vector<double> of_wide(words.size() + 1), of_narrow(words.size() + 1);
            wide.parse_with_margins(tables, words, a, [&](uint32_t m, double margin) { of_wide[m] = margin; });
            narrow.parse_with_margins(tables, words, a, [&](uint32_t m, double margin) { of_narrow[m] = margin; });
            CHECK_EQ(of_wide, of_narrow);
            CHECK_EQ(a.heads, b.heads);
        }
    }
}

void test_frozen() {
    const Conjunctions transitions(template_of(kTransitionLines), "t", TransitionContext::atoms());
    const TransitionOutputs outputs(some_relations(2), true);
    for (const size_t width : {size_t{1}, size_t{4}})
        check_frozen<TransitionTrainer, WholeTransitionParser>(outputs.width(), transitions, outputs, width);
    const Conjunctions attachments("p0t p1t\np0w\np1w p2t\np0rd p1t\n", "t", EasyFirstContext::atoms());
    const AttachmentOutputs attached{some_relations(2), true};
    check_frozen<EasyFirstTrainer, EasyFirstParser>(attached.width(), attachments, attached);
    const Conjunctions arcs(template_of(kArcLines), "t", ArcFeatures::atoms("b"));
    check_frozen<EisnerTrainer, EisnerParser>(kArcOutputs, arcs, std::optional<Conjunctions>(), true);
}

}  // namespace

int main() {
    test_conjunctions();
    test_arc_features();
    for (const bool single_root : {true, false}) {
        test_transition_training(1, 1, 0, 1, single_root, false);
        test_transition_training(1, 2, 2, 2, single_root, false);
        test_transition_training(2, 1, 0, 2, single_root, true);
        test_transition_training(3, 2, 2, 1, single_root, false);
        test_transition_training(4, 1, 1, 2, single_root, false);
        test_transition_training(4, 3, 1, 2, single_root, true);
        test_eisner_training(1, 1, 0, single_root);
        test_eisner_training(1, 2, 3, single_root);
        test_eisner_training(2, 1, 0, single_root);
        test_eisner_training(2, 2, 3, single_root);
    }
    test_frozen();
    test_16_bits();
    return check::failures();
}
