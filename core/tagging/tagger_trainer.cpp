#include "tagging/tagger_trainer.hpp"

namespace sapwood {

namespace {

Trainer<TaggerProblem> prepare(const Columns& data, size_t label, Extractor extractor, const TaggerOptions& options) {
    TaggerProblem problem(data, label, std::move(extractor), options);
    std::vector<size_t> widths;
    for (size_t t = 0; t < problem.spec().tables(); ++t) widths.push_back(problem.spec().cells(t));
    Trainer<TaggerProblem> trainer(options.training, std::move(problem), Learner(options.training.learner, widths));
    trainer.change_examples(
        [&](TaggerProblem& examples, Learner& learner, FeatureNames* names) { examples.encode(data, learner, names); });
    return trainer;
}

}  // namespace

TaggerTrainer::TaggerTrainer(const Columns& data, size_t label, Extractor extractor, const TaggerOptions& options)
    : trainer_(prepare(data, label, std::move(extractor), options)) {}

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
