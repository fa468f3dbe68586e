// What the explanations of a parser's decisions have in common, whatever its search: the sentence, its texts, the names
// of arcs, and the features of a decision's context in a frozen table.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "features/conjunctions.hpp"
#include "features/words.hpp"
#include "model/choice_flip.hpp"
#include "model/explanation.hpp"
#include "parsing/parser_spec.hpp"

namespace sapwood {

using OutputNames = std::vector<std::vector<std::string>>;  // [tables][outputs]

// A sentence whose parse is explained. Numbers of words are from 1; the root is 0.
class ExplainedSentence {
  public:
    ExplainedSentence(const ParserSpec& spec, const OutputNames& outputs, const Question& question)
        : spec_(spec), outputs_(outputs), question_(question) {
        // A number asks for a head.
        if (!question.against.empty() && question.against.find_first_not_of("0123456789") == std::string::npos)
            head_ = question.against.size() < 10 ? std::stoul(question.against) : SIZE_MAX;
    }

    // The words begin..end - 1 of some data, whose cells are cell(word, field).
    template <class Cell>
    void read(size_t begin, size_t end, Cell&& cell) {
        add_words(begin, end, spec_, cell, words_);
        forms_.assign(1, "");
        texts_.clear();
        const auto add = [&](std::string_view text, uint64_t value) {
            if (value != 0) texts_.try_emplace(value, text);
        };
        for (const std::string_view place : {"<root>", "<outside>"}) add(place, hash_bytes(place));
        for (const std::string& label : spec_.labels) add(label, hash_bytes(label));
        for (size_t w = begin; w < end; ++w) {
            const auto tag = [&](size_t k) { return k < spec_.tags.size() ? cell(w, spec_.tags[k]) : "_"; };
            forms_.emplace_back(cell(w, Field::form));
            words_.each_value(forms_.back(), tag(0), tag(1), tag(2), add);
        }
    }

    const Words& words() const { return words_; }
    const Question& question() const { return question_; }
    bool asks(uint32_t m) const { return question_.asks_token(m - 1); }
    // The name of an output, by which the command 'inspect' knows it as well.
    const std::string& output(uint32_t table, uint32_t output) const { return outputs_[table][output]; }

    // The text of an atom's value: a number where it is no word's attribute.
    std::string text_of(uint64_t value) const {
        const auto known = texts_.find(value);
        return known == texts_.end() ? std::to_string(value) : known->second;
    }

    const std::string& label(uint32_t label) const {
        static const std::string none;
        return label < spec_.labels.size() ? spec_.labels[label] : none;
    }

    // "nsubj of 2 saw", without labels "2 saw", of the root "root of 0".
    std::string arc(uint32_t head, uint32_t number, bool labelled) const {
        const std::string place = std::to_string(head) + (head == 0 ? "" : " " + forms_[head]);
        return labelled ? label(number) + " of " + place : place;
    }
    // The same of another word than the one that is explained: "nsubj of 2 saw for 1 she".
    std::string arc_for(uint32_t head, uint32_t number, bool labelled, uint32_t m) const {
        return arc(head, number, labelled) + " for " + std::to_string(m) + " " + forms_[m];
    }

    // Whether the question is about this head, this label or this name. None of them is asked for if there is no
    // alternative in the question.
    bool asks_for(uint32_t head, std::string_view name) const {
        return head_ ? *head_ == head : !question_.against.empty() && question_.against == name;
    }
    bool asks_for_one() const { return !question_.against.empty(); }
    bool asks_for_head() const { return head_.has_value(); }
    bool asks_for_label() const { return asks_for_one() && !head_; }

    Explanation about(uint32_t m, std::string decision) const {
        Explanation explanation;
        explanation.token = m - 1;
        explanation.word = forms_[m];
        explanation.decision = std::move(decision);
        return explanation;
    }

