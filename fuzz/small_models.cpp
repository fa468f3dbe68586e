#include "small_models.hpp"

#include "features/cluster_files.hpp"
#include "features/lexicon.hpp"
#include "model/freeze_options.hpp"
#include "rewriting/next_words.hpp"
#include "rewriting/rewriting_examples.hpp"
#include "text/treebank_text.hpp"

namespace sapwood::fuzz {

const char* const kSmallTemplate = R"(
U00:%x[-2,0]/%x[0,pos]
U01:%X[1,0] # next
U02:%t[0,0,"^\u.*\d?$"]
U03:%m[-1,0,".?.?$"]
U04:%prefix[0,0,3]%suffix[0,0,2]%shape[0,0]%digit[0,0]%hyphen[0,0]%capital[0,0]
U05:%in[0,0,"cities"]
U11:%cluster[0,0]%Cluster[1,0,1]
U12:%lexicon[0,0]%Lexicon[1,0]
U06:%x[@-1,0]%lower[@1,0]
*07:%x[0,1]
B
U08:%y[-1]
U09:%y[-2]/%y[-1]/%x[0,0]
U10:%y[-1]/%y[+1]
)";

const char* const kSmallColumns =
    "The\tDT\tB-NP\nold\tJJ\tI-NP\ncaf\xC3\xA9\tNN\tI-NP\n\nis\tVBZ\tB-VP\nNew York\tNNP\tB-NP\n.\t.\tO\n\n"
    "Rome\tNNP\tB-NP\nsleeps\tVBZ\tB-VP\n";

const char* const kSmallTreebank =
    "# newpar\n# sent_id = a\n# text = I can't "
    "go.\n1\tI\tI\tPRON\tPRP\t_\t4\tnsubj\t_\t_\n2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_\n3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_\n"
    "4\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No\n5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_\n\n"
    "# sent_id = b\n1\tThe\tthe\tDET\tDT\t_\t3\tdet\t_\t_\n2\told\told\tADJ\tJJ\tDegree=Pos\t3\tamod\t_\t_\n"
    "3\tcities\tcity\tNOUN\tNNS\tNumber=Plur\t4\tnsubj\t_\t_\n4\tsleep\tsleep\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter="
    "No\n"
    "5\t!\t!\tPUNCT\t.\t_\t4\tpunct\t_\tSpacesAfter=\\s\\s\n\n"
    "# newpar\n# sent_id = "
    "c\n1\tDon't\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t...\t...\tPUNCT\t.\t_\t1\tpunct\t_\t_\n\n"
    "1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n2\tcaf\xC3\xA9\tcaf\xC3\xA9\tNOUN\tNN\t_\t0\troot\t_\t_\n"
    "3\ttoday\ttoday\tNOUN\tNN\t_\t4\tnmod\t_\t_\n4\twho\twho\tPRON\tWP\t_\t2\tacl\t_\tSpaceAfter=No\n"
    "5\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
    "1\tMr.\tMr.\tPROPN\tNNP\t_\t3\tnsubj\t_\t_\n2\tOld\tOld\tPROPN\tNNP\t_\t1\tflat\t_\t_\n"
    "3\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No\n4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n";

const char* const kSmallParserTemplate =
    "[transitions]\nS0w S0t\nS0t N0t\nS1t S0t N0t\nS0w N0w\nS0f\nS0t S0rt\nS0t S0lt\nN0t S1lt\n";

Columns columns_of(std::string_view bytes, const std::string& name) {
    const auto owner = std::make_shared<std::string>(bytes);
    return Columns(*owner, owner, name);
}

Conllu conllu_of(std::string_view bytes, const std::string& name) {
    const auto owner = std::make_shared<std::string>(bytes);
    return Conllu(*owner, owner, name);
}

Template small_template(std::string_view text) {
    return Template(text, "template", {{"word", "pos", "label"}, 2});
}

Extractor small_extractor(const Template& pattern, const SequenceSpec& spec) {
    static const auto clusters =
        std::make_shared<WordClusters>(read_clusters("0\tNew York\n10\tis\n11\told\n", "paths", 9));
    static const auto lexicon = std::make_shared<Lexicon>(
        std::vector<std::pair<std::string, std::string>>{{"is", "AUX"}, {"old", "ADJ"}}, "words");
    std::vector<WordList> lists(pattern.list_names().size(), WordList("New York\nold caf\xC3\xA9\n"));
    return Extractor(pattern, std::move(lists), spec.reach(), spec.ahead(), {clusters, lexicon});
}

