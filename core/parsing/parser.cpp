#include "parsing/parser.hpp"

#include "base/threads.hpp"
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

template <class W>
using Worker = ParserWorker<FrozenTable<W>>;

}  // namespace

Parser::Parser(ParserSpec spec, const std::vector<PackedTable>& tables, unsigned bits, double scale)
    : spec_(checked(std::move(spec))),
      model_(tables, bits, scale, spec_.widths()),
      labels_(labels_of(spec_)),
      lifted_(labels_) {
    // A template that cannot be used is found now and not in a thread.
    model_.with_tables([&]<class W>(const FrozenModel::Tables<W>&) { const Worker<W> worker(spec_); });
}

std::vector<Tree> Parser::parse(const Conllu& data, size_t threads) const {
    return parse(data.sentences(), [&](size_t s, Words& words) { read_words(data, s, spec_, words); }, threads);
}

std::vector<Tree> Parser::parse(size_t sentences, const std::function<void(size_t, Words&)>& read,
                                size_t threads) const {
    std::vector<Tree> trees(sentences);
    model_.with_tables([&]<class W>(const FrozenModel::Tables<W>& tables) {
        for_each_sentence(sentences, threads, [&] {
            return [&, worker = Worker<W>(spec_), words = Words()](size_t s) mutable {
                read(s, words);
                worker.parse(tables, words, trees[s]);
                deprojectivise(trees[s], lifted_);
            };
        });
    });
    return trees;
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
    if (spec_.search != ParserSearch::eisner || spec_.order != 1)
        throw OptionError("the n best trees need a parser trained with Eisner search of order 1");
    return model_.with_tables([&]<class W>(const FrozenModel::Tables<W>& tables) {
        Worker<W> worker(spec_);
        Words words;
        std::vector<Tree> trees;
        std::vector<double> scores;
        read_words(data, sentence, spec_, words);
        worker.n_best(tables, words, count, trees, scores);
        std::vector<Ranked> ranked;
        for (size_t k = 0; k < trees.size(); ++k) {
            deprojectivise(trees[k], lifted_);
            ranked.push_back({std::move(trees[k]), scores[k] * model_.scale()});
        }
        return ranked;
    });
}

}  // namespace sapwood
