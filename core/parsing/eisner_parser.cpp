#include "parsing/eisner_parser.hpp"

namespace sapwood {

namespace {

// For each word the child of the same head before it, counted from the head outwards on its side; the boundary
// n + 1 for the first.
std::vector<uint32_t> inner_siblings(const Tree& tree) {
    const auto n = static_cast<uint32_t>(tree.words());
    std::vector<uint32_t> inner(n + 1), last(n + 1, n + 1);
    const auto visit = [&](uint32_t m) {
        inner[m] = last[tree.heads[m]];
        last[tree.heads[m]] = m;
    };
    for (uint32_t m = 1; m <= n; ++m)
        if (tree.heads[m] < m) visit(m);
    last.assign(n + 1, n + 1);
    for (uint32_t m = n; m >= 1; --m)
        if (tree.heads[m] > m) visit(m);
    return inner;
}

size_t wrong_heads(const Tree& gold, const Tree& guess) {
    size_t wrong = 0;
    for (size_t m = 1; m <= gold.words(); ++m) wrong += guess.heads[m] != gold.heads[m];
    return wrong;
}

}  // namespace

size_t EisnerTrainer::learn(Learner& learner, const Words& words, const Tree& gold, ParserNames* names) {
    const size_t n = words.size(), row = n + 1;
    score_arcs(learner.table(0), words);
    if (candidates_ > 1) return learn_k_best(learner, words, gold, names);
    if (learner.cost() > 0)
        for (size_t h = 0; h <= n; ++h)
            for (size_t m = 1; m <= n; ++m)
                if (gold.heads[m] != h) arc_[h * row + m] += learner.cost();
    const double score = search(learner.all_tables(), words, guess_);
    const size_t mistakes = wrong_heads(gold, guess_);
    if (mistakes > 0) {
        if (learner.needs_loss()) violation_.loss = score - gold_score(learner, words, gold);
        add_difference(learner, words, gold, guess_, violation_, names);
        learner.learn(violation_);
    }
    learner.tick();
    return mistakes;
}

// The k best trees of the weights as they are, each to be beaten by gamma for every wrong head.
size_t EisnerTrainer::learn_k_best(Learner& learner, const Words& words, const Tree& gold,
                                   ParserNames* names) {
    first_.n_best(arc_.data(), words.size(), single_root_, candidates_, trees_, scores_);
    const double gold_score = tree_score(arc_.data(), gold);
    violations_.clear();
    for (size_t k = 0; k < trees_.size(); ++k) {
        const size_t mistakes = wrong_heads(gold, trees_[k]);
        if (mistakes == 0) continue;
        Violation& violation = violations_.emplace_back();
        violation.loss =
            static_cast<double>(learner.cost()) * static_cast<double>(mistakes) + scores_[k] - gold_score;
        add_difference(learner, words, gold, trees_[k], violation, names);
    }
    learner.learn(violations_);
    learner.tick();
    return wrong_heads(gold, trees_[0]);
}

double EisnerTrainer::gold_score(Learner& learner, const Words& words, const Tree& gold) {
    if (!siblings_) return tree_score(arc_.data(), gold);
    return tree_score(
        arc_.data(),
        [&](size_t h, size_t m, float* out) { score_siblings(learner.table(1), h, m, words.size(), out); },
        gold);
}

void EisnerTrainer::add_difference(Learner& learner, const Words& words, const Tree& gold, const Tree& guess,
                                   Violation& violation, ParserNames* names) {
    add_parts(learner, words, gold, guess, true, violation, names);
    add_parts(learner, words, guess, gold, false, violation, names);
}

void EisnerTrainer::add_parts(Learner& learner, const Words& words, const Tree& tree, const Tree& other,
                              bool gold, Violation& violation, ParserNames* names) {
    const std::vector<uint32_t> siblings = inner_siblings(tree), other_siblings = inner_siblings(other);
    for (uint32_t m = 1; m <= tree.words(); ++m) {
        const uint32_t h = tree.heads[m], s = siblings[m];
        const bool same = h == other.heads[m];
        if (!same) {
            keys_.resize(std::max(keys_.size(), arcs_.lines() * (words.size() + 4)));
            size_t count = arcs_.head_keys(h, keys_.data());
            count += arcs_.modifier_keys(m, keys_.data() + count);
            count += arcs_.arc_keys(h, m, keys_.data() + count);
            count += arcs_.between_keys(h, m, keys_.data() + count);
            add_keys(learner, 0, count, distance_output(h, m), gold, violation);
            if (names != nullptr) name_arcs(*names, learner, words, h, m, count);
        }
        if (siblings_ && !(same && s == other_siblings[m])) {
            const size_t count = siblings_->triple_keys(h, s, m, keys_.data());
            add_keys(learner, 1, count, distance_output(s > tree.words() ? h : s, m), gold, violation);
            for (size_t k = 0; names != nullptr && k < count; ++k)
                names->add(1, learner.table(1).find(keys_[k]),
                           [&] { return siblings_->text(keys_[k], words, h, s, m, names->text_of()); });
        }
    }
}

void EisnerTrainer::add_keys(Learner& learner, uint32_t table, size_t count, uint32_t output, bool gold,
                             Violation& violation) {
    learner.table(table).prefetch_keys(keys_.data(), count);
    for (size_t k = 0; k < count; ++k) {
        const uint32_t feature = learner.table(table).intern(keys_[k]);
        for (uint32_t y : {0u, output})
            gold ? violation.gold(table, feature, y) : violation.guess(table, feature, y);
    }
}

// A key between two words is tried with each of them until its text is found.
void EisnerTrainer::name_arcs(ParserNames& names, Learner& learner, const Words& words, size_t h, size_t m,
                              size_t count) {
    for (size_t k = 0; k < count; ++k)
        names.add(0, learner.table(0).find(keys_[k]), [&] {
            std::string text;
            for (size_t b = std::min(h, m); text.empty() && b < std::max(h, m); ++b)
                text = arcs_.text(keys_[k], words, h, b, m, names.text_of());
            return text;
        });
}

}  // namespace sapwood