Trained train(const Columns& data, size_t label, const Template& pattern, Search search) {
    TaggerOptions options;
    options.search = search;
    options.training.learner.min_updates = 1;
    TaggerTrainer trainer(data, label, small_extractor(pattern, {search, 1, {}}), options);
    for (int epoch = 0; epoch < 5; ++epoch)
        while (!trainer.step(1000)) continue;
    return {trainer.spec(), trainer.freeze({8, 0})};
}

namespace {

Tagger tagger_of(const Trained& trained, const Template& pattern) {
    return Tagger(trained.spec, small_extractor(pattern, trained.spec), {}, trained.model.tables, trained.model.bits,
                  trained.model.scale);
}

// The words of the treebank with a label "UPOS XPOS" each.
Columns tagged_words(const Conllu& data) {
    std::string text;
    for (size_t s = 0; s < data.sentences(); ++s) {
        for (size_t w = data.begin(s); w < data.end(s); ++w)
            text += std::string(data.cell(w, Field::form)) + "\t" + std::string(data.cell(w, Field::upos)) + " " +
                    std::string(data.cell(w, Field::xpos)) + "\n";
        text += "\n";
    }
    return columns_of(text);
}

Template template_of(std::string_view text, std::vector<std::string> columns) {
    const size_t label = columns.size() - 1;
    return Template(text, "template", {std::move(columns), label});
}

// The parts of the pipeline, which point to each other.
struct Parts {
    Conllu treebank = conllu_of(kSmallTreebank);
    SegmentExamples places = segment_examples(treebank_text(treebank), std::nullopt);
    SmallTagger segmenter_tagger{places.rows, 7,
                                 template_of("U0:%x[0,0]\nU1:%x[0,2]\nU2:%x[0,3]\nU3:%x[0,4]/%x[0,5]\nB\n",
                                             {"kind", "gap", "head", "tail", "before", "after", "later", "label"}),
                                 Search::viterbi};
    Segmenter segmenter{segmenter_tagger.tagger, places.choices};
    Columns tokens = split_examples(treebank, true);
    SmallTagger splitter_tagger{tokens, 2,
                                template_of("U0:%x[0,0]\nU1:%suffix[0,0,3]\nU2:%x[0,1]\n", {"form", "parts", "label"}),
                                Search::argmax};
    Splitter splitter{splitter_tagger.tagger, KnownWords(treebank)};
    Columns words = tagged_words(treebank);
    SmallTagger tagger{words, 1, template_of("U0:%x[0,0]\nU1:%suffix[0,0,2]\nU2:%x[-1,0]\nB\n", {"form", "label"}),
                       Search::viterbi};
    Columns lemmas = lemma_examples(treebank);
    SmallTagger lemmatizer_tagger{lemmas, kLemmaColumns,
                                  template_of("U0:%x[0,0]\nU1:%suffix[0,0,3]/%x[0,1]\n",
                                              {"form", "upos", "xpos", "feats", "next", "tags", "label"}),
                                  Search::argmax};
    Rewriter lemmatizer{lemmatizer_tagger.tagger, 1};
    Pipeline pipeline{{.segmenter = &segmenter,
                       .splitter = &splitter,
                       .tagger = &tagger.tagger,
                       .lemmatizer = &lemmatizer,
                       .parser = &small_parser(),
                       .others = {}}};
};

}  // namespace

SmallTagger::SmallTagger(const Columns& data, size_t label, const Template& pattern, Search search)
    : tagger(tagger_of(train(data, label, pattern, search), pattern)), answers(tagger.spec(), false) {}

const SmallTagger& SmallTagger::of_columns() {
    static const SmallTagger small(columns_of(kSmallColumns), 2, small_template(), Search::viterbi);
    return small;
}

ParserSpec small_parser_spec() {
    ParserSpec spec;
    spec.beam = 2;
    spec.features = kSmallParserTemplate;
    spec.tags = {Field::upos, Field::xpos, Field::feats};
    return spec;
}

const Parser& small_parser() {
    static const Parser parser = [] {
        ParserOptions options;
        options.training.learner.min_updates = 1;
        ParserTrainer trainer = parser_trainer(conllu_of(kSmallTreebank), small_parser_spec(), options);
        for (int epoch = 0; epoch < 5; ++epoch)
            while (!trainer.step(1000)) continue;
        const PackedModel model = freeze(trainer, {8, 0});
        return Parser(trainer.problem().spec(), model.tables, model.bits, model.scale);
    }();
    return parser;
}

const Pipeline& small_pipeline() {
    static const Parts parts;
    return parts.pipeline;
}

}  // namespace sapwood::fuzz
