#include "text/doc.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/stop_check.hpp"
#include "text/characters.hpp"
#include "text/json.hpp"
#include "text/misc_spaces.hpp"
#include "text/numbers.hpp"
#include "text/plain_text.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

void append_number(std::string& out, size_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), end);
}

void append_confidence(std::string& out, double confidence) {
    append_fixed(out, confidence, 4);
}

// A value in MISC: what would end it is escaped as spaces are.
void append_value(std::string& out, std::string_view value) {
    for (const char c : value) {
        if (c == '\t' || c == '\n' || c == '\r' || c == '|')
            append_spaces(out, {&c, 1});
        else
            out += c;
    }
}

// Text on one line, as comments and forms have it: controls that end lines or cells are spaces.
void append_line(std::string& out, std::string_view text) {
    for (const char c : text) out += c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f' ? ' ' : c;
}

// The spaces between two tokens, on one line, without those of no width: to readers these are no spaces.
void append_seen(std::string& out, std::string_view spaces) {
    for (size_t at = 0; at < spaces.size();) {
        const size_t begin = at;
        if (!has_no_width(next_code_point(spaces, at))) append_line(out, spaces.substr(begin, at - begin));
    }
}

bool has_controls(std::string_view text) {
    return text.find_first_of("\t\n\r\v\f") != std::string_view::npos;
}

class Misc {
  public:
    explicit Misc(std::string& out) : out_(out) {}
    std::string& add(std::string_view name) {
        if (any_) out_ += '|';
        any_ = true;
        out_.append(name);
        return out_;
    }
    void end() {
        if (!any_) out_ += '_';
    }

  private:
    std::string& out_;
    bool any_ = false;
};

class ConlluWriter {
  public:
    ConlluWriter(const Doc& doc, Conllu::Builder& to)
        : doc_(doc), to_(to), out_(to.text()), lemmas_(doc.column("lemma")), deprels_(doc.column("deprel")) {}

    void sentence(size_t s, size_t id) {
        const Doc::Sentence &sentence = doc_.sentences[s], &next = doc_.sentences[s + 1];
        if (sentence.begins_paragraph) out_ += "# newpar\n";
        out_ += "# sent_id = ";
        append_number(out_, id);
        out_ += "\n# text = ";
        for (size_t t = sentence.first_token; t < next.first_token; ++t) {
            append_line(out_, doc_.text_of(doc_.tokens[t]));
            if (t + 1 < next.first_token) append_seen(out_, doc_.space_after(t));
        }
        out_ += '\n';
        for (size_t t = sentence.first_token; t < next.first_token; ++t) token(t, sentence.first_word);
        to_.end_sentence();
    }

  private:
    void token(size_t t, size_t first) {
        const size_t begin = doc_.tokens[t].first_word, end = doc_.tokens[t + 1].first_word;
        const bool several = end > begin + 1;
        if (several) {
            to_.begin_row();
            append_number(out_, begin - first + 1);
            out_ += '-';
            append_number(out_, end - first);
            to_.end_cell();
            cell(doc_.text_of(doc_.tokens[t]));
            for (size_t k = 0; k < 7; ++k) to_.add_cell("_");
            Misc misc(out_);
            spaces(t, misc);
            misc.end();
            to_.end_cell();
            to_.end_multiword(end - begin);
        }
        for (size_t w = begin; w < end; ++w) {
            StopCheck::after(500);
            to_.begin_row();
            append_number(out_, w - first + 1);
            to_.end_cell();
            cell(doc_.cell(w, Doc::kForm));
            cell(lemmas_, w);
            for (size_t column : {Doc::kUpos, Doc::kXpos, Doc::kFeats}) cell(doc_.cell(w, column));
            if (doc_.heads.empty())
                out_ += '_';
            else
                append_number(out_, doc_.heads[w]);
            to_.end_cell();
            cell(deprels_, w);
            to_.add_cell("_");
            Misc misc(out_);
            for (const Doc::Column& column : doc_.columns) {
                if (column.item.empty()) continue;
                const std::string_view value = doc_.cell(column, w);
                if (value != "_" && value != column.nothing) append_value(misc.add(column.item) += '=', value);
            }
            if (!several) spaces(t, misc);
            confidences(w, misc);
            misc.end();
            to_.end_cell();
            to_.end_word();
        }
    }

