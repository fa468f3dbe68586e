#include "structured/structured_trainer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

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
        entries_.clear();
        for (size_t k = 0; k < features_.size(); ++k) entries_.push_back(uint64_t{features_[k]} << 1 | (k >= of_gold));
        sort_entries();
        for (size_t k = 0; k < entries_.size();) {
            const uint64_t feature = entries_[k] >> 1;
            float value = 0;
            for (; k < entries_.size() && entries_[k] >> 1 == feature; ++k)
                value += (entries_[k] & 1) == 0 ? 1.0f : -1.0f;
            if (value != 0) violation.gold(0, static_cast<uint32_t>(feature), 0, value);
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

    // Sorts by feature: radix sort from the lowest byte on, or comparisons where there are few.
    void sort_entries() {
        if (entries_.size() < 32) return std::sort(entries_.begin(), entries_.end());
        uint64_t bits = 0;
        for (const uint64_t entry : entries_) bits |= entry;
        std::vector<uint64_t>& sorted = keys_;  // which are not needed any more
        for (unsigned shift = 1; bits >> shift != 0; shift += 8) {
            uint32_t next[256] = {}, before = 0;
            for (const uint64_t entry : entries_) ++next[entry >> shift & 255];
            for (uint32_t& place : next) before += std::exchange(place, before);
            for (const uint64_t entry : entries_) sorted[next[entry >> shift & 255]++] = entry;
            entries_.swap(sorted);
        }
    }

    std::optional<WrongStructure> found_;
    const PartFeatures& parts_;
    Learner& learner_;
    FeatureNames* names_;
    std::vector<uint32_t> missing_, wrong_;  // parts of gold that guess lacks, and of guess that gold lacks
    std::vector<uint64_t> keys_;             // of the features of both
    std::vector<uint32_t> features_;         // their numbers
    std::vector<uint64_t> entries_;          // each 2 * number, and 1 more if it is one of the guess
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
