// How a tagger learns from a sentence: one function a search. Each scores, searches, and hands the learner
// the features of the gold labels and of the guess where they differ.
#include <algorithm>

#include "search/argmax.hpp"
#include "tagging/tagger_trainer.hpp"

namespace sapwood {

namespace {

constexpr size_t kAhead = 3;  // tokens between prefetching weights and adding them

}  // namespace

void TaggerTrainer::score(const uint32_t* features, size_t count, float* scores) {
    const WeightTable& table = learner_.table(0);
    rows_.resize(count);
    for (size_t f = 0; f < count; ++f) rows_[f] = table.scored_row(features[f]);
    table.with_rows([&](const auto& rows) { rows.score(rows_.data(), count, scores); });
}

// One token: score, search (argmax), update. `features` are all its features, labels beside it included.
// Returns the label that the weights would have given, before any cost and any update.
Label TaggerTrainer::decide(size_t token, const uint32_t* features, size_t count) {
    score(features, count, scores_.data());
    const Label gold = gold_[token], plain = argmax(scores_.data(), spec_.labels.size());
    Label guess = plain;
    if (const float cost = learner_.cost(); cost > 0) {
        add_cost(scores_.data(), spec_.labels.size(), gold, cost);
        guess = argmax(scores_.data(), spec_.labels.size());
    }
    if (guess != gold) {
        epochs_.count_mistakes(1);
        for (size_t f = 0; f < count; ++f) {
            violation_.gold(0, features[f], gold);
            violation_.guess(0, features[f], guess);
        }
        violation_.loss = scores_[guess] - scores_[gold];
        learner_.learn(violation_);
    }
    learner_.tick();
    return plain;
}

void TaggerTrainer::learn_tokens(size_t begin, size_t end) {
    const WeightTable& table = learner_.table(0);
    const size_t F = encoded_[0].lines;
    const auto prefetch = [&](const auto& rows) {
        return [&](size_t token) {
            const uint32_t* features = encoded_[0].at(token);
            for (size_t f = 0; f < F; ++f) rows.prefetch(table.scored_row(features[f]));
        };
    };
    table.with_rows([&](const auto& rows) {
        for (size_t t = begin; t < std::min(begin + kAhead, end); ++t) prefetch(rows)(t);
        for (size_t t = begin; t < end; ++t) {
            if (t + kAhead < end) prefetch(rows)(t + kAhead);
            decide(t, encoded_[0].at(t), F);
        }
    });
}

// Writes the features of a token among the labels beside it.
void TaggerTrainer::join_labels(size_t token, const LabelContext<Label>& context, uint32_t* features) {
    const size_t F = encoded_[0].lines, H = extractor_.label_lines();
    joined_.resize(H);
    extractor_.join_labels(label_keys_.data() + token * H, hashes(context), joined_.data());
    features = std::copy_n(encoded_[0].at(token), F, features);
    const uint64_t* key = joined_.data();
    for (unsigned group = 1; group < kLineGroups; ++group)
        for (size_t line = 0; line < extractor_.lines(group); ++line, ++key, ++features) {
            *features = learner_.table(0).intern(*key);
            if (*features > first_origin_ + origins_.size())
                origins_.push_back({*key, token, line, group, context});
        }
}

void TaggerTrainer::learn_own_history(size_t begin, size_t end) {
    const Label start = boundary_label(spec_.labels.size());
    LabelContext<Label> context = {start, start, start, start};
    features_.resize(encoded_[0].lines + extractor_.label_lines());
    for (size_t t = begin; t < end; ++t) {
        join_labels(t, context, features_.data());
        const Label guess = decide(t, features_.data(), features_.size());
        context.l2 = context.l1;
        context.l1 = guess;
    }
}

// Guided learning (Shen, Satta & Joshi 2007): if the best label of the token whose turn it is is wrong, that
// is an update, towards that token's gold label, and no later decision rests on a wrong one. The paper then
// asks again until the best action of all is right. Here the token is given its gold label and has had its
// turn: asking again would count a feature several times for one token, which is not what `min_updates`
// means, and need not end (two tokens may be alike in all but their labels); in our trials both learn
// equally well. The order is what the weights alone give: with a cost the least certain would come first.
void TaggerTrainer::learn_easiest_first(size_t begin, size_t end) {
    const size_t F = encoded_[0].lines + extractor_.label_lines();
    features_.resize((end - begin) * F);
    const auto features = [&](size_t i) { return features_.data() + i * F; };
    const auto score_again = [&](size_t i, Label, Label, Label, Label, float* scores) {
        score(features(i), F, scores);
    };
    const auto score_beside = [&](size_t i, Label l2, Label l1, Label r1, Label r2, float* scores) {
        join_labels(begin + i, {l2, l1, r1, r2}, features(i));
        score(features(i), F, scores);
    };
    easiest_.start(end - begin, spec_.labels.size(), score_beside);
    while (!easiest_.done()) {
        const size_t i = easiest_.easiest();
        const uint64_t updates = learner_.updates();
        decide(begin + i, features(i), F);
        easiest_.give(i, gold_[begin + i], score_beside);
        if (learner_.updates() != updates) easiest_.rescore(score_again);
    }
}

void TaggerTrainer::fill_transitions(unsigned reach, size_t begin, size_t end) {
    Transitions<float>& transitions = reach == 1 ? lattice_.bigram : lattice_.trigram;
    const WeightTable& table = learner_.table(reach);
    const Encoded& encoded = encoded_[reach];
    table.with_rows([&](const auto& rows) {
        if (base_updates_ != learner_.updates()) {
            transitions.base.assign(spec_.cells(reach), 0.0f);
            for (size_t f = 0; f < encoded.lines; ++f) {
                if (extractor_.varies(reach, f)) continue;
                const uint32_t row = table.scored_row(encoded.at(begin)[f]);
                rows.each(row, [&](uint32_t cell, float w, double) { transitions.base[cell] += w; });
            }
        }
        transitions.extras.clear();
        transitions.first.assign(1, 0);
        for (size_t t = begin; t < end; ++t) {
            for (size_t f = 0; f < encoded.lines; ++f) {
                if (!extractor_.varies(reach, f)) continue;
                const uint32_t row = table.scored_row(encoded.at(t)[f]);
                if (row != 0)
                    rows.each(row, [&](uint32_t cell, float w, double) {
                        transitions.extras.push_back({cell, w});
                    });
            }
            transitions.first.push_back(transitions.extras.size());
        }
    });
}

void TaggerTrainer::fill_lattice(size_t begin, size_t end) {
    const size_t n = end - begin, F = encoded_[0].lines;
    const WeightTable& table = learner_.table(0);
    lattice_.resize(n, spec_.labels.size());
    rows_.resize(n * F);
    table.with_rows([&](const auto& rows) {
        const uint32_t* features = encoded_[0].at(begin);
        for (size_t k = 0; k < n * F; ++k) {
            rows_[k] = table.scored_row(features[k]);
            rows.prefetch(rows_[k]);
        }
        for (size_t i = 0; i < n; ++i)
            rows.score(rows_.data() + i * F, F, lattice_.emission.data() + i * lattice_.stride);
    });
    for (unsigned reach = 1; reach <= spec_.order; ++reach) fill_transitions(reach, begin, end);
    base_updates_ = learner_.updates();
    if (const float cost = learner_.cost(); cost > 0)
        for (size_t i = 0; i < n; ++i)
            add_cost(lattice_.emission.data() + i * lattice_.stride, lattice_.labels, gold_[begin + i], cost);
}

float TaggerTrainer::path_score(const std::vector<Label>& path) {
    float score = 0;
    Label h = boundary_label(lattice_.labels), g = h;
    for (size_t i = 0; i < lattice_.n; ++i) {
        score += lattice_.emission[i * lattice_.stride + path[i]] +
                 lattice_.bigram.at(i)[spec_.bigram_cell(g, path[i])];
        if (spec_.order == 2) score += lattice_.trigram.at(i)[spec_.trigram_cell(h, g, path[i])];
        h = g;
        g = path[i];
    }
    return score;
}

// One sentence: score, search (Viterbi), update by the positions and label n-grams that differ.
void TaggerTrainer::learn_sentence(size_t begin, size_t end) {
    fill_lattice(begin, end);
    viterbi_.best(lattice_, spec_.order, path_);
    gold_path_.assign(gold_.begin() + static_cast<ptrdiff_t>(begin),
                      gold_.begin() + static_cast<ptrdiff_t>(end));
    if (path_ != gold_path_) {
        const Label start = boundary_label(lattice_.labels);
        const auto label = [&](const std::vector<Label>& path, size_t i, size_t back) {
            return i >= back ? path[i - back] : start;
        };
        for (size_t i = 0; i < path_.size(); ++i) {
            const bool here = path_[i] != gold_path_[i];
            const bool one = here || label(path_, i, 1) != label(gold_path_, i, 1);
            const bool two = one || label(path_, i, 2) != label(gold_path_, i, 2);
            epochs_.count_mistakes(here);
            const auto violate = [&](uint32_t table, uint32_t gold, uint32_t guess) {
                const uint32_t* features = encoded_[table].at(begin + i);
                for (size_t f = 0; f < encoded_[table].lines; ++f) {
                    violation_.gold(table, features[f], gold);
                    violation_.guess(table, features[f], guess);
                }
            };
            const auto bigram = [&](const std::vector<Label>& path) {
                return spec_.bigram_cell(label(path, i, 1), path[i]);
            };
            const auto trigram = [&](const std::vector<Label>& path) {
                return spec_.trigram_cell(label(path, i, 2), label(path, i, 1), path[i]);
            };
            if (here) violate(0, gold_path_[i], path_[i]);
            if (one) violate(1, bigram(gold_path_), bigram(path_));
            if (two && spec_.order == 2) violate(2, trigram(gold_path_), trigram(path_));
        }
        if (options_.learner.update == Update::passive_aggressive)
            violation_.loss = path_score(path_) - path_score(gold_path_);
        learner_.learn(violation_);
    }
    learner_.tick();
}

}  // namespace sapwood
