// A sentence with its gold tree, presented to the trainer of a parser's search.
#pragma once
#include "naive_sentence.hpp"
#include "parsing/decision_features.hpp"

// Returns the mistakes of the training search.
template <class Trainer>
size_t present(Trainer& trainer, sapwood::Learner& learner, const NaiveSentence& s,
               const sapwood::Spelling* spelling = nullptr) {
    const uint64_t before = learner.mistakes();
    const sapwood::Words words = read(s);
    const sapwood::Tree gold{s.heads, s.labels};
    trainer.present({learner, words, gold, spelling});
    return static_cast<size_t>(learner.mistakes() - before);
}
