// What would change a decision about a tree: the fewest features without which the parser decides otherwise about the word.
// Other decisions may depend on the same features, so each set of features is tried by parsing the sentence without it.
//
// First all sets of one feature are tried, then all of two, and so on, while few words have to be parsed for that. Beyond,
// the features that put the compared answer ahead are removed; if the decision stays, the features that would change it
// then are removed, too, and so on. In the end, features that turn out not to be needed are put back. Of the set that is
// left, putting back any single feature would undo the change, but there may be smaller sets.
#pragma once
#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "parsing/sentence_explainer.hpp"

namespace sapwood {

class ParseFlip {
  public:
    ParseFlip(const Parser& parser, const OutputNames& outputs, const Question& question)
        : explainer_(make_sentence_explainer(parser)),
          of_word_{.token = question.token},
          choice_of_word_{.token = question.token, .only_choices = true},
          asked_(parser.spec(), outputs, question),
          plain_(parser.spec(), outputs, of_word_),
          choice_(parser.spec(), outputs, choice_of_word_),
          whole_(parser.spec(), outputs, of_all_) {}

    // The words begin..end - 1 of some data, as ExplainedSentence takes them.
    template <class Cell>
    void read(size_t begin, size_t end, Cell&& cell) {
        for (ExplainedSentence* sentence : {&asked_, &plain_, &choice_, &whole_}) sentence->read(begin, end, cell);
    }

    // Sets the flip of an explanation to one that was searched, or to none if none is found.
    void search(Explanation& explanation) {
        if (!explanation.against) return;
        explained_ = &explanation;
        words_ = 0;
        std::optional<Flip> flip;
        const size_t tried = try_all(flip);
        if (!flip && explanation.flip) {
            flip = try_farther(std::move(*explanation.flip));
            if (flip) put_back(*flip);
            if (flip) flip->is_fewest = flip->ids.size() <= tried + 1;
        }
        if (flip) flip->is_searched = true;
        explanation.flip = std::move(flip);
    }

  private:
    using Ids = std::vector<FeatureId>;

    // Tries all sets of one feature, of two, and so on, until one changes the decision. Returns the size up to which all sets
    // were tried.
    size_t try_all(std::optional<Flip>& flip) {
        if (words() > kMostWords) return 0;
        const auto [ids, texts] = features();
        for (size_t size = 1; size <= ids.size(); ++size) {
            const double more = sets(ids.size(), size) * static_cast<double>(words());
            if (static_cast<double>(words_) + more > static_cast<double>(kMostWords)) return size - 1;
            std::vector<size_t> set(size);
            std::iota(set.begin(), set.end(), size_t{0});
            do {
                Ids gone;
                for (const size_t k : set) gone.push_back(ids[k]);
                if (auto to = other(gone)) {
                    flip = Flip{std::move(*to), {}, std::move(gone), false, true};
                    for (const size_t k : set) flip->features.push_back(texts[k]);
                    return size;
                }
            } while (next(set, ids.size()));
        }
        return ids.size();
    }

    // The features that tell the decisions about the sentence from their rivals, those of the explained one first.
    std::pair<Ids, std::vector<std::string>> features() {
        std::pair<Ids, std::vector<std::string>> found;
        std::set<FeatureId> seen;
        const auto add = [&](const Explanation& explanation) {
            for (size_t k = 0; k < explanation.ids.size(); ++k)
                if (seen.insert(explanation.ids[k]).second) {
                    found.first.push_back(explanation.ids[k]);
                    found.second.push_back(explanation.features[k]);
                }
        };
        add(*explained_);
        explain(whole_, {}, add);
        return found;
    }

    static double sets(size_t n, size_t size) {
        double count = 1;
        for (size_t k = 0; k < size; ++k) count *= static_cast<double>(n - k) / static_cast<double>(k + 1);
        return count;
    }

    // The next set of indices below n in lexicographic order. False if there is none.
    static bool next(std::vector<size_t>& set, size_t n) {
        for (size_t k = set.size(); k-- > 0;)
            if (set[k] + (set.size() - k) < n) {
                std::iota(set.begin() + static_cast<ptrdiff_t>(k), set.end(), set[k] + 1);
                return true;
            }
        return false;
    }

    // Removes more and more features until the decision changes. Empty if it does not.
    std::optional<Flip> try_farther(Flip flip) {
        for (int round = 0; round < kMostRounds; ++round) {
            if (auto to = other(flip.ids)) {
                flip.to = std::move(*to);
                return flip;
            }
            std::optional<Flip> more;
            const ExplainedSentence& sentence = asked_.question().flip_to_against ? asked_ : plain_;
            explain(sentence, flip.ids, [&](Explanation& now) {
                if (now.decision == explained_->decision) more = std::move(now.flip);
            });
            if (!more) return std::nullopt;
            std::ranges::move(more->ids, std::back_inserter(flip.ids));
            std::ranges::move(more->features, std::back_inserter(flip.features));
        }
        return std::nullopt;
    }

    void put_back(Flip& flip) {
        for (size_t k = 0; flip.ids.size() > 1 && k < flip.ids.size() && words_ < 2 * kMostWords;) {
            Ids fewer = flip.ids;
            fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(k));
            auto to = other(fewer);
            if (!to) {
                ++k;
                continue;
            }
            flip.ids = std::move(fewer);
            flip.features.erase(flip.features.begin() + static_cast<ptrdiff_t>(k));
            flip.to = std::move(*to);
            k = 0;
        }
    }

    // Returns the decision about the word without the features `gone`, if it differs from the explained one; if the question
    // is against an answer, only if it is this answer.
    std::optional<std::string> other(const Ids& gone) {
        std::optional<std::string> found;
        explain(choice_, gone, [&](const Explanation& now) {
            if (now.decision != explained_->decision) return;
            const bool is_other =
                asked_.question().flip_to_against ? asked_.is_asked(now.chosen) : now.chosen != explained_->chosen;
            if (is_other) found = now.chosen;
        });
        return found;
    }

    void explain(const ExplainedSentence& sentence, const Ids& gone, const TakeExplanation& take) {
        explainer_->leave_out(gone);
        words_ += words();
        explainer_->explain(sentence, take);
    }

    size_t words() const { return whole_.words().size(); }

    static constexpr size_t kMostWords = 16'384;  // parsed to try all sets, and as many to put features back
    static constexpr int kMostRounds = 16;        // in which features are removed

    std::unique_ptr<SentenceExplainer> explainer_;
    Question of_all_, of_word_, choice_of_word_;
    ExplainedSentence asked_, plain_, choice_, whole_;
    const Explanation* explained_ = nullptr;
    size_t words_ = 0;  // parsed for this explanation
};

}  // namespace sapwood
