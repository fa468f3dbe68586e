#include "text/treebank_text.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "text/characters.hpp"
#include "text/misc_spaces.hpp"
#include "text/normal_form.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

std::string without_spaces(std::string_view text) {
    std::string out(text);
    std::erase_if(out, [](char c) { return std::string_view(" \t\n\r\v\f").find(c) != std::string_view::npos; });
    return out;
}

class Writer {
  public:
    Writer(TreebankText& out, bool apart) : out_(out), apart_(apart) {}

    // Adds a token; `misc` is its MISC cell.
    void add(std::string_view form, std::string_view misc, size_t word, bool new_sentence, bool new_paragraph) {
        const MiscSpaces spaces = misc_spaces(misc);
        if (!spaces.unknown.empty()) count_unknown(spaces.unknown, word);
        if (spaces.before) gap_ += *spaces.before;
        if (new_paragraph && !out_.tokens.empty() && gap_.find_first_of("\r\n") == std::string::npos) gap_ = "\n\n";
        if (!out_.tokens.empty() && !new_paragraph) {
            Borders& borders = new_sentence ? between_ : inside_;
            ++borders.all;
            borders.glued += gap_.empty();
            if (new_sentence && apart_ && gap_.empty()) gap_ = " ";
        }
        out_.text += gap_;
        const size_t begin = out_.text.size();
        out_.text += spaces.inside && without_spaces(*spaces.inside) == without_spaces(form) ? *spaces.inside : form;
        out_.tokens.push_back({begin, out_.text.size()});
        if (form.find(' ') != std::string_view::npos) out_.told = TreebankText::Told::by_forms;

        gap_ = spaces.after.value_or(" ");
        out_.marked += gap_ != " ";
        told_ = spaces.is_text;
    }
    void finish() {
        if (!out_.tokens.empty()) out_.text += told_ ? gap_ : "\n";
        if (out_.marked > 0 || (inside_.all == 0 && out_.tokens.size() > 1)) out_.told = TreebankText::Told::by_misc;
        // Nearly all sentences without a space between them, nearly all tokens with one: that is no text anybody wrote.
        if (20 * between_.glued >= 19 * between_.all && 2 * inside_.glued < inside_.all) out_.glued = between_.glued;
    }

  private:
    struct Borders {
        size_t all = 0, glued = 0;
    };

    void count_unknown(std::string_view field, size_t word) {
        const auto [place, is_new] = unknown_.try_emplace(std::string(field), out_.unknown.size());
        if (is_new)
            out_.unknown.push_back({std::string(field), 1, word});
        else
            ++out_.unknown[place->second].count;
    }

    TreebankText& out_;
    bool apart_;
    Borders between_, inside_;                         // of sentences, of their tokens
    std::string gap_;                                  // between the last token and the next
    bool told_ = false;                                // spelled out
    std::unordered_map<std::string, size_t> unknown_;  // fields, with their places in out_.unknown
};

// A text whose runs of white space are one space each, or none.
std::string with_even_spaces(std::string_view text, bool spaces) {
    std::string out;
    bool gap = false;
    for (size_t at = 0; at < text.size();) {
        const size_t start = at;
        if (const char32_t c = next_code_point(text, at); is_space(c)) {
            gap |= spaces && !out.empty() && !has_no_width(c);
            continue;
        }
        if (gap) out += ' ';
        gap = false;
        out.append(text.substr(start, at - start));
    }
    return out;
}

// Counts the sentences whose words do not spell their comment `# text`.
void compare_with_comments(const Conllu& data, TreebankText& out) {
    for (size_t s = 0; s < data.sentences(); ++s) {
        const std::string_view said = data.text(s);
        if (said.empty()) continue;
        ++out.with_text;
        const size_t begin = out.tokens[out.sentences[s]].begin, end = out.tokens[out.sentences[s + 1] - 1].end;
        const std::string_view spelled = std::string_view(out.text).substr(begin, end - begin);
        const bool spaces = out.marked > 0;
        if (said == spelled || composed(with_even_spaces(said, spaces)) == composed(with_even_spaces(spelled, spaces)))
            continue;
        if (out.misspelled++ == 0) out.first_misspelled = s;
    }
}

// Moves `at` behind the spaces of a text.
void pass_spaces(std::string_view text, size_t& at) {
    for (size_t next = at; next < text.size() && is_space(next_code_point(text, next));) at = next;
}

// Moves `at` behind a form in a text, which may have other spaces where the form has some. False: it is not there.
bool pass_form(std::string_view text, size_t& at, std::string_view form) {
    size_t end = at;
    for (size_t f = 0; f < form.size();) {
        const char32_t c = next_code_point(form, f);
        if (is_space(c))
            pass_spaces(text, end);
        else if (end == text.size() || next_code_point(text, end) != c)
            return false;
    }
    at = end;
    return true;
}

