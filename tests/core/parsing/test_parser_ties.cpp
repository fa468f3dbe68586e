// Ties in parsers' training. Where a search ranks all structures together the lowest number wins, so gold loses only to
// what is below it; where it ranks right and wrong choices apart, a wrong one that ties wins. At the start all weights
// are 0, so everything ties.
#include "check.hpp"
#include "model/frozen_table.hpp"
#include "parsing/arc_labeller.hpp"
#include "parsing/easy_first_parser.hpp"
#include "parsing/eisner_parser.hpp"
#include "parsing/transition_parser.hpp"
#include "presented.hpp"

using namespace sapwood;

namespace {

static_assert(ScoringTable<WeightTable> && ScoringTable<FrozenTable<int8_t>> && ScoringTable<FrozenTable<float>>);

constexpr LearnerOptions kPerceptron{Update::perceptron, 0, 1, true};
constexpr LearnerOptions kMargin{Update::margin, 1, 1, true};

NaiveSentence sentence(const std::vector<uint32_t>& heads, const std::vector<uint32_t>& labels) {
    const size_t n = heads.size();
    NaiveSentence s{std::vector<std::string>(n, "N0"), std::vector<std::string>(n, "N"), {0}, {0}};
    s.heads.insert(s.heads.end(), heads.begin(), heads.end());
    s.labels.insert(s.labels.end(), labels.begin(), labels.end());
    return s;
}

// What one presented sentence did to the learner.
struct Outcome {
    size_t mistakes;
    uint64_t updates, clock;
    bool operator==(const Outcome&) const = default;
};

template <class Trainer>
Outcome outcome(Trainer trainer, const std::vector<size_t>& widths, const LearnerOptions& options,
                const NaiveSentence& s) {
    Learner learner(options, widths);
    const size_t mistakes = present(trainer, learner, s);
    return {mistakes, learner.updates(), learner.clock()};
}

// One word below the root, with the first of two labels and with the second.
void test_transitions() {
    const Conjunctions lines("S0t\nN0t\n", "t", TransitionContext::atoms());
    const TransitionOutputs outputs(some_relations(2), true);
    const NaiveSentence first = sentence({0}, {0}), second = sentence({0}, {1});
    for (const size_t beam : {size_t{1}, size_t{2}, size_t{8}}) {
        const TransitionTrainer trainer(lines, outputs, beam);
        const uint64_t clock = beam == 1 ? 2 : 1;  // once a transition, or once a sentence
        const std::vector<size_t> widths = {outputs.width()};
        const bool apart = beam == 1;
        CHECK(outcome(trainer, widths, kPerceptron, first) == (Outcome{apart, apart, clock}));
        CHECK(outcome(trainer, widths, kPerceptron, second) == (Outcome{1, 1, clock}));
        CHECK(outcome(trainer, widths, kMargin, first) == (Outcome{1, 1, clock}));
    }
}

void test_easy_first() {
    const Conjunctions lines("p0t\np1t\n", "t", EasyFirstContext::atoms());
    const AttachmentOutputs two{some_relations(2), true}, one{some_relations(1), true};
    for (const LearnerOptions& options : {kPerceptron, kMargin})
        for (const uint32_t label : {0u, 1u})
            CHECK(outcome(EasyFirstTrainer(lines, two), {4}, options, sentence({0}, {label})) == (Outcome{1, 1, 1}));
    // There is no wrong attachment of the only word if there is one label.
    CHECK(outcome(EasyFirstTrainer(lines, one), {2}, kMargin, sentence({0}, {0})) == (Outcome{0, 0, 1}));
}

void test_labeller() {
    const Conjunctions lines("mt\n", "t", ArcLabelContext::atoms());
    const ArcLabeller labeller(lines, some_relations(2), 0);
    CHECK(outcome(labeller, {2}, kPerceptron, sentence({0}, {0})) == (Outcome{0, 0, 0}));
    CHECK(outcome(labeller, {2}, kPerceptron, sentence({0}, {1})) == (Outcome{1, 1, 0}));
    CHECK(outcome(labeller, {2}, kMargin, sentence({0}, {0})) == (Outcome{1, 1, 0}));
}

// Of two words, the search finds the tree in which the first one is below the root.
void test_eisner() {
    const Conjunctions arcs("mt\n", "t", ArcFeatures::atoms("b")), pairs("st mt\n", "t", ArcFeatures::atoms("s"));
    const NaiveSentence found = sentence({0, 1}, {0, 0}), other = sentence({2, 0}, {0, 0});
    for (const unsigned order : {1u, 2u}) {
        const std::optional<Conjunctions> siblings = order == 2 ? std::optional(pairs) : std::nullopt;
        const std::vector<size_t> widths(order, kArcOutputs);
        const EisnerTrainer trainer(arcs, siblings, true);
        CHECK(outcome(trainer, widths, kPerceptron, found) == (Outcome{0, 0, 1}));
        CHECK(outcome(trainer, widths, kPerceptron, other) == (Outcome{2, 1, 1}));
        CHECK(outcome(trainer, widths, kMargin, found) == (Outcome{2, 1, 1}));
    }
    // k-best MIRA. Where the costs are 0, trees that tie have no loss, so that there is nothing to update.
    EisnerTrainer best(arcs, std::nullopt, true);
    best.learn_from_best(2);
    const LearnerOptions mira{Update::passive_aggressive, 1, 1, true}, free{Update::passive_aggressive, 0, 1, true};
    for (const NaiveSentence& s : {found, other}) CHECK(outcome(best, {kArcOutputs}, mira, s) == (Outcome{2, 1, 1}));
    CHECK(outcome(best, {kArcOutputs}, free, found) == (Outcome{0, 0, 1}));
    CHECK(outcome(best, {kArcOutputs}, free, other) == (Outcome{2, 0, 1}));
}

}  // namespace

int main() {
    test_transitions();
    test_easy_first();
    test_labeller();
    test_eisner();
    return check::failures();
}
