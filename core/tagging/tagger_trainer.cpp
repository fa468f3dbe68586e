#include "tagging/tagger_trainer.hpp"

namespace sapwood {

TaggerTrainer::TaggerTrainer(size_t label, Extractor extractor, const TaggerOptions& options)
    : trainer_([&] {
          TaggerProblem problem(label, std::move(extractor), options);
          const std::vector<size_t> widths(problem.spec().tables(), 1);  // until all labels are known
          const size_t of_structures = problem.spec().traits().whole ? widths.size() : 0;
          return Trainer<TaggerProblem>(options.training, std::move(problem),
                                        Learner(options.training.learner, widths, of_structures));
      }()) {}

TaggerTrainer::TaggerTrainer(const Columns& data, size_t label, Extractor extractor, const TaggerOptions& options)
    : TaggerTrainer(label, std::move(extractor), options) {
    if (data.tokens() == 0) throw DataError(data.name() + ": there is no sentence to train on");
    add(data);
    finish();
}

void TaggerTrainer::add(const Columns& data) {
    trainer_.change_examples(
        [&](TaggerProblem& problem, Learner& learner, FeatureNames* names) { problem.add(data, learner, names); });
}

void TaggerTrainer::finish() {
    trainer_.change_examples([](TaggerProblem& problem, Learner& learner, FeatureNames*) { problem.finish(learner); });
}

PackedModel TaggerTrainer::freeze(const FreezeOptions& options) const {
    std::vector<uint64_t> widths;
    std::vector<std::vector<uint32_t>> output_of(spec().tables());
    for (size_t t = 0; t < spec().tables(); ++t) {
        widths.push_back(spec().width(t));
        output_of[t].resize(spec().cells(t));
        for (uint32_t output = 0; output < spec().width(t); ++output)
            output_of[t][t == 0 ? output : spec().cell(output)] = output;
    }
    return sapwood::freeze(trainer_.learner(), options, widths, output_of);
}

}  // namespace sapwood
