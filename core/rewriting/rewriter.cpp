#include "rewriting/rewriter.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <unordered_map>

#include "base/errors.hpp"
#include "rewriting/next_words.hpp"
#include "text/normal_form.hpp"
#include "text/utf8.hpp"

namespace sapwood {

namespace {

constexpr std::string_view kUnchanged = "[:]";
constexpr size_t kAtOnce = 32;  // rows of a sequence, where rows are tagged one by one

// Whether the label of a row depends on no other row. A list of phrases of several words looks at the rows that follow.
bool looks_at_one_row(const Extractor& extractor) {
    const Template& pattern = extractor.pattern();
    const auto alone = [&](const Part& part) {
        const Attribute& attribute = pattern.attributes()[part.attribute];
        return part.offset == 0 && !part.absolute &&
               (attribute.kind != Attribute::Kind::list ||
                extractor.lists()[pattern.list_index(attribute.argument)].longest <= 1);
    };
    return std::ranges::all_of(pattern.lines(),
                               [&](const Line& line) { return std::ranges::all_of(line.parts, alone); });
}

// What words have in a lexicon that have this UPOS in a treebank; nothing if it has no such words. A lexicon without
// PROPN has names among its nouns.
std::string_view tag_in(const Lexicon& words, std::string_view tag) {
    if (words.has(tag)) return tag;
    constexpr std::string_view noun = "NOUN";
    return tag == "PROPN" && words.has(noun) ? noun : std::string_view();
}

// Whether a form is an address of a page (any://, www.site, site.org/page) or of mail (name@site.org), in any case.
bool is_address(std::string_view form) {
    constexpr size_t none = std::string_view::npos;
    const size_t at = form.find('@'), slash = form.find('/'), dot = form.find('.');
    const bool is_www = dot == 3 && std::ranges::all_of(form.substr(0, dot), [](char c) { return (c | 0x20) == 'w'; });
    const bool has_host = slash != none && dot > 0 && dot + 1 < slash;
    const bool is_mail = at != none && at > 0 && form.find('.', at) != none;
    return is_www || has_host || is_mail || form.find("://") != none;
}

std::vector<EditScript> scripts_of(const std::vector<std::string>& labels, size_t most_words) {
    std::vector<EditScript> scripts;
    for (const std::string& label : labels) {
        scripts.emplace_back(std::string_view(label));
        if (scripts.back().words() > most_words)
            throw ModelError("its edit script '" + std::string(prefix(label, 60)) + "' makes " +
                             std::to_string(scripts.back().words()) + " words");
    }
    scripts.emplace_back(kUnchanged);
    return scripts;
}

// The number of each script with the form in lower case, or its own if there is none.
std::vector<Label> lowered_of(const std::vector<EditScript>& scripts) {
    std::unordered_map<std::string_view, Label> labels;
    for (size_t k = 0; k < scripts.size(); ++k) labels.emplace(scripts[k].text(), static_cast<Label>(k));
    std::vector<Label> lowered;
    for (size_t k = 0; k < scripts.size(); ++k) {
        const auto at = labels.find(scripts[k].lowered());
        lowered.push_back(at != labels.end() ? at->second : static_cast<Label>(k));
    }
    return lowered;
}

}  // namespace

Rewriter::Rewriter(const Tagger& tagger, size_t most_words, LemmaLexicon lexicon, std::string_view lists,
                   std::shared_ptr<const Lexicon> words)
    : tagger_(tagger),
      lexicon_(std::move(lexicon)),
      guard_(scripts_of(tagger.spec().labels, most_words), lists),
      lowered_(lowered_of(guard_.scripts())),
      words_(std::move(words)),
      alone_(looks_at_one_row(tagger.extractor())) {
    if ((!lexicon_.empty() || words_ != nullptr) && tagger.columns_needed() < 2)
        throw ModelError("its lexicon goes by tags, which it does not read");
    if (tagger.spec().reach() > 0) throw ModelError("edit scripts are chosen by argmax search alone");
}

Rewriter::Choices Rewriter::choose(const Columns& rows, size_t threads) const {
    tagger_.check_columns(rows);
    if (alone_) return choose_by_kind(rows, threads);
    Choices choices{std::vector<size_t>(rows.tokens()), std::vector<uint32_t>(rows.tokens()), {}};
    std::iota(choices.rows.begin(), choices.rows.end(), size_t{0});
    std::iota(choices.of.begin(), choices.of.end(), uint32_t{0});
    choices.scripts = scripts_for(rows, threads);
    return choices;
}

Rewriter::Choices Rewriter::choose_by_kind(const Columns& rows, size_t threads) const {
    const size_t columns = tagger_.columns_needed();
    const auto memory = memories_.borrow([&] { return std::make_unique<Memory>(columns); });
    auto& [known, kinds, texts] = *memory;
    ++texts;
    Choices choices;
    choices.of.reserve(rows.tokens());
    std::vector<uint32_t> kind_of;  // [kinds of this text]
    const size_t first_new = kinds.size();
    Columns unknown(columns, rows.name());
    if (rows.has_gaps()) unknown.allow_gaps();
    for (size_t begin = 0; begin < rows.tokens(); begin += kAtOnce) {
        const size_t n = std::min(kAtOnce, rows.tokens() - begin);
        uint64_t hashes[kAtOnce];
        for (size_t k = 0; k < n; ++k) {
            hashes[k] = known.hash(rows, begin + k);
            known.prefetch(hashes[k]);
        }
        for (size_t k = 0; k < n; ++k) {
            const size_t t = begin + k;
            const uint32_t number = known.number(rows, t, hashes[k]);
            if (number == kinds.size()) {
                kinds.emplace_back();
                for (size_t c = 0; c < columns; ++c) unknown.add_cell(rows.cell(t, c));
                if ((kinds.size() - first_new) % kAtOnce == 0) unknown.end_sentence();
            }
            Memory::Kind& kind = kinds[number];
            if (kind.text != texts) {
                kind.text = texts;
                kind.number = static_cast<uint32_t>(kind_of.size());
                kind_of.push_back(number);
                choices.rows.push_back(t);
            }
            choices.of.push_back(kind.number);
        }
    }
    if ((kinds.size() - first_new) % kAtOnce != 0) unknown.end_sentence();
    const std::vector<Label> scripts = scripts_for(unknown, threads);
    for (size_t k = 0; k < scripts.size(); ++k) kinds[first_new + k].script = scripts[k];
    choices.scripts.reserve(kind_of.size());
    for (const uint32_t number : kind_of) choices.scripts.push_back(kinds[number].script);
    return choices;
}

// The script of each row: the lexicon's if it has one that fits, otherwise one that the tagger finds good.
std::vector<Label> Rewriter::scripts_for(const Columns& rows, size_t threads) const {
    std::vector<Label> scripts = tagger_.tag(rows, threads);
    std::string scratch;
    for (size_t s = 0; s < rows.sentences(); ++s)
        for (size_t t = rows.begin(s); t < rows.end(s); ++t) {
            const std::string_view form = composed(rows.cell(t, 0), scratch);
            if (is_address(form)) {
                scripts[t] = static_cast<Label>(guard_.scripts().size() - 1);
                continue;
            }
            std::optional<Label> given;
            if (!lexicon_.empty()) given = lexicon_.find(form, rows.cell(t, 1));
            if (given && guard_.scripts()[*given].mixes_cases(form)) given = lowered_[*given];
            scripts[t] = given && fits(*given, form) ? *given : choice(scripts[t], form, rows, s, t);
        }
    return scripts;
}

bool Rewriter::fits(Label script, std::string_view form) const {
    return guard_.scripts()[script].fits(form) && !guard_.scripts()[script].mixes_cases(form);
}

// Whether a script makes a word of a form that the language has with this tag.
bool Rewriter::known(Label script, std::string_view form, std::string_view tag) const {
    return words_->has(guard_.scripts()[script].apply(form)->front(), tag);
}

// How many letters the longest known word has that ends what a script makes of a form, if letters stand before it: 4 for
// "upvote"; 0 if there is none, or if the script leaves all letters.
size_t Rewriter::known_end(Label script, std::string_view form, std::string_view tag) const {
    constexpr size_t shortest_begin = 2, shortest_end = 4;  // letters
    if (guard_.scripts()[script].keeps_letters()) return 0;
    const std::string lemma = std::move(guard_.scripts()[script].apply(form)->front());
    size_t end = code_points(lemma);
    end -= std::min(end, shortest_begin);
    while (end >= shortest_end && !words_->has(suffix(lemma, end), tag)) --end;
    return end >= shortest_end ? end : 0;
}

// The script of a row, of those that may rewrite its form. `best` is the tagger's choice. If it may not, or makes no
// known word where words with the row's tag are known, other scripts follow in the tagger's order: first those whose
// lemma is a known word, then the one whose lemma ends in the longest known word, then those that leave the letters'
// case as `best` does, then all.
Label Rewriter::choice(Label best, std::string_view form, const Columns& rows, size_t sentence, size_t row) const {
    const std::vector<EditScript>& scripts = guard_.scripts();
    if (scripts[best].keeps_letters() && fits(best, form)) return best;
    const std::string_view tag = words_ != nullptr ? tag_in(*words_, rows.cell(row, 1)) : std::string_view();
    const bool seeks = !tag.empty();
    const auto may = [&](Label script) { return fits(script, form) && guard_.allows(script, form); };
    const auto is_word = [&](Label script) { return !seeks || known(script, form, tag); };
    const bool proven = seeks && guard_.common(best, form);
    if (fits(best, form) && (proven || guard_.allows(best, form)) && is_word(best)) return best;
    std::optional<Label> joined, second, third;
    size_t longest = 0;
    for (const Label script : tagger_.ranked(rows, sentence, row)) {
        if (!may(script)) continue;
        if (!third) third = script;
        if (!scripts[script].cases_alike(scripts[best], form)) continue;
        if (is_word(script)) return script;
        if (const size_t end = known_end(script, form, tag); end > longest) {
            longest = end;
            joined = script;
        }
        if (!second) second = script;
    }
    const auto unchanged = static_cast<Label>(scripts.size() - 1);
    return joined.value_or(second.value_or(third.value_or(unchanged)));
}

Rewriter::Forms Rewriter::first_words(const Columns& words, size_t threads) const {
    const bool looks_on = words.width() == kWordColumns && tagger_.columns_needed() > kWordColumns;
    std::optional<Columns> wide;
    const Columns& rows = looks_on ? wide.emplace(with_next_words(words)) : words;
    Choices choices = choose(rows, threads);
    Forms forms;
    forms.texts.reserve(choices.rows.size());
    for (size_t k = 0; k < choices.rows.size(); ++k) {
        const std::string_view form = rows.cell(choices.rows[k], 0);
        forms.texts.push_back(in_form_of(form, guard_.scripts()[choices.scripts[k]].apply(composed(form))->front()));
    }
    forms.of = std::move(choices.of);
    return forms;
}

std::vector<Rewriter::Changed> Rewriter::changed(const Columns& rows, const Columns& shown, size_t threads) const {
    const Choices choices = choose(rows, threads);
    std::vector<Changed> found;
    for (size_t t = 0; t < rows.tokens(); ++t) {
        const EditScript& script = guard_.scripts()[choices.scripts[choices.of[t]]];
        if (script.text() == kUnchanged) continue;
        const std::string_view form = shown.cell(t, 0);
        found.push_back({t, *script.apply(composed(form))});
        for (std::string& word : found.back().words) word = in_form_of(form, word);
    }
    return found;
}

}  // namespace sapwood
