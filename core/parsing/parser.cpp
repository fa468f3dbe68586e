#include "parsing/parser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "parsing/committee.hpp"
#include "parsing/parser_worker.hpp"

namespace sapwood {

namespace {

ParserSpec checked(ParserSpec spec) {
    spec.check();
    return spec;
}

LabelSet labels_of(const ParserSpec& spec) {
    LabelSet labels;
    for (const std::string& label : spec.labels) labels.number(label);
    if (spec.labelling == Labelling::none) labels.number("_");
    return labels;
}

// A margin as a number from 0 to 1, the larger the larger.
double squashed(double margin) {
    const double part = std::isinf(margin) ? 1 : std::abs(margin) / (1 + std::abs(margin));
    return 0.5 + std::copysign(part / 2, margin);
}

Parser::ReadWords words_of(const Conllu& data) {
    return [&](const ParserSpec& spec, size_t s, Words& words) { read_words(data, s, spec, words); };
}

constexpr size_t kLongestWithScratch = 200;  // words of a sentence whose scratch is kept

}  // namespace

// Parses sentences in one thread.
class Parser::Worker {
  public:
    using TakeMargin = std::function<void(uint32_t, double)>;

    virtual ~Worker() = default;
    virtual void parse(const Words& words, Tree& tree) = 0;
    virtual void parse_with_margins(const Words& words, Tree& tree, const TakeMargin& arc,
                                    const TakeMargin& relation) = 0;
    virtual double gap() = 0;
    // Whether a long sentence has made the scratch large.
    virtual bool overgrown() const = 0;
};

template <class W>
class Parser::TableWorker : public Worker {
  public:
    TableWorker(const ParserSpec& spec, const FrozenModel::Tables<W>& tables, double scale)
        : tables_(tables), worker_(spec, scale) {}

    void parse(const Words& words, Tree& tree) override {
        longest_ = std::max(longest_, words.size());
        worker_.parse(tables_, words, tree);
    }
    void parse_with_margins(const Words& words, Tree& tree, const TakeMargin& arc,
                            const TakeMargin& relation) override {
        longest_ = std::max(longest_, words.size());
        worker_.parse_with_margins(tables_, words, tree, arc, relation);
    }
    double gap() override { return worker_.gap(); }
    bool overgrown() const override { return longest_ > kLongestWithScratch; }