    void confidences(size_t w, Misc& misc) {
        for (const Doc::Confidences& each : doc_.confidences) {
            if (std::isnan(each.of[w])) continue;
            std::string name = each.decision + "Confidence=";
            name[0] = static_cast<char>(name[0] - 'a' + 'A');
            append_confidence(misc.add(name), each.of[w]);
        }
    }

    void cell(std::string_view value) {
        append_line(out_, value);
        to_.end_cell();
    }
    void cell(const Doc::Column* column, size_t w) { cell(column ? doc_.cell(*column, w) : std::string_view("_")); }

    // What MISC has of the spaces around and inside of a token.
    void spaces(size_t t, Misc& misc) {
        const bool last = t + 1 == doc_.token_count();
        const std::string_view inside = doc_.text_of(doc_.tokens[t]), before = space_before(t);
        std::string_view after = doc_.space_after(t);
        if (!last) after = after.substr(0, length_after(after));
        // Without a word on it, the text's last token is followed by a line end, every other one by a space.
        if (last && doc_.end == Doc::End::input)
            append_spaces(misc.add("SpacesAfter="), after);
        else if (after.empty())
            misc.add("SpaceAfter=No");
        else if (after != " ") {
            std::string seen;
            append_seen(seen, after);
            if (seen.empty()) misc.add("SpaceAfter=No");
            append_spaces(misc.add("SpacesAfter="), after);
        }
        if (!before.empty()) append_spaces(misc.add("SpacesBefore="), before);
        if (has_controls(inside)) append_spaces(misc.add("SpacesInToken="), inside);
    }

    // The space between two tokens is written in two parts. SpacesAfter of the first token has it up to where a document
    // may end: with the first empty line, or with the line. SpacesBefore of the second token has the rest. Returns the
    // length of the first part in bytes.
    size_t length_after(std::string_view space) const {
        const size_t line_end = next_line(space, 0);
        return doc_.of_lines ? line_end : next_line(space, line_end);
    }

    // The part of the space before a token that is written in its SpacesBefore.
    std::string_view space_before(size_t t) const {
        if (t == 0) return doc_.text().substr(0, doc_.tokens[0].begin);
        const std::string_view space = doc_.space_after(t - 1);
        return space.substr(length_after(space));
    }

    const Doc& doc_;
    Conllu::Builder& to_;
    std::string& out_;  // the text of the treebank
    const Doc::Column *lemmas_, *deprels_;
};

void append_member(std::string& out, std::string_view name, std::string_view value) {
    out += ", \"";
    out += name;
    out += "\": ";
    append_json_string(out, value);
}

void append_member(std::string& out, std::string_view name, size_t value) {
    out += ", \"";
    out += name;
    out += "\": ";
    append_number(out, value);
}

void append_confidences(std::string& out, const Doc& doc, size_t w) {
    if (doc.confidences.empty()) return;
    out += ", \"confidence\": {";
    bool any = false;
    for (const Doc::Confidences& each : doc.confidences) {
        if (std::isnan(each.of[w])) continue;
        out += any ? ", \"" : "\"";
        out += each.decision;
        append_confidence(out += "\": ", each.of[w]);
        any = true;
    }
    out += '}';
}

// The share of a sentence's words that the model knows; nothing of a sentence without words.
void append_familiarity(std::string& out, const Doc& doc, size_t s) {
    if (doc.familiar.empty() || doc.familiar[s].words == 0) return;
    const auto [words, known] = doc.familiar[s];
    out += ", \"familiarity\": ";
    append_confidence(out, static_cast<double>(known) / static_cast<double>(words));
}

void write(const Doc& doc, size_t first_sentence, Conllu::Builder& to) {
    to.text().reserve(to.text().size() + doc.word_count() * 64);
    ConlluWriter writer(doc, to);
    for (size_t s = 0; s < doc.sentence_count(); ++s) writer.sentence(s, first_sentence + s);
}

