#include "pipeline/pipeline.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/threads.hpp"
#include "text/plain_text.hpp"
#include "text/tokens.hpp"
#include "text/treebank_text.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr size_t kBatch = 1 << 16;       // bytes of text that a thread takes at once
constexpr size_t kWrapped = 50;          // characters of a line, from which on it may be one that was wrapped
constexpr size_t kMostSpaces = 1 << 20;  // bytes of white space that are held back until other text follows

// A part of a text that one thread analyses at a time.
struct Batch {
    size_t begin, end;
    Doc::End what;
    bool goes_on;  // its last paragraph, or its last line if each is a sentence
};

// Batches of whole paragraphs, each of which ends with the first empty line after a paragraph, or of whole lines.
std::vector<Batch> batches_of(std::string_view text, const TextPart& part, bool prompt) {
    const bool goes_on = part.goes_on;
    const std::vector<Paragraph> all = part.lines ? lines(text) : paragraphs(text);
    const auto end_of = [&](size_t p) { return part.lines ? all[p].end : next_line(text, all[p].end); };
    const auto has_ended = [&](size_t p) {
        return part.lines ? ends_line(text, all[p].end - 1) : all[p].end < text.size();
    };
    const Doc::End whole = part.lines ? Doc::End::within_paragraph : Doc::End::paragraph;
    size_t ended = all.size();
    if (goes_on && ended > 0 && !(prompt && has_ended(ended - 1))) --ended;
    std::vector<Batch> batches;
    size_t begin = 0;
    for (size_t p = 0; p < ended; ++p) {
        const bool last = p + 1 == all.size() && !goes_on;
        const size_t end = last ? text.size() : end_of(p);
        if (end - begin < kBatch && p + 1 < ended) continue;
        batches.push_back({begin, end, last ? Doc::End::input : whole, false});
        begin = end;
    }
    if (!goes_on && all.empty()) batches.push_back({0, text.size(), Doc::End::input, false});
    if (goes_on && ended < all.size() && text.size() - all.back().begin > Segmenter::kWindow)
        batches.push_back({begin, text.size(), Doc::End::within_paragraph, true});
    else if (goes_on && ended == all.size() && text.size() - begin > kMostSpaces)
        batches.push_back({begin, text.size(), Doc::End::paragraph, false});
    return batches;
}

std::vector<Columns::Cell> cells_of(Columns& words, const std::vector<std::string>& texts) {
    std::vector<Columns::Cell> cells;
    for (const std::string& text : texts) cells.push_back(words.keep(text));
    return cells;
}

// A word's cell for each label that it was given.
std::vector<Columns::Cell> column_of(const std::vector<Columns::Cell>& by_label, const std::vector<Label>& labels) {
    std::vector<Columns::Cell> column;
    column.reserve(labels.size());
    for (Label y : labels) column.push_back(by_label[y]);
    return column;
}

