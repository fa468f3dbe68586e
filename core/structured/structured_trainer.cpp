#include "structured/structured_trainer.hpp"

#include <algorithm>
#include <iterator>

#include "base/aligned.hpp"
#include "base/errors.hpp"

namespace sapwood {

namespace {

// The decision about an example, as the learner sees it. The search added the costs itself.
class PresentedStructure {
  public:
    PresentedStructure(std::optional<WrongStructure> found, const PartFeatures& parts, Learner& learner,
                       FeatureNames* names)
        : found_(std::move(found)), parts_(parts), learner_(learner), names_(names) {
        if (!found_) return;
        auto& [gold, guess, loss] = *found_;
        std::ranges::sort(gold);
        std::ranges::sort(guess);
        std::ranges::set_difference(gold, guess, std::back_inserter(missing_));
        std::ranges::set_difference(guess, gold, std::back_inserter(wrong_));
        if (std::max(gold.empty() ? 0 : gold.back() + 1, guess.empty() ? 0 : guess.back() + 1) > parts.size())
            throw DataError("a structure has a part that was not scored");
    }

    bool search(float) const { return !missing_.empty() || !wrong_.empty(); }
    size_t mistakes() const { return std::max(missing_.size(), wrong_.size()); }
    double loss() const { return found_->loss; }
    // In ascending order of the features, as the learner wants them in the end.
    void differ(Violation& violation) {
        const size_t of_gold = number();
        const auto gold = features_.begin(), guess = gold + static_cast<ptrdiff_t>(of_gold);
        std::sort(gold, guess);
        std::sort(guess, features_.end());
        for (auto a = gold, b = guess; a != guess || b != features_.end();) {
            if (b == features_.end() || (a != guess && *a < *b))
                violation.gold(0, *a++, 0);
            else if (a == guess || *b < *a)
                violation.guess(0, *b++, 0);
            else
                ++a, ++b;  // both have it
        }
    }

  private:
    // Numbers the features of the parts by which the structures differ; returns how many are gold's, which come first.
    size_t number() {
        size_t of_gold = 0;
        for (const auto* parts : {&missing_, &wrong_}) {
            for (const uint32_t part : *parts) std::ranges::copy(parts_.of(part), std::back_inserter(keys_));
            if (parts == &missing_) of_gold = keys_.size();
        }
        features_.resize(keys_.size());
        learner_.intern(0, keys_.data(), keys_.size(), features_.data());
        if (names_ == nullptr) return of_gold;
        size_t k = 0;
        for (const auto* parts : {&missing_, &wrong_})
            for (const uint32_t part : *parts)
                for (size_t at = parts_.begin(part); at < parts_.begin(part) + parts_.count(part); ++at)
                    names_->add(0, features_[k++], [&] { return parts_.texts()[at]; });
        return of_gold;
    }

    std::optional<WrongStructure> found_;
    const PartFeatures& parts_;
    Learner& learner_;
    FeatureNames* names_;
    std::vector<uint32_t> missing_, wrong_;  // parts of gold that guess lacks, and of guess that gold lacks
    std::vector<uint64_t> keys_;             // of the features of both
    std::vector<uint32_t> features_;         // their numbers
};

}  // namespace

void StructuredProblem::begin(const Learner&) const {
    if (sizes_.empty()) throw DataError("there is no example to learn from");
}

size_t StructuredProblem::present(size_t example, Learner& learner, FeatureNames* names) {
    parts_->forget(0);
    learner.present(PresentedStructure(search_(example), *parts_, learner, names));
    return sizes_[example];
}

double StructuredTrainer::score(size_t part) {
    const WeightTable& table = trainer_.learner().table(0);
    const std::span<const uint64_t> keys = parts().of(part);
    rows_.resize(keys.size());
    table.find_rows(keys.data(), keys.size(), rows_.data());
    float score[kLanes];
    table.score(rows_.data(), keys.size(), score);
    return static_cast<double>(score[0]);
}

}  // namespace sapwood