  private:
    const ParserSpec& spec_;
    const OutputNames& outputs_;
    const Question& question_;
    std::optional<size_t> head_;
    Words words_;
    std::vector<std::string> forms_;                   // [n + 1]
    std::unordered_map<uint64_t, std::string> texts_;  // of values
};

// The features of decisions that are scored by the conjunctions of their contexts, found in one table.
class ContextFeatures {
  public:
    ContextFeatures(const Conjunctions& conjunctions, uint32_t table)
        : conjunctions_(conjunctions), table_(table), keys_(conjunctions.lines()), lines_(conjunctions.lines()) {
        for (size_t line = 0; line < conjunctions.lines(); ++line)
            for (const uint16_t atom : conjunctions.atoms(line)) atoms_ = std::max<size_t>(atoms_, atom + 1);
    }

    // Forgets the contexts of the last decision.
    void clear() {
        contexts_.clear();
        difference_.clear();
    }

    // Takes a context, by the values of its atoms; gold() and guess() are about it until there is another.
    template <class Table>
    void look(const Table& table, const uint64_t* values) {
        const auto context = static_cast<uint32_t>(contexts_.size());
        contexts_.emplace_back(values, values + atoms_);
        const size_t n = conjunctions_.keys(values, keys_.data(), lines_.data());
        rows_.resize(n);
        table.find_rows(keys_.data(), n, rows_.data());
        for (size_t k = 0; k < n; ++k) difference_.place(table_, rows_[k], {context, lines_[k]});
    }
    void gold(uint32_t output) {
        for (const uint32_t row : rows_) difference_.gold(table_, row, output);
    }
    void guess(uint32_t output) {
        for (const uint32_t row : rows_) difference_.guess(table_, row, output);
    }

    template <class Tables>
    void weigh(const Tables& tables, const ExplainedSentence& sentence, std::vector<Reason>& reasons) {
        difference_.weigh(
            tables, [&](const Place& p) { return text(p.context, p.line, sentence); },
            [&](uint32_t table, uint32_t output) { return sentence.output(table, output); }, reasons);
    }

    // A choice in the context that was taken last: its features are those of all alternatives.
    template <class Table, class Score, class Name>
    void find_flip(const Table& table, const ExplainedSentence& sentence, const Score* scores,
                   std::span<const uint32_t> outputs, uint32_t chosen, std::optional<uint32_t> only, Name&& name,
                   Explanation& explanation) {
        const auto found =
            flip_.find(table, rows_, {}, scores, outputs, chosen, [](uint32_t a, uint32_t b) { return a == b; }, only);
        if (!found) return;
        Flip& flip = explanation.flip.emplace();
        flip.to = name(found->to);
        for (const size_t k : found->features) flip.features.push_back(text(contexts_.size() - 1, lines_[k], sentence));
    }

  private:
    struct Place {
        uint32_t context, line;
    };

    std::string text(size_t context, uint32_t line, const ExplainedSentence& sentence) const {
        return conjunctions_.text(line, contexts_[context].data(),
                                  [&](uint64_t value) { return sentence.text_of(value); });
    }

    Conjunctions conjunctions_;
    uint32_t table_;
    size_t atoms_ = 0;                             // whose values are looked at
    std::vector<std::vector<uint64_t>> contexts_;  // [contexts][atoms]
    std::vector<uint64_t> keys_;                   // [lines]
    std::vector<uint32_t> lines_, rows_;           // [features of the last context]
    Difference<Place> difference_;
    ChoiceFlip flip_;
};

// The flip of a structure: the fewest features of the reasons that make up the margin.
inline std::optional<Flip> flip_of(const std::vector<Reason>& reasons, double margin, const std::string& to) {
    const auto found = fewest_features(reasons, margin, false);
    if (!found) return std::nullopt;
    Flip flip{to, {}};
    for (const uint32_t f : *found)
        flip.features.push_back(std::ranges::find_if(reasons, [&](const Reason& r) { return r.feature == f; })->text);
    return flip;
}

}  // namespace sapwood
