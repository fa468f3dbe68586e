// Raw text through a pipeline: nothing of it is lost, and what is found does not depend on how it arrives.
#include <algorithm>

#include "base/errors.hpp"
#include "parsing/treebank.hpp"
#include "small_models.hpp"
#include "target.hpp"
#include "text/doc.hpp"
#include "text/treebank_text.hpp"

namespace sapwood::fuzz::texts {
namespace {

struct Written {
    std::string conllu, json;
    size_t sentences = 0, characters = 0, bytes = 0;
    bool within_paragraph = false;

    void add(const std::vector<Doc>& docs) {
        for (const Doc& doc : docs) {
            SAPWOOD_REQUIRE(doc.sentence_count() <= doc.token_count() && doc.token_count() <= doc.word_count());
            conllu += to_conllu(doc, sentences + 1);
            json += to_json_lines(doc, characters);
            sentences += doc.sentence_count();
            characters += code_points(doc.text());
            bytes += doc.text_size;
            within_paragraph = doc.end == Doc::End::within_paragraph;
        }
    }
};

// The same text in two parts, of which the second one may begin anywhere.
Written in_two_parts(std::string_view text, size_t cut) {
    Written written;
    written.add(small_pipeline().read(text.substr(0, cut), 1, {false, true}));
    const bool continues = written.within_paragraph;
    const size_t done = written.bytes;
    SAPWOOD_REQUIRE(done <= cut);
    if (done < text.size()) written.add(small_pipeline().read(text.substr(done), 1, {continues, false}));
    return written;
}

void check_conllu(const Written& written, std::string_view text) {
    const Conllu read = conllu_of(written.conllu);
    SAPWOOD_REQUIRE(read.sentences() == written.sentences);
    LabelSet labels;
    for (size_t s = 0; s < read.sentences(); ++s) read_tree(read, s, true, labels);
    if (written.sentences > 0) require_equal(treebank_text(read).text, text, "the text out of CoNLL-U, and the text");
}

bool run(std::string_view text) {
    if (text.find('\0') != text.npos || find_invalid_utf8(text) != text.npos) return false;
    Written whole;
    whole.add(small_pipeline().read(text, 1));
    SAPWOOD_REQUIRE(whole.bytes == text.size());
    SAPWOOD_REQUIRE(std::ranges::count(whole.json, '\n') == static_cast<ptrdiff_t>(whole.sentences));
    check_conllu(whole, text);
    size_t cut = text.empty() ? 0 : number_of(text) % text.size();
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
    const Written parts = in_two_parts(text, cut);
    require_equal(parts.conllu, whole.conllu, "a text in two parts, and as a whole");
    require_equal(parts.json, whole.json, "a text in two parts, and as a whole");
    SAPWOOD_REQUIRE(parts.bytes == text.size());
    return reads<DataError>("data", [&] {
        Doc doc = doc_of_lines(text, "data");
        small_pipeline().analyse(doc, Given::tokens);
        conllu_of(to_conllu(doc));
    });
}

std::vector<std::string> seeds() {
    return {"I can't go. The old cities sleep!  Don't...\n\nA caf\xC3\xA9 today who.",
            " \n\n\tGo!\r\nGo\xC2\xA0go\xE2\x80\xA8"
            "e\xCC\x81 \xE4\xB8\xAD\xE6\x96\x87\xE3\x80\x82\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB\n \n x\\|_"};
}

const Target target("texts", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::texts
