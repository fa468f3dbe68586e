#include "parsing/parser_trainer.hpp"

#include <numeric>
#include <set>

#include "parsing/treebank.hpp"
#include "search/projective.hpp"

namespace sapwood {

ParserProblem::ParserProblem(const Conllu& data, ParserSpec spec, const ParserOptions& options)
    : spec_(std::move(spec)), known_(spec_), early_(options.early), k_best_(options.k_best) {
    read(data, options.skip_non_projective);
    spec_.check();
    if (k_best_ > 1 && (!spec_.ranks_trees() || options.training.learner.update != Update::passive_aggressive))
        throw OptionError("k_best needs search eisner of order 1 and update pa");
    scratch_ = scratch();
    if (options.training.names) read_texts(data);
}

std::unique_ptr<ParserProblem::Scratch> ParserProblem::scratch() const {
    auto made = std::make_unique<Scratch>(Scratch{
        make_search<TransitionTrainer, EasyFirstTrainer, EisnerTrainer>(spec_, std::numeric_limits<double>::infinity()),
        make_labeller(spec_)});
    if (auto* transitions = std::get_if<TransitionTrainer>(&made->search); transitions && early_)
        transitions->update_early();
    if (auto* eisner = std::get_if<EisnerTrainer>(&made->search); eisner && k_best_ > 1)
        eisner->learn_from_best(k_best_);
    return made;
}

void ParserProblem::read(const Conllu& data, bool skip_non_projective) {
    LabelSet labels;
    for (const std::string& label : spec_.labels) labels.number(label);
    std::set<uint32_t> of_root(spec_.root_labels.begin(), spec_.root_labels.end());
    std::set<uint32_t> of_left(spec_.left_labels.begin(), spec_.left_labels.end());
    std::set<uint32_t> of_right(spec_.right_labels.begin(), spec_.right_labels.end());
    for (size_t s = 0; s < data.sentences(); ++s) {
        Tree tree = read_tree(data, s, spec_.single_root, labels);
        if (!is_projective(tree)) {
            ++crossing_;
            if (skip_non_projective) continue;
            lifted_ += projectivise(tree, labels);
        }
        for (size_t m = 1; m <= tree.words(); ++m) {
            if (spec_.labelling == Labelling::none) tree.labels[m] = 0;
            auto& labels_there = tree.heads[m] == 0 ? of_root : m < tree.heads[m] ? of_left : of_right;
            labels_there.insert(tree.labels[m]);
        }
        read_words(data, s, spec_, words_.emplace_back());
        words_in_all_ += tree.words();
        gold_.push_back(std::move(tree));
    }
    if (words_.empty()) throw DataError(data.name() + ": there is no sentence to train on");
    if (spec_.labelling == Labelling::none) return;
    spec_.labels = labels.names();
    const auto or_all = [&](const std::set<uint32_t>& some) {  // where the data have no such arc
        std::vector<uint32_t> all(labels.size());
        std::iota(all.begin(), all.end(), 0);
        return some.empty() ? all : std::vector<uint32_t>(some.begin(), some.end());
    };
    spec_.root_labels = or_all(of_root);
    spec_.left_labels = or_all(of_left);
    spec_.right_labels = or_all(of_right);
}

void ParserProblem::read_texts(const Conllu& data) {
    Words words;
    words.clear(spec_.clusters.get(), spec_.fill_tags);
    const auto add = [&](std::string_view text, uint64_t value) {
        if (value != 0) texts_.try_emplace(value, text);
    };
    for (const std::string_view place : {"<root>", "<outside>"}) add(place, hash_bytes(place));
    for (const std::string& label : spec_.labels) add(label, hash_bytes(label));
    for (size_t w = 0; w < data.words(); ++w) {
        const auto tag = [&](size_t k) { return k < spec_.tags.size() ? data.cell(w, spec_.tags[k]) : "_"; };
        words.each_value(data.cell(w, Field::form), tag(0), tag(1), tag(2), add);
    }
}

std::string ParserProblem::text_of(uint64_t value) const {
    const auto known = texts_.find(value);
    return known == texts_.end() ? std::to_string(value) : known->second;
}

size_t ParserProblem::present(size_t sentence, Learner& learner, FeatureNames* names, Scratch& scratch) const {
    const Words& words = words_[sentence];
    const Tree* gold = &gold_[sentence];
    std::optional<Spelling> spelling;
    if (names != nullptr) spelling.emplace(*names, [this](uint64_t value) { return text_of(value); });
    if (scratch.labeller) {
        scratch.labeller->present({learner, words, *gold, spelling ? &*spelling : nullptr});
        scratch.unlabelled.resize(gold->words());
        scratch.unlabelled.heads = gold->heads;
        gold = &scratch.unlabelled;
    }
    const ParsingExample example{learner, words, *gold, spelling ? &*spelling : nullptr};
    std::visit([&](auto& search) { search.present(example); }, scratch.search);
    return gold->words();
}

}  // namespace sapwood
