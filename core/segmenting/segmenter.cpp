#include "segmenting/segmenter.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/normal_form.hpp"
#include "text/plain_text.hpp"

namespace sapwood {

namespace {

constexpr size_t kLongestSentence = 1000;  // tokens; a longer one is cut there, as a parser's time is not linear
constexpr size_t kRarity = 2000;           // rarer beginnings at a kind of place are taken for errors of the data

Begins begins_of(const std::string& label) {
    const auto at = std::find(kBeginsLabels.begin(), kBeginsLabels.end(), label);
    if (at == kBeginsLabels.end()) throw ModelError("a segmenter's labels are '.', 'T' and 'S'");
    return static_cast<Begins>(at - kBeginsLabels.begin());
}

// Where a window that begins at `begin` ends: not inside of a character.
size_t window_end(std::string_view text, size_t begin, size_t end) {
    if (end - begin <= Segmenter::kWindow) return end;
    size_t at = begin + Segmenter::kWindow;
    while ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
    return at;
}

}  // namespace

Segmenter::Segmenter(const Tagger& tagger, SegmentChoices choices) : tagger_(tagger), choices_(std::move(choices)) {
    for (const std::string& label : tagger_.spec().labels) begins_.push_back(begins_of(label));
}

// A paragraph, or a line that is a sentence, on its way: the windows before `begin` are cut.
struct Segmenter::Cutting {
    struct Known {
        Place place;  // offsets from the window's begin
        BeginsSet set;
    };
    size_t begin, end, window;
    bool is_sentence;
    Segments found;
    std::vector<Known> places;  // of the window

    bool done() const { return begin >= end; }

    void token(size_t at, bool begins_sentence) {
        const bool long_one =
            !found.sentences.empty() && found.tokens.size() - found.sentences.back().first_token >= kLongestSentence;
        if (begins_sentence || long_one || found.sentences.empty())
            found.sentences.push_back({found.tokens.size(), found.sentences.empty()});
        found.tokens.push_back({at, at});
    }

    // Takes what begins at each place of the window: next() says it where there is a choice.
    template <class Next>
    void cut(std::string_view text, Next&& next) {
        const size_t first = found.tokens.size(), first_sentence = found.sentences.size();
        token(begin, true);
        for (const Known& known : places) {
            const bool choice = (known.set & (known.set - 1)) != 0;
            const Begins said = choice                                 ? next()
                                : known.set == set_of(Begins::nothing) ? Begins::nothing
                                : known.set == set_of(Begins::token)   ? Begins::token
                                                                       : Begins::sentence;
            const Begins what = known.place.address.value_or(said);
            if (what == Begins::nothing) continue;
            found.tokens.back().end = begin + known.place.before_end;
            token(begin + known.place.at, what == Begins::sentence && !is_sentence);
        }
        // The last sentence of the window, or else its last token, is cut again in the next window, with more text after
        // it. It must begin in the second half of the window, so that the time stays linear in long text without cuts.
        const size_t half = begin + (window - begin) / 2;
        const bool sentences = found.sentences.size() > first_sentence + 1;
        for (const size_t kept : {sentences ? found.sentences.back().first_token : first, found.tokens.size() - 1}) {
            if (window == end || kept == first || found.tokens[kept].begin < half) continue;
            begin = found.tokens[kept].begin;
            found.tokens.resize(kept);
            while (found.sentences.back().first_token >= kept) found.sentences.pop_back();
            return;
        }
        // A token that fills half a window is cut before the last character, which may be one of several code points.
        const bool long_token = window < end && !places.empty() && begin + places.back().place.at >= half;
        const size_t last = long_token ? begin + places.back().place.at : window;
        found.tokens.back().end = end_of_text(text, found.tokens.back().begin, last);
        begin = last;
        while (begin < end && is_space_at(text, begin)) next_code_point(text, begin);
    }

    static bool is_space_at(std::string_view text, size_t at) { return is_space(next_code_point(text, at)); }

