#include "parsing/easy_first_parser.hpp"

namespace sapwood {

bool EasyFirstTrainer::is_valid(const Tree& gold, uint32_t point, uint32_t output) const {
    const Attachment a = outputs_.attachment(output);
    const uint32_t next = pending_.after(point);
    const uint32_t head = a.side == Side::left ? point : next, modifier = a.side == Side::left ? next : point;
    return missing_[modifier] == 0 && gold.heads[modifier] == head && gold.labels[modifier] == a.label;
}

void EasyFirstTrainer::look(const WeightTable& table, const Words& words, const Tree& gold) {
    rescore(table, words, pending_, [&](uint32_t point, const float* scores) {
        Choice valid, invalid;
        outputs_.each(point, [&](uint32_t output) {
            Choice& best = is_valid(gold, point, output) ? valid : invalid;
            if (best.output == kNone || scores[output] > best.score) best = {output, scores[output]};
        });
        valid_.put(point, valid);
        invalid_.put(point, invalid);
    });
}

size_t EasyFirstTrainer::learn(Learner& learner, const Words& words, const Tree& gold, ParserNames* names) {
    const WeightTable& table = learner.table(0);
    const size_t n = words.size();
    start(words);
    pending_.start(n, outputs_.single_root);
    valid_.reset(n);
    invalid_.reset(n);
    missing_.assign(n + 1, 0);
    for (size_t m = 1; m <= n; ++m) ++missing_[gold.heads[m]];

    size_t mistakes = 0;
    look(table, words, gold);
    while (!pending_.done() && !valid_.agenda.empty()) {
        const auto right = static_cast<uint32_t>(valid_.agenda.top());
        const Choice target = valid_.best[right];
        bool is_update = false;
        if (!invalid_.agenda.empty()) {
            const auto wrong = static_cast<uint32_t>(invalid_.agenda.top());
            const Choice guess = invalid_.best[wrong];
            const float ahead = guess.score + learner.cost() - target.score;
            is_update = ahead >= 0;
            mistakes += guess.score > target.score;
            if (is_update) {
                context_.look(pending_, right, 1);
                features_.intern(learner, context_.values(0), names);
                features_.gold(violation_, target.output);
                context_.look(pending_, wrong, 1);
                features_.intern(learner, context_.values(0), names);
                features_.guess(violation_, guess.output);
                violation_.loss = ahead;
                learner.learn(violation_);
            }
        }
        learner.tick();
        outputs_.apply(pending_, right, target.output);
        --missing_[gold.heads[pending_.gone()[0]]];
        for (uint32_t item : pending_.gone()) {
            valid_.agenda.withdraw(item);
            invalid_.agenda.withdraw(item);
        }
        if (is_update) pending_.change_all();
        look(table, words, gold);
    }
    return mistakes;
}

}  // namespace sapwood