// The tags of which labels are made, with blanks between: [columns][labels]. Throws ModelError if they differ in number.
std::vector<std::vector<std::string>> tags_in(const std::vector<std::string>& labels) {
    std::vector<std::vector<std::string>> tags(1 + std::ranges::count(labels.front(), ' '));
    for (const std::string& label : labels) {
        std::string_view rest = label;
        for (std::vector<std::string>& column : tags) {
            const size_t end = &column == &tags.back() ? rest.size() : std::min(rest.find(' '), rest.size());
            const std::string& tag = column.emplace_back(rest.substr(0, end));
            if (tag.empty() || tag.find(' ') != std::string::npos)
                throw ModelError("label '" + label + "' has an empty tag, or not as many tags as others");
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return tags;
}

// Whether the space before a token is the border of a table's cell, or of a line that was not wrapped.
bool is_border(const Doc& doc, size_t token) {
    const std::string_view space = doc.space_after(token - 1);
    if (space.find('\t') != std::string_view::npos) return true;
    if (space.find_first_of("\r\n") == std::string_view::npos) return false;
    const std::string_view before = doc.text().substr(0, doc.tokens[token - 1].end);
    const size_t line_end = before.find_last_of("\r\n");
    return code_points(before.substr(line_end == std::string_view::npos ? 0 : line_end + 1)) < kWrapped;
}

// Gives each chunk its B-: a label that goes on (I-PER) begins one (B-PER) where the word before has no label of its kind,
// and behind a border, if white space tells borders.
void begin_chunks(Doc& doc, std::vector<Columns::Cell>& labels, bool has_borders) {
    const auto shown = [&](size_t w) { return doc.words.bytes().substr(labels[w].offset, labels[w].length); };
    const auto goes_on = [&](size_t w) {
        const std::string_view before = shown(w - 1);
        return before.size() > 1 && before[1] == '-' && before.substr(1) == shown(w).substr(1);
    };
    for (size_t s = 0; s < doc.sentence_count(); ++s) {
        const size_t first = doc.sentences[s].first_token;
        for (size_t t = first; t < doc.sentences[s + 1].first_token; ++t)
            for (size_t w = doc.tokens[t].first_word; w < doc.tokens[t + 1].first_word; ++w) {
                if (!shown(w).starts_with("I-")) continue;
                const bool begins_token = w == doc.tokens[t].first_word;
                const bool begins_sentence = begins_token && t == first;
                const bool behind_border = has_borders && begins_token && !begins_sentence && is_border(doc, t);
                if (begins_sentence || behind_border || !goes_on(w))
                    labels[w] = doc.words.keep("B-" + std::string(shown(w).substr(2)));
            }
    }
}

}  // namespace

Pipeline::Pipeline(const Parts& parts) : parts_(parts) {
    const auto need = [](bool there, const char* what) {
        if (!there) throw ModelError(std::string("a pipeline needs a tagger ") + what);
    };
    const bool tags = parts_.tagger || parts_.tagged;
    need(parts_.tagger || !parts_.morphology, "before morphology");
    need(tags || !parts_.lemmatizer, "before a lemmatizer");
    need(tags || !parts_.parser, "before a parser");
    for (const ColumnTagger& other : parts_.others)
        need(tags || other.tagger->columns_needed() <= 1, ("before " + other.name).c_str());
    if (parts_.tagger && parts_.tagged)
        throw ModelError("a pipeline has a tagger, or documents are tagged when they come");
    if (parts_.tagger == nullptr) return;
    tags_ = tags_in(parts_.tagger->spec().labels);
    if (parts_.morphology != nullptr) features_ = tags_in(parts_.morphology->spec().labels);
    if (tags_.size() + std::max<size_t>(features_.size(), 1) != 3)
        throw ModelError("the tags of a pipeline are UPOS, XPOS and FEATS, each in the labels of one part");
    if (parts_.tagger->columns_needed() > 1 ||
        (parts_.morphology != nullptr && parts_.morphology->columns_needed() > 1 + tags_.size()))
        throw ModelError("a part of a pipeline reads tags that no part before it gives");
}

std::vector<Doc> Pipeline::read(std::string_view text, size_t threads, const TextPart& part, bool prompt) const {
    const std::vector<Batch> batches = batches_of(text, part, prompt);
    std::vector<Doc> docs(batches.size());
    for_each_sentence(
        batches.size(), threads,
        [&] {
            return [&](size_t b) {
                const auto& [begin, end, what, goes_on] = batches[b];
                const bool continues = b == 0 ? part.continues : part.lines;
                docs[b] = read_one(text.substr(begin, end - begin), {continues, goes_on, part.lines});
                docs[b].end = what;
            };
        },
        1);
    return docs;
}

std::vector<Doc> Pipeline::read_each(const std::vector<std::string_view>& texts, size_t threads) const {
    std::vector<Doc> docs(texts.size());
    for_each_sentence(texts.size(), threads, [&] { return [&](size_t b) { docs[b] = read_one(texts[b]); }; }, 1);
    return docs;
}

Doc Pipeline::read_one(std::string_view text, const TextPart& part) const {
    if (parts_.segmenter == nullptr) throw ModelError("the pipeline has no segmenter; it takes tokens only");
    const Segments found = parts_.segmenter->segment(text, part);
    text = text.substr(0, found.end);
    Doc doc;
    doc.text_size = text.size();
    doc.of_lines = part.lines;
    doc.words = Columns::over(std::string(text), 1, "text");
    doc.tokens.reserve(found.tokens.size() + 1);
    for (const Segments::Token& token : found.tokens) doc.tokens.push_back({token.begin, token.end, 0});
    doc.tokens.push_back({text.size(), text.size(), 0});
    for (const Segments::Sentence& s : found.sentences) doc.sentences.push_back({s.first_token, 0, s.begins_paragraph});
    doc.sentences.push_back({found.tokens.size(), 0, false});
    analyse(doc, Given::text);
    return doc;
}

void Pipeline::analyse(Doc& doc, Given given) const {
    if (given != Given::words) split(doc);
    if (doc.word_count() == 0) return;
    if (parts_.familiarity != nullptr) {
        doc.familiar.clear();
        for (size_t s = 0; s < doc.sentence_count(); ++s)
            doc.familiar.push_back(
                parts_.familiarity->count(doc.words, doc.sentences[s].first_word, doc.sentences[s + 1].first_word));
    }
    if ((doc.words.width() > 1) != parts_.tagged)
        throw DataError(parts_.tagged ? "the document has no tags" : "the document has tags already");
    if (parts_.tagger != nullptr) tag(doc);
    if (parts_.lemmatizer != nullptr) {
        const Rewriter::Forms lemmas = parts_.lemmatizer->first_words(doc.words, 1);
        doc.add({"lemma", "", "_", column_of(cells_of(doc.words, lemmas.texts), lemmas.of)});
    }
    for (const ColumnTagger& other : parts_.others) {
        std::vector<Columns::Cell> column =
            column_of(cells_of(doc.words, other.answers->labels()), other.tagger->tag(doc.words, 1));
        begin_chunks(doc, column, given != Given::tokens);
        doc.add({other.name, other.item, other.nothing, std::move(column)});
    }
    if (parts_.parser != nullptr) parse(doc);
}

// Makes the words of the tokens.
void Pipeline::split(Doc& doc) const {
    const auto cell_of = [&](size_t t) { return Columns::part(doc.tokens[t].begin, doc.tokens[t].end); };
    std::vector<Rewriter::Changed> splits;
    if (parts_.splitter != nullptr) {
        Columns forms = Columns::over(std::string(doc.text()), 1, "text");
        for (size_t s = 0; s < doc.sentence_count(); ++s) {
            for (size_t t = doc.sentences[s].first_token; t < doc.sentences[s + 1].first_token; ++t)
                forms.add_cell(cell_of(t));
            forms.end_sentence();
        }
        splits = parts_.splitter->split(forms, 1);
    }
    auto split = splits.begin();
    size_t words = 0;
    for (size_t s = 0; s < doc.sentence_count(); ++s) {
        doc.sentences[s].first_word = words;
        for (size_t t = doc.sentences[s].first_token; t < doc.sentences[s + 1].first_token; ++t) {
            doc.tokens[t].first_word = words;
            if (split != splits.end() && split->row == t) {
                for (const std::string& word : split->words) doc.words.add_cell(doc.words.keep(word));
                words += split++->words.size();
            } else {
                doc.words.add_cell(cell_of(t));
                ++words;
            }
        }
        doc.words.end_sentence();
    }
    doc.tokens.back().first_word = doc.sentences.back().first_word = words;
}

void Pipeline::tag(Doc& doc) const {
    const auto add = [&](const std::vector<std::vector<std::string>>& tags, const std::vector<Label>& labels) {
        for (const std::vector<std::string>& column : tags)
            doc.words.add_column(column_of(cells_of(doc.words, column), labels));
    };
    add(tags_, parts_.tagger->tag(doc.words, 1));
    if (parts_.morphology != nullptr)
        add(features_, parts_.morphology->tag(doc.words, 1));
    else
        doc.words.add_column(std::vector<Columns::Cell>(doc.word_count(), doc.words.keep("_")));
}

void Pipeline::parse(Doc& doc) const {
    const Columns& words = doc.words;
    const auto cell = [&](size_t w, Field field) {
        switch (field) {
            case Field::upos:
                return words.cell(w, Doc::kUpos);
            case Field::xpos:
                return words.cell(w, Doc::kXpos);
            case Field::feats:
                return words.cell(w, Doc::kFeats);
            default:
                return words.cell(w, Doc::kForm);
        }
    };
    const std::vector<Tree> trees = parts_.parser->parse(
        words.sentences(),
        [&](const ParserSpec& spec, size_t s, Words& to) { add_words(words.begin(s), words.end(s), spec, cell, to); },
        1);
    std::vector<Columns::Cell> labels;
    for (uint32_t y = 0; y < parts_.parser->labels().size(); ++y)
        labels.push_back(doc.words.keep(parts_.parser->labels().name(y)));
    std::vector<Columns::Cell> deprels;
    deprels.reserve(doc.word_count());
    for (const Tree& tree : trees)
        for (size_t m = 1; m <= tree.words(); ++m) {
            doc.heads.push_back(tree.heads[m]);
            deprels.push_back(labels[tree.labels[m]]);
        }
    doc.add({"deprel", "", "_", std::move(deprels)});
}

Doc doc_of(const Conllu& data) {
    const TreebankText treebank = treebank_text(data);
    Doc doc;
    doc.text_size = treebank.text.size();
    doc.words = Columns::over(treebank.text, 1, data.name());
    for (size_t s = 0; s < data.sentences(); ++s) {
        for (size_t w = data.begin(s); w < data.end(s); ++w)
            doc.words.add_cell(doc.words.keep(data.cell(w, Field::form)));
        doc.words.end_sentence();
        doc.sentences.push_back({treebank.sentences[s], data.begin(s), data.begins_paragraph(s)});
    }
    for (size_t t = 0; t < treebank.tokens.size(); ++t)
        doc.tokens.push_back({treebank.tokens[t].begin, treebank.tokens[t].end, treebank.words[t]});
    doc.tokens.push_back({doc.text_size, doc.text_size, data.words()});
    doc.sentences.push_back({treebank.tokens.size(), data.words(), false});
    return doc;
}

Doc doc_of_lines(std::string_view text, const std::string& name) {
    Doc doc;
    doc.text_size = text.size();
    doc.words = Columns::over(std::string(text), 1, "text");
    for (size_t begin = 0; begin < text.size();) {
        while (text.substr(begin).starts_with(kByteOrderMark)) begin += kByteOrderMark.size();
        const size_t next = next_line(text, begin), first = doc.tokens.size();
        std::string_view line = text.substr(begin, next - begin), token;
        while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
        for (size_t at = 0; !(token = next_given_token(line, at)).empty();) {
            if (doc.tokens.size() == first) doc.sentences.push_back({first, 0, false});
            doc.tokens.push_back({begin + at - token.size(), begin + at, 0});
            if (token.size() > Columns::kLongestCell)
                throw DataError(name + ": byte " + std::to_string(doc.tokens.back().begin) +
                                ": a token of more than 16 MB");
        }
        begin = next;
    }
    doc.sentences.push_back({doc.tokens.size(), 0, false});
    doc.tokens.push_back({text.size(), text.size(), 0});
    return doc;
}

}  // namespace sapwood