  private:
    const FrozenModel::Tables<W>& tables_;
    ParserWorker<FrozenTable<W>> worker_;
    size_t longest_ = 0;  // words of a sentence
};

Parser::Parser(ParserSpec spec, const std::vector<PackedTable>& tables, unsigned bits, double scale,
               std::vector<Member> others)
    : spec_(checked(std::move(spec))),
      model_(tables, bits, scale, spec_.widths()),
      labels_(labels_of(spec_)),
      lifted_(labels_),
      others_(std::move(others)) {
    worker();  // a template that cannot be used is found now and not in a thread
    if (has_committee() && spec_.labelling == Labelling::second_stage)
        throw ModelError("the first parser of a committee has labels of a second stage");
    for (const Member& other : others_) {
        if (other.parser->has_committee()) throw ModelError("a member of a committee has a committee of its own");
        std::vector<uint32_t>& numbers = label_of_.emplace_back();
        for (const std::string& name : other.parser->labels().names()) numbers.push_back(labels_.number(name));
    }
}

Parser::~Parser() = default;

Pool<Parser::Worker>::Loan Parser::worker() const {
    return workers_.borrow([&] {
        return model_.with_tables([&]<class W>(const FrozenModel::Tables<W>& tables) -> std::unique_ptr<Worker> {
            return std::make_unique<TableWorker<W>>(spec_, tables, model_.scale());
        });
    });
}

std::vector<Tree> Parser::parse(const Conllu& data, size_t threads) const {
    return parse(data.sentences(), words_of(data), threads);
}

std::vector<Tree> Parser::parse(size_t sentences, const ReadWords& read, size_t threads) const {
    if (!has_committee()) return parse_alone(sentences, read, threads, false);
    std::vector<std::vector<Tree>> trees = parse_by_all(sentences, read, threads);
    for (size_t s = 0; s < sentences; ++s)
        if (const size_t chosen = chosen_member(trees, s)) trees[0][s] = std::move(trees[chosen][s]);
    return std::move(trees[0]);
}

std::vector<Tree> Parser::parse_alone(size_t sentences, const ReadWords& read, size_t threads, bool backward) const {
    std::vector<Tree> trees(sentences);
    for_each_sentence(sentences, threads, [&] {
        return [&, worker = worker(), words = Words()](size_t s) mutable {
            read(spec_, s, words);
            if (backward) words.reverse();
            worker->parse(words, trees[s]);
            deprojectivise(trees[s], lifted_);
            if (backward) turn(trees[s]);
        };
    });
    return trees;
}

std::vector<std::vector<Tree>> Parser::parse_by_all(size_t sentences, const ReadWords& read, size_t threads) const {
    std::vector<std::vector<Tree>> trees{parse_alone(sentences, read, threads, false)};
    for (size_t k = 0; k < others_.size(); ++k)
        for (Tree& tree :
             trees.emplace_back(others_[k].parser->parse_alone(sentences, read, threads, others_[k].backward)))
            for (size_t m = 1; m <= tree.words(); ++m) tree.labels[m] = label_of_[k][tree.labels[m]];
    return trees;
}

Parser::Margins Parser::margins(const Conllu& data, size_t threads) const {
    Margins margins = margins_alone(data, threads);
    if (!has_committee()) return margins;
    const std::vector<std::vector<Tree>> trees = parse_by_all(data.sentences(), words_of(data), threads);
    for (size_t s = 0; s < data.sentences(); ++s) {
        const Tree& chosen = trees[chosen_member(trees, s)][s];
        for (size_t m = 1; m <= chosen.words(); ++m) {
            double& margin = margins.arcs[data.begin(s) + m - 1];
            margin = has_arc(trees[0][s], chosen, m) ? squashed(margin) : 0;
            for (size_t k = 1; k < trees.size(); ++k) margin += has_arc(trees[k][s], chosen, m);
        }
    }
    return margins;
}

Parser::Margins Parser::margins_alone(const Conllu& data, size_t threads) const {
    const bool staged = spec_.labelling == Labelling::second_stage;
    constexpr double none = std::numeric_limits<double>::infinity();
    Margins margins{std::vector<double>(data.words(), none), std::vector<double>(staged ? data.words() : 0, none)};
    for_each_sentence(data.sentences(), threads, [&] {
        return [&, worker = worker(), words = Words(), tree = Tree()](size_t s) mutable {
            const auto keep = [&](std::vector<double>& to) {
                return [&, first = data.begin(s)](uint32_t m, double margin) {
                    to[first + m - 1] = margin * model_.scale();
                };
            };
            read_words(data, s, spec_, words);
            worker->parse_with_margins(words, tree, keep(margins.arcs), keep(margins.relations));
        };
    });
    return margins;
}

std::vector<double> Parser::gaps(const Conllu& data, size_t threads) const {
    if (!spec_.traits().shifts) throw OptionError("a gap is for beam search");
    std::vector<double> gaps(data.sentences());
    for_each_sentence(data.sentences(), threads, [&] {
        return [&, worker = worker(), words = Words(), tree = Tree()](size_t s) mutable {
            read_words(data, s, spec_, words);
            worker->parse(words, tree);
            gaps[s] = worker->gap() * model_.scale();
        };
    });
    return gaps;
}

std::string Parser::annotate(const Conllu& data, size_t threads) const {
    const std::vector<Tree> trees = parse(data, threads);
    std::vector<std::string> numbers;
    for (const Tree& tree : trees)
        while (numbers.size() <= tree.words()) numbers.push_back(std::to_string(numbers.size()));
    std::vector<Conllu::Replacement> columns = {{Field::head, {}}, {Field::deprel, {}}};
    for (Conllu::Replacement& column : columns) column.cells.reserve(data.words());
    for (const Tree& tree : trees)
        for (size_t m = 1; m <= tree.words(); ++m) {
            columns[0].cells.push_back(numbers[tree.heads[m]]);
            columns[1].cells.push_back(labels_.name(tree.labels[m]));
        }
    return data.write(std::move(columns));
}

std::vector<Parser::Ranked> Parser::n_best(const Conllu& data, size_t sentence, size_t count) const {
    if (!spec_.ranks_trees()) throw OptionError("the n best trees need a parser trained with Eisner search of order 1");
    Words words;
    std::vector<Tree> trees;
    std::vector<double> scores;
    read_words(data, sentence, spec_, words);
    model_.with_tables([&]<class W>(const FrozenModel::Tables<W>& tables) {
        ParserWorker<FrozenTable<W>>(spec_, model_.scale()).n_best(tables, words, count, trees, scores);
    });
    std::vector<Ranked> ranked;
    for (size_t k = 0; k < trees.size(); ++k) {
        deprojectivise(trees[k], lifted_);
        ranked.push_back({std::move(trees[k]), scores[k] * model_.scale()});
    }
    return ranked;
}

}  // namespace sapwood
