// What all explainers of parsers share: the sentence with its texts, the names of arcs, and what the question asks for.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "features/words.hpp"
#include "model/explanation.hpp"
#include "parsing/output_names.hpp"
#include "parsing/parser_spec.hpp"
#include "parsing/runner_up.hpp"

namespace sapwood {

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
    // The name of an output, as the command 'inspect' prints it.
    const std::string& output(uint32_t table, uint32_t output) const { return outputs_[table][output].name; }

    // The text of an atom's value; a value that is not an attribute of a word is a number.
    std::string text_of(uint64_t value) const {
        const auto known = texts_.find(value);
        return known == texts_.end() ? std::to_string(value) : known->second;
    }

    const std::string& label(uint32_t label) const {
        static const std::string none;
        return label < spec_.labels.size() ? spec_.labels[label] : none;
    }

    // The name of an arc: "nsubj of 2 saw", and "root of 0" for the root's; "2 saw" if the search gives no labels.
    std::string arc(uint32_t head, uint32_t number) const { return arc(head, label(number)); }
    std::string arc(uint32_t head, const std::string& label) const {
        const std::string place = std::to_string(head) + (head == 0 ? "" : " " + forms_[head]);
        return spec_.labelling == Labelling::joint ? label + " of " + place : place;
    }
    // The name of an arc to another word m than the one that is explained: "nsubj of 2 saw for 1 she".
    std::string arc_for(uint32_t head, uint32_t number, uint32_t m) const {
        return arc(head, number) + " for " + std::to_string(m) + " " + forms_[m];
    }

    // Whether the question asks to compare with this head or with the answer of this name. False if it leaves the choice
    // to the second best.
    bool asks_for(uint32_t head, std::string_view name) const {
        return head_ ? *head_ == head : !question_.against.empty() && question_.against == name;
    }
    bool asks_for_one() const { return !question_.against.empty(); }
    bool asks_for_head() const { return head_.has_value(); }
    bool asks_for_label() const { return asks_for_one() && !head_; }
    // What a decision is compared with: the choice of highest score that the question allows; ties go to the first.
    // each(offer) calls offer(choice, score, is_asked) for all choices but the chosen one.
    template <class Choice, class Score, class Each>
    std::optional<Scored<Choice, Score>> compared(Each&& each) const {
        return runner_up<Choice, Score>([&](auto&& offer) {
            each([&](const Choice& choice, Score score, bool is_asked) {
                if (is_asked || !asks_for_one()) offer(choice, score);
            });
        });
    }

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

}  // namespace sapwood