    // The end of the last character before `last` that is no space.
    static size_t end_of_text(std::string_view text, size_t at, size_t last) {
        size_t end = at;
        while (at < last)
            if (!is_space(next_code_point(text, at))) end = at;
        return end;
    }
};

Segments Segmenter::segment(std::string_view text, const TextPart& part) const {
    if (std::string scratch; composed(text, scratch) != text) {
        const ComposedText whole(text);
        Segments found = segment(whole.text(), part);
        for (Segments::Token& token : found.tokens) token = {whole.given_at(token.begin), whole.given_at(token.end)};
        found.end = whole.given_at(found.end);
        return found;
    }
    std::vector<Cutting> all;
    for (const Paragraph& p : part.lines ? lines(text) : paragraphs(text))
        all.push_back({p.begin, p.end, p.begin, part.lines, {}, {}});
    const auto waits = [&](const Cutting& cutting) {
        return part.goes_on && &cutting == &all.back() && cutting.end - cutting.begin <= kWindow;
    };
    for (;;) {
        SegmentRows rows(text, choices_, false);
        bool any = false;
        for (Cutting& cutting : all) {
            StopCheck::after(16);
            if (cutting.done() || waits(cutting)) continue;
            any = true;
            cutting.window = window_end(text, cutting.begin, cutting.end);
            cutting.places.clear();
            rows.add(cutting.begin, cutting.window,
                     [&](const Place& place, BeginsSet set) { cutting.places.push_back({place, set}); });
        }
        if (!any) break;
        const std::vector<Label> labels = tagger_.tag(rows.columns(), 1);
        auto label = labels.begin();
        for (Cutting& cutting : all)
            if (!cutting.done() && !waits(cutting)) cutting.cut(text, [&] { return begins_[*label++]; });
    }
    Segments segments;
    segments.end = all.empty() || all.back().done() ? text.size() : all.back().begin;
    size_t before = 0;  // where the line before ends
    const auto has_empty_line = [&](const Cutting& behind) {
        return text.substr(before, behind.found.tokens[0].begin - before).find_first_of("\r\n") < text.size();
    };
    for (const Cutting& cutting : all) {
        for (Segments::Sentence sentence : cutting.found.sentences) {
            if (segments.sentences.empty() ? part.continues : part.lines)
                sentence.begins_paragraph &= part.lines && has_empty_line(cutting);
            sentence.first_token += segments.tokens.size();
            segments.sentences.push_back(sentence);
        }
        before = cutting.end;
        segments.tokens.insert(segments.tokens.end(), cutting.found.tokens.begin(), cutting.found.tokens.end());
    }
    return segments;
}

Columns Segmenter::rows(std::string_view text) const {
    std::string scratch;
    text = composed(text, scratch);
    SegmentRows rows(text, choices_, false);
    for (const Paragraph& p : paragraphs(text)) rows.add(p.begin, p.end, [](const Place&, BeginsSet) {});
    return rows.take();
}

std::vector<std::vector<size_t>> Segmenter::places(std::string_view text) const {
    std::vector<std::vector<size_t>> found;
    const ComposedText whole(text);
    size_t counted = 0, characters = 0;  // of the text's begin: bytes and characters
    const auto characters_until = [&](size_t end) {
        for (; counted < end; ++counted) characters += (static_cast<unsigned char>(text[counted]) & 0xC0) != 0x80;
        return characters;
    };
    for (const Paragraph& p : paragraphs(whole.text())) {
        std::vector<size_t>& inside = found.emplace_back();
        each_place(std::string_view(whole.text()).substr(p.begin, p.end - p.begin), [&](const Place& place) {
            const BeginsSet set = choices_(place);
            if ((set & (set - 1)) != 0) inside.push_back(characters_until(whole.given_at(p.begin + place.at)));
        });
        if (inside.empty()) found.pop_back();
    }
    return found;
}

SegmentExamples segment_examples(const TreebankText& treebank, std::optional<SegmentChoices> choices) {
    const ComposedText whole(treebank.text);
    std::string text = whole.text();
    std::vector<Paragraph> parts = paragraphs(text);
    // Paragraphs that are a sentence each would teach that no sentence begins inside of one; so they are joined.
    if (!choices && 20 * parts.size() >= 19 * (treebank.sentences.size() - 1)) {
        std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
        parts = paragraphs(text);
    }
    std::vector<bool> begins_sentence(treebank.tokens.size() + 1);
    for (size_t first : treebank.sentences) begins_sentence[first] = true;
    size_t next = 0;  // token
    // What begins at an offset. Offsets are asked for in ascending order.
    const auto gold = [&](size_t at) {
        const auto begin = [&] { return whole.composed_at(treebank.tokens[next].begin); };
        while (next < treebank.tokens.size() && begin() < at) ++next;
        if (next == treebank.tokens.size() || begin() != at) return Begins::nothing;
        return begins_sentence[next] ? Begins::sentence : Begins::token;
    };
    if (!choices) {
        choices.emplace();
        for (const Paragraph& p : parts)
            each_place(std::string_view(text).substr(p.begin, p.end - p.begin),
                       [&](const Place& place) { choices->count(place, gold(p.begin + place.at)); });
        choices->settle(kRarity);
    }
    const auto rows_by = [&](const SegmentChoices& by) {
        SegmentRows rows(text, by, true);
        next = 0;
        for (const Paragraph& p : parts)
            rows.add(p.begin, p.end, [&](const Place& place, BeginsSet) { return gold(p.begin + place.at); });
        return rows.take();
    };
    Columns rows = rows_by(*choices);
    // Where the text has no choice at any kind of place, a tagger is asked at kinds that it does not have.
    if (rows.tokens() == 0) rows = rows_by(choices->of_other_kinds());
    if (rows.tokens() == 0) {
        rows = Columns(kSegmentColumns + 1, "text");
        for (size_t k = 0; k < kSegmentColumns; ++k) rows.add_cell(kOutside);
        rows.add_cell(kBeginsLabels[static_cast<size_t>(Begins::token)]);
        rows.end_sentence();
    }
    return {*choices, std::move(rows)};
}

}  // namespace sapwood
