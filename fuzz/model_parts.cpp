// What model files have beside tables of weights: clusters, lexicons, lists, dictionaries, places, scripts, votes,
// calibrations. What is read can be used, and written and read again it is the same.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "classifying/voted_classifier.hpp"
#include "features/cluster_files.hpp"
#include "features/lexicon.hpp"
#include "features/word_list.hpp"
#include "model/calibration.hpp"
#include "records.hpp"
#include "rewriting/known_words.hpp"
#include "rewriting/lemma_lexicon.hpp"
#include "segmenting/places.hpp"
#include "small_models.hpp"
#include "tagging/tag_dictionary.hpp"
#include "target.hpp"

namespace sapwood::fuzz::model_parts {
namespace {

const std::vector<std::string> kWords = {"New York", "is", "old", "Old", "1984", "unknown", "caf\xC3\xA9", ""};

PackedClusters packed_of(const Records& in) {
    return {in.number("words"), in.number<unsigned>("key_bits"), in["high"], in["low"], in["classes"], in["tree"]};
}

void use(const WordClusters& clusters) {
    std::string scratch;
    for (const std::string& word : kWords) {
        const uint32_t found = clusters.find(word, scratch);
        SAPWOOD_REQUIRE(found == WordClusters::kNone || found < clusters.classes());
        SAPWOOD_REQUIRE(clusters.bits(found, 2).size() <= 4);
    }
    for (uint32_t k = 1; k < clusters.classes(); ++k) SAPWOOD_REQUIRE(clusters.bits(k - 1) < clusters.bits(k));
    const PackedClusters& packed = clusters.packed();
    const WordClusters again(packed);
    for (const std::string& word : kWords) SAPWOOD_REQUIRE(again.find(word, scratch) == clusters.find(word, scratch));
}

void use_lexicon(const Records& in) {
    const Lexicon lexicon(packed_of(in), in.lines("tags"));
    use(lexicon.words());
    std::string scratch;
    for (const std::string& word : kWords) SAPWOOD_REQUIRE(!lexicon.text(lexicon.words().find(word, scratch)).empty());
}

void use_list(const Records& in) {
    const WordList list(in.numbers<uint64_t>("phrases"), in.number("longest"));
    std::vector<uint64_t> words;
    for (const std::string& word : kWords) words.push_back(hash_bytes(word));
    for (size_t k = 0; k < words.size(); ++k) SAPWOOD_REQUIRE(list.match(words, k) <= words.size() - k);
}

void use_dictionary(const Records& in) {
    const size_t labels = 5;
    const auto packed = in.numbers<uint32_t>("labels");
    const TagDictionary dictionary({0}, in.numbers<uint64_t>("values"), packed, labels);
    static const Columns data = columns_of(kSmallColumns);
    for (size_t t = 0; t < data.tokens(); ++t)
        for (const Label y : dictionary(data, t)) SAPWOOD_REQUIRE(y < labels);
    SAPWOOD_REQUIRE(dictionary.packed() == packed);
}

void use_places(const Records& in) {
    const SegmentChoices choices = SegmentChoices::from_text(in["text"]);
    const std::string text = choices.to_text();
    SAPWOOD_REQUIRE(SegmentChoices::from_text(text).to_text() == text);
    each_place("I can't go. The \nold\n", [&](const Place& place) { SAPWOOD_REQUIRE(choices(place) != 0); });
}

void use_lemmas(const Records& in) {
    const LemmaLexicon lexicon(in.numbers<uint32_t>("keys"), in.numbers<uint32_t>("scripts"), 4);
    for (const std::string& word : kWords)
        if (const auto script = lexicon.find(word, "NOUN")) SAPWOOD_REQUIRE(*script < 4);
    const KnownWords known(in.numbers<uint32_t>("keys"));
    for (const std::string& word : kWords) SAPWOOD_REQUIRE(known.parts(word).size() == 6);
}

void use_votes(const Records& in) {
    const FeatureRows rows =
        FeatureRows::unpack(in.numbers<uint32_t>("sizes"), in.numbers<uint64_t>("keys"), in.numbers<float>("values"));
    DualWeights weights;
    weights.voted = true;
    weights.clock = in.number("clock");
    weights.support.resize(rows.size() * 3);
    std::iota(weights.support.begin(), weights.support.end(), 0);
    const auto oracles = in.numbers<uint32_t>("oracles"), guesses = in.numbers<uint32_t>("guesses");
    const auto steps = in.numbers<double>("steps");
    const auto times = in.numbers<uint64_t>("times");
    if (guesses.size() != oracles.size() || steps.size() != oracles.size() || times.size() != oracles.size())
        throw ModelError("the parts of the updates differ in number");
    for (size_t k = 0; k < oracles.size(); ++k) weights.updates.push_back({oracles[k], guesses[k], steps[k], times[k]});
    const VotedClassifier classifier(3, rows, weights);
    VotedClassifier::Workspace workspace;
    double votes[3];
    for (size_t r = 0; r < rows.size(); ++r) {
        classifier.score(rows, r, workspace, votes);
        const double sum = votes[0] + votes[1] + votes[2];
        SAPWOOD_REQUIRE(sum > 0.999 && sum < 1.001);
    }
}

void use_calibration(const Records& in) {
    std::vector<std::vector<double>> curves;
    for (const char* name : {"curve0", "curve1", "curve2"})
        if (in.has(name)) curves.push_back(in.numbers<double>(name));
    const Calibration calibration(in["method"], curves, 3, false);
    double scores[][3] = {{0, 0, 0}, {1, -2, 1e30}, {-1e300, 1e-300, 7}};
    for (auto& each : scores) {
        calibration.apply(each);
        const double sum = each[0] + each[1] + each[2];
        SAPWOOD_REQUIRE(sum > 0.999 && sum < 1.001);
        for (const double p : each) SAPWOOD_REQUIRE(p >= 0 && p <= 1);
    }
}

bool run(std::string_view input) {
    const Records in(input);
    const std::string& kind = in["kind"];
    const auto use_part = [&] {
        if (kind == "clusters") return use(WordClusters(packed_of(in)));
        if (kind == "cluster file") return use(read_clusters(in["text"], "file", 9));
        if (kind == "lexicon") return use_lexicon(in);
        if (kind == "list") return use_list(in);
        if (kind == "list file") return WordList(in["text"]), void();
        if (kind == "dictionary") return use_dictionary(in);
        if (kind == "places") return use_places(in);
        if (kind == "lemmas") return use_lemmas(in);
        if (kind == "votes") return use_votes(in);
        if (kind == "calibration") return use_calibration(in);
        throw ModelError("no such part");
    };
    return reads<ModelError, DataError>("", use_part);
}

template <class T>
std::string number(T value) {
    return bytes_of(std::vector{value});
}

std::vector<Record> records_of(const std::string& kind, const PackedClusters& packed) {
    return {{"kind", kind},
            {"words", number(packed.words)},
            {"key_bits", number(packed.key_bits)},
            {"high", packed.high},
            {"low", packed.low},
            {"classes", packed.classes},
            {"tree", packed.tree}};
}

std::vector<std::string> seeds() {
    using Numbers = std::vector<uint64_t>;
    const std::string file = "0\tNew York\t9\n10\tis\t8\n110\told\t8\n111\t1111\n";
    std::vector<std::vector<Record>> all;
    all.push_back({{"kind", "cluster file"}, {"text", file}});
    all.push_back(records_of("clusters", read_clusters(file, "file", 9).packed()));
    const Lexicon lexicon({{"is", "AUX"}, {"is", "VERB"}, {"old", "ADJ"}, {"New York", "PROPN"}}, "words");
    all.push_back(records_of("lexicon", lexicon.words().packed()));
    all.back().emplace_back("tags", "ADJ\nAUX\nPROPN\nVERB");
    const WordList list("New York\nold caf\xC3\xA9\nis\n");
    all.push_back({{"kind", "list"}, {"phrases", bytes_of(list.phrases)}, {"longest", number(uint64_t{list.longest})}});
    all.push_back({{"kind", "list file"}, {"text", "New York\r\nold caf\xC3\xA9\n\n is\n"}});
    const TagDictionary dictionary(
        {0}, TagDictionary::Allowed{{hash_bytes("is"), {2}}, {hash_bytes("New York"), {0, 3}}, {7, {1, 2, 4}}});
    all.push_back(
        {{"kind", "dictionary"}, {"values", bytes_of(dictionary.values())}, {"labels", bytes_of(dictionary.packed())}});
    all.push_back({{"kind", "places"}, {"text", "a-a.\na-..T\n._aTS\na/aT\n\xE4\xB8\xAD-a.T\n"}});
    all.push_back({{"kind", "lemmas"},
                   {"keys", bytes_of(std::vector<uint32_t>{1, 7, 1u << 31})},
                   {"scripts", bytes_of(std::vector<uint32_t>{0, 3, 1})}});
    all.push_back({{"kind", "votes"},
                   {"sizes", bytes_of(std::vector<uint32_t>{2, 1, 3})},
                   {"keys", bytes_of(Numbers{3, 9, 3, 4, 9, 11})},
                   {"values", bytes_of(std::vector<float>{1, 0.5, 1, 2, 1, 1})},
                   {"clock", number(uint64_t{20})},
                   {"oracles", bytes_of(std::vector<uint32_t>{0, 4, 8})},
                   {"guesses", bytes_of(std::vector<uint32_t>{1, 3, 6})},
                   {"steps", bytes_of(std::vector<double>{1, 1, 0.5})},
                   {"times", bytes_of(Numbers{0, 3, 7})}});
    all.push_back({{"kind", "calibration"}, {"method", "temperature"}, {"curve0", number(2.5)}});
    for (const auto& [method, curve] : {std::pair{"sigmoid", std::vector<double>{-1, 0.5}},
                                        {"isotonic", std::vector<double>{-1, 0.1, 0, 0.5, 2, 0.9}}})
        all.push_back({{"kind", "calibration"},
                       {"method", method},
                       {"curve0", bytes_of(curve)},
                       {"curve1", bytes_of(curve)},
                       {"curve2", bytes_of(curve)}});
    std::vector<std::string> seeds;
    for (const auto& records : all) seeds.push_back(write_records(records));
    return seeds;
}

const Target target("model_parts", run, seeds, Form::records);

}  // namespace
}  // namespace sapwood::fuzz::model_parts
