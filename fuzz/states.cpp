// States of training, as checkpoints have them: what is read goes on learning, and ends in a model that is valid.

#include "base/errors.hpp"
#include "classifying/classifier_trainer.hpp"
#include "features/feature_rows.hpp"
#include "model/freeze_options.hpp"
#include "ranking/ranker_trainer.hpp"
#include "records.hpp"
#include "small_models.hpp"
#include "target.hpp"

namespace sapwood::fuzz::states {
namespace {

// An array's record is named by its type and its name: "F32 learner.0.weights".
StateReader reader_of(const Records& in) {
    return StateReader([&in](const std::string& name, const char* dtype) -> std::string_view {
        const std::string record = std::string(dtype) + " " + name;
        if (!in.has(record)) throw ModelError("it has no array '" + name + "'");
        return in[record];
    });
}

void check(const PackedModel& model) {
    for (const PackedTable& table : model.tables)
        with_weight_type(model.bits, [&](auto w) { unpack<decltype(w)>(table); });
}

FeatureRows small_rows() {
    FeatureRows rows;
    for (uint64_t row = 0; row < 9; ++row) {
        for (uint64_t k = 0; k < 4; ++k) rows.add(1 + (row * 7 + k * k) % 13, static_cast<float>(1 + k % 2));
        rows.end_row();
    }
    return rows;
}

// The trainers, each with data of its own; `make(f)` calls f with a new one.
struct TaggerMaker {
    Search search;
    template <class F>
    void operator()(F&& f) const {
        static const Columns data = columns_of(kSmallColumns);
        TaggerOptions options;
        options.search = search;
        options.own_history = search == Search::greedy;
        options.training.learner.update = search == Search::argmax ? Update::passive_aggressive : Update::perceptron;
        TaggerTrainer trainer(data, 2, small_extractor(small_template(), {search, 1, {}}), options);
        f(trainer);
    }
};

struct ParserMaker {
    ParserSearch search;
    template <class F>
    void operator()(F&& f) const {
        static const Conllu data = conllu_of(kSmallTreebank);
        ParserSpec spec = small_parser_spec();
        spec.search = search;
        if (search == ParserSearch::eisner) spec.labelling = Labelling::second_stage;
        spec.features = search == ParserSearch::beam         ? kSmallParserTemplate
                        : search == ParserSearch::easy_first ? "[attachments]\np0t p1t\np0w\n"
                                                             : "[arcs]\nhw mw\nht mt bt\n[labels]\nhw mw\n";
        ParserTrainer trainer = parser_trainer(data, spec, {});
        f(trainer);
    }
};

struct ClassifierMaker {
    bool voted = false, l1 = false;
    template <class F>
    void operator()(F&& f) const {
        ClassifierOptions options;
        options.voted = voted;
        if (l1) {
            options.training.learner.update = Update::l1_cumulative;
            options.penalty = 0.01;
            options.eta = 0.5;
        }
        ClassifierTrainer trainer(3, options);
        trainer.add(small_rows(), {0, 1, 2, 0, 1, 2, 0, 1, 2}, {});
        f(trainer);
    }
};

struct RankerMaker {
    template <class F>
    void operator()(F&& f) const {
        RankerTrainer trainer(TrainingOptions{});
        trainer.add(small_rows(), {0, 4, 9}, {1, 0, 0, 2, 0, 3, 1, 0, 0});
        f(trainer);
    }
};

// Calls f(trainer) with the trainer of a number, whose state may be read or written.
template <class F>
void with_trainer(size_t number, F&& f) {
    switch (number % 10) {
        case 0:
            return TaggerMaker{Search::viterbi}(f);
        case 1:
            return TaggerMaker{Search::greedy}(f);
        case 2:
            return TaggerMaker{Search::easiest_first}(f);
        case 3:
            return TaggerMaker{Search::argmax}(f);
        case 4:
            return ParserMaker{ParserSearch::beam}(f);
        case 5:
            return ParserMaker{ParserSearch::easy_first}(f);
        case 6:
            return ParserMaker{ParserSearch::eisner}(f);
        case 7:
            return ClassifierMaker{}(f);
        case 8:
            return ClassifierMaker{true, false}(f);
        default:
            return RankerMaker{}(f);
    }
}

bool run(std::string_view input) {
    const Records in(input);
    const auto trainer = in.number<uint8_t>("trainer");
    bool read = false;
    const auto go_on = [&](auto& t) {
        // Weights may grow infinite, which is an error of the data.
        const bool finite = reads<DataError>("", [&] {
            read = reads<ModelError, OptionError>("", [&] {
                if (in.number<uint8_t>("other_data") != 0)
                    t.go_on_from(reader_of(in));
                else
                    t.state(reader_of(in));
                for (int k = 0; k < 5; ++k) t.step(3);
                check(freeze(t, {8, 0}));
            });
        });
        read &= finite;
    };
    with_trainer(trainer, go_on);
    return read;
}

std::vector<std::string> seeds() {
    std::vector<std::string> all;
    for (uint8_t number = 0; number < 10; ++number)
        with_trainer(number, [&](auto& t) {
            for (int k = 0; k < 4; ++k) t.step(4);
            std::vector<Record> records = {{"trainer", bytes_of(std::vector{number})},
                                           {"other_data", std::string(1, '\0')}};
            t.state(StateWriter([&](const std::string& name, const char* dtype, std::string_view bytes) {
                records.emplace_back(std::string(dtype) + " " + name, bytes);
            }));
            all.push_back(write_records(records));
            records[1].second = "\1";
            all.push_back(write_records(records));
        });
    return all;
}

const Target target("states", run, seeds, Form::records);

}  // namespace
}  // namespace sapwood::fuzz::states
