#include "parsing/easy_first_parser.hpp"

namespace sapwood {

bool EasyFirstTrainer::is_valid(const Tree& gold, uint32_t point, uint32_t output) const {
    const Attachment a = outputs_.attachment(output);
    const uint32_t next = pending_.after(point);
    const uint32_t head = a.side == Side::left ? point : next, modifier = a.side == Side::left ? next : point;
    return missing_[modifier] == 0 && gold.heads[modifier] == head && gold.labels[modifier] == a.label;
}

void EasyFirstTrainer::look(const ParsingExample& example) {
    rescore(example.learner.table(0), example.words, pending_, [&](uint32_t point, const float* scores) {
        std::optional<Choice> valid, invalid;
        outputs_.each(point, [&](uint32_t output) {
            std::optional<Choice>& best = is_valid(example.gold, point, output) ? valid : invalid;
            if (!best || scores[output] > best->score) best = Choice{point, output, scores[output]};
        });
        valid_.put(point, valid);
        invalid_.put(point, invalid);
    });
}

void EasyFirstTrainer::present(const ParsingExample& example) {
    const Tree& gold = example.gold;
    const size_t n = example.words.size();
    start(example.words);
    pending_.start(n, outputs_.single_root);
    valid_.start(n);
    invalid_.start(n);
    missing_.assign(n + 1, 0);
    for (size_t m = 1; m <= n; ++m) ++missing_[gold.heads[m]];

    const auto differ = [&](Violation& violation, const Choice& right, const Choice& wrong) {
        context_.look(pending_, right.place, 1);
        features_.intern(example, context_.values(0));
        features_.gold(violation, right.output);
        context_.look(pending_, wrong.place, 1);
        features_.intern(example, context_.values(0));
        features_.guess(violation, wrong.output);
    };
    look(example);
    while (!pending_.done()) {
        std::optional<Choice> right = valid_.best();
        if (!right) break;
        Presented presented = example.learner.present(Duel{*right, invalid_.best(), differ});
        for (size_t times = 1; example.learner.again(presented, times); ++times) {
            pending_.change_all();
            look(example);
            right = valid_.best();
            presented = example.learner.present(Duel{*right, invalid_.best(), differ}, {.repeated = true});
        }
        outputs_.apply(pending_, right->place, right->output);
        --missing_[gold.heads[pending_.gone()[0]]];
        for (uint32_t item : pending_.gone()) {
            valid_.withdraw(item);
            invalid_.withdraw(item);
        }
        if (presented.step > 0) pending_.change_all();  // all scores may be new
        look(example);
    }
}

}  // namespace sapwood