// Offsets in characters of offsets in bytes, which are asked for in ascending order.
class Characters {
  public:
    Characters(std::string_view text, size_t first) : text_(text), count_(first) {}
    size_t at(size_t byte) {
        for (; at_ < byte; ++at_) count_ += (static_cast<unsigned char>(text_[at_]) & 0xC0) != 0x80;
        return count_;
    }

  private:
    std::string_view text_;
    size_t count_, at_ = 0;
};

}  // namespace

const Doc::Column* Doc::column(std::string_view name) const {
    const auto at = std::ranges::find(columns, name, &Column::name);
    return at == columns.end() ? nullptr : &*at;
}

void Doc::add(Column column) {
    const auto at = std::ranges::lower_bound(columns, column.name, {}, &Column::name);
    if (at != columns.end() && at->name == column.name)
        *at = std::move(column);
    else
        columns.insert(at, std::move(column));
}

bool Doc::shows_words(size_t token) const {
    const size_t first = tokens[token].first_word, end = tokens[token + 1].first_word;
    if (end - first < 2) return false;
    std::string_view rest = text_of(tokens[token]);
    for (size_t w = first; w < end; ++w) {
        const std::string_view form = cell(w, kForm);
        if (!rest.starts_with(form)) return false;
        rest.remove_prefix(form.size());
    }
    return rest.empty();
}

std::string to_conllu(const Doc& doc, size_t first_sentence) {
    Conllu::Builder treebank("document");
    write(doc, first_sentence, treebank);
    return std::move(treebank.text());
}

Conllu treebank_of(const std::vector<const Doc*>& docs, const std::string& name) {
    Conllu::Builder treebank(name);
    size_t first = 1;
    for (const Doc* doc : docs) {
        write(*doc, first, treebank);
        first += doc->sentence_count();
    }
    return treebank.take();
}

std::string to_json_lines(const Doc& doc, size_t first_character) {
    std::string out;
    Characters characters(doc.text(), first_character);
    const Doc::Column *lemmas = doc.column("lemma"), *deprels = doc.column("deprel");
    for (size_t s = 0; s < doc.sentence_count(); ++s) {
        const Doc::Sentence &sentence = doc.sentences[s], &next = doc.sentences[s + 1];
        const size_t begin = doc.tokens[sentence.first_token].begin, end = doc.tokens[next.first_token - 1].end;
        out += "{\"text\": ";
        append_json_string(out, doc.text().substr(begin, end - begin));
        append_member(out, "start", characters.at(begin));
        out += ", \"tokens\": [";
        for (size_t t = sentence.first_token; t < next.first_token; ++t) {
            const Doc::Token& token = doc.tokens[t];
            const bool own = doc.shows_words(t);  // place of each word
            size_t byte = token.begin, from = characters.at(byte), to = own ? from : characters.at(token.end);
            for (size_t w = token.first_word; w < doc.tokens[t + 1].first_word; ++w) {
                StopCheck::after(500);
                if (own) {
                    byte += doc.cell(w, Doc::kForm).size();
                    from = to;
                    to = characters.at(byte);
                }
                out += w == sentence.first_word ? "{\"id\": " : ", {\"id\": ";
                append_number(out, w - sentence.first_word + 1);
                append_member(out, "text", doc.cell(w, Doc::kForm));
                if (lemmas) append_member(out, "lemma", doc.cell(*lemmas, w));
                if (doc.words.width() > 1) {
                    append_member(out, "upos", doc.cell(w, Doc::kUpos));
                    append_member(out, "xpos", doc.cell(w, Doc::kXpos));
                    append_member(out, "feats", doc.cell(w, Doc::kFeats));
                }
                if (!doc.heads.empty()) append_member(out, "head", doc.heads[w]);
                if (deprels) append_member(out, "deprel", doc.cell(*deprels, w));
                for (const Doc::Column& column : doc.columns)
                    if (!column.item.empty()) append_member(out, column.name, doc.cell(column, w));
                append_member(out, "start", from);
                append_member(out, "end", to);
                append_confidences(out, doc, w);
                out += '}';
            }
        }
        out += ']';
        append_member(out, "end", characters.at(end));
        append_familiarity(out, doc, s);
        out += "}\n";
    }
    return out;
}

}  // namespace sapwood