// The spaces of a text before each token of sentence `s`; none if the text is not that of these tokens.
std::vector<std::string_view> spaces_before(std::string_view text, const TreebankText& tokens, size_t s) {
    std::vector<std::string_view> found;
    size_t at = 0;
    for (size_t t = tokens.sentences[s]; t < tokens.sentences[s + 1]; ++t) {
        const size_t gap = at;
        pass_spaces(text, at);
        found.push_back(text.substr(gap, at - gap));
        const auto [begin, end] = tokens.tokens[t];
        const std::string_view form = std::string_view(tokens.text).substr(begin, end - begin);
        if (!pass_form(text, at, form) && !pass_form(text, at, composed(form))) return {};
    }
    pass_spaces(text, at);
    return at == text.size() ? found : std::vector<std::string_view>();
}

// Takes the spaces between the tokens of a sentence from its comment `# text`, if that has the same tokens.
void take_spaces_of_comments(const Conllu& data, TreebankText& out) {
    std::string text, scratch;
    size_t end = 0;  // of the last token, in the text as MISC has it
    for (size_t s = 0; s < data.sentences(); ++s) {
        std::vector<std::string_view> spaces = spaces_before(data.text(s), out, s);
        if (spaces.empty()) spaces = spaces_before(composed(data.text(s), scratch), out, s);
        const size_t first = out.sentences[s];
        if (!spaces.empty()) out.told = TreebankText::Told::by_text;
        for (size_t t = first; t < out.sentences[s + 1]; ++t) {
            auto& token = out.tokens[t];
            const std::string_view old = std::string_view(out.text).substr(end, token.end - end);
            text += t > first && !spaces.empty() ? spaces[t - first] : old.substr(0, token.begin - end);
            text += old.substr(token.begin - end);
            end = token.end;
            token = {text.size() - (token.end - token.begin), text.size()};
        }
    }
    out.text = text + out.text.substr(end);
}

// Turns spaces between tokens into line ends, line by line as long as they fit: the offsets stay.
void wrap(TreebankText& out, size_t width) {
    size_t column = 0;                // characters on this line up to `written`
    size_t written = 0;               // offset: the text before it has its place
    size_t last = std::string::npos;  // offset of the last space on this line at which it can be broken
    const auto advance = [&](size_t to) {
        const std::string_view piece = std::string_view(out.text).substr(written, to - written);
        const size_t line_end = piece.find_last_of("\r\n");
        if (line_end == std::string_view::npos) {
            column += code_points(piece);
        } else {
            column = code_points(piece.substr(line_end + 1));
            last = std::string::npos;
        }
        written = to;
    };
    for (size_t t = 0; t < out.tokens.size(); ++t) {
        const auto [begin, end] = out.tokens[t];
        const size_t before = t == 0 ? 0 : out.tokens[t - 1].end;
        advance(begin);
        if (t > 0 && begin == before + 1 && out.text[before] == ' ') last = before;
        advance(end);
        if (column > width && last != std::string::npos) {
            out.text[last] = '\n';
            column = code_points(std::string_view(out.text).substr(last + 1, end - last - 1));
            last = std::string::npos;
        }
    }
}

TreebankText put_together(const Conllu& data, bool apart) {
    TreebankText out;
    out.text.reserve(data.words() * 6);
    out.tokens.reserve(data.words());
    Writer writer(out, apart);
    auto multiword = data.multiwords().begin();
    for (size_t s = 0; s < data.sentences(); ++s) {
        out.sentences.push_back(out.tokens.size());
        bool new_sentence = true, new_paragraph = data.begins_paragraph(s);
        for (size_t word = data.begin(s); word < data.end(s); new_sentence = new_paragraph = false) {
            out.words.push_back(word);
            if (multiword != data.multiwords().end() && multiword->begin == word) {
                writer.add(data.cell(multiword->row, Field::form), data.cell(multiword->row, Field::misc), word,
                           new_sentence, new_paragraph);
                word = multiword++->end;
            } else {
                writer.add(data.cell(word, Field::form), data.cell(word, Field::misc), word, new_sentence,
                           new_paragraph);
                ++word;
            }
        }
    }
    writer.finish();
    out.words.push_back(data.words());
    out.sentences.push_back(out.tokens.size());
    return out;
}

}  // namespace

TreebankText treebank_text(const Conllu& data, size_t width, bool apart) {
    TreebankText out = put_together(data, false);
    if (apart && out.glued > 0) out = put_together(data, true);
    compare_with_comments(data, out);
    if (apart && out.marked == 0) take_spaces_of_comments(data, out);
    if (width > 0) wrap(out, width);
    return out;
}

}  // namespace sapwood
