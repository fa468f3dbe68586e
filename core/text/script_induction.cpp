#include "text/script_induction.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/label_set.hpp"
#include "text/letters.hpp"
#include "text/normal_form.hpp"

namespace sapwood {

namespace {

constexpr size_t kLongestAligned = 64;  // letters; longer words are copied as a whole, at the front or at the end

// Letters of a word that are copied from the form: `length` letters, `at` in the word, `from` in the form.
struct Copied {
    size_t from = 0, at = 0, length = 0;
};
using Alignment = std::vector<Copied>;  // [words]

// The slices, in the order of the words and without overlap, that copy the most letters.
//
//     best(w, p) = max( best(w + 1, p),                                     word w copies nothing
//                       max over slices [s, s + k) of the form with s >= p that are in word w:
//                           k + best(w + 1, s + k) )
Alignment longest_copies(std::u32string_view form, const std::vector<std::u32string>& words) {
    const size_t places = form.size() + 1;
    std::vector<size_t> best((words.size() + 1) * places, 0);
    std::vector<Copied> choice(words.size() * places);
    for (size_t w = words.size(); w-- > 0;) {
        const std::u32string& word = words[w];
        const size_t* after = best.data() + (w + 1) * places;
        size_t* here = best.data() + w * places;
        for (size_t p = places; p-- > 0;) {
            here[p] = after[p];
            if (p + 1 < places && here[p + 1] > here[p]) {
                here[p] = here[p + 1];
                choice[w * places + p] = choice[w * places + p + 1];
            }
            for (size_t at = 0; at < word.size(); ++at)
                for (size_t k = 1; p + k <= form.size() && at + k <= word.size() && form[p + k - 1] == word[at + k - 1];
                     ++k)
                    if (k + after[p + k] >= here[p]) {
                        here[p] = k + after[p + k];
                        choice[w * places + p] = {p, at, k};
                    }
        }
    }
    Alignment alignment;
    size_t p = 0;
    for (size_t w = 0; w < words.size(); ++w) {
        const Copied copied = choice[w * places + p];
        alignment.push_back(copied);
        if (copied.length > 0) p = copied.from + copied.length;
    }
    return alignment;
}

// The places within the form where slices begin and end, in rising order.
std::vector<size_t> cuts_of(const Alignment& alignment, size_t letters) {
    std::set<size_t> cuts;
    for (const Copied& c : alignment)
        if (c.length > 0) cuts.insert({c.from, c.from + c.length});
    cuts.erase(0);
    cuts.erase(letters);
    return {cuts.begin(), cuts.end()};
}

// The script of an alignment. Places before `turn` are counted from the front, later ones from the end.
EditScript script_of(const Alignment& alignment, const std::vector<std::u32string>& words, size_t letters, size_t turn,
                     LetterCase letter_case, const EditScript::Marks& dropped = {}) {
    const auto place = [&](size_t at) {
        const bool from_end = at == letters || (at > 0 && at >= turn);
        return EditScript::Place{static_cast<uint32_t>(from_end ? letters - at : at), from_end};
    };
    std::vector<EditScript::Word> script;
    for (size_t w = 0; w < words.size(); ++w) {
        const Copied& c = alignment[w];
        const std::u32string_view word = words[w];
        EditScript::Word& pieces = script.emplace_back();
        const auto add_text = [&](std::u32string_view text) {
            if (text.empty()) return;
            pieces.emplace_back();
            pieces.back().text = utf8_of(text);
        };
        add_text(word.substr(0, c.at));
        if (c.length > 0) pieces.push_back({true, letter_case, place(c.from), place(c.from + c.length), {}});
        add_text(word.substr(c.at + c.length));
    }
    return EditScript(std::move(script), dropped);
}

std::vector<Alignment> alignments(std::u32string_view form, const std::vector<std::u32string>& words) {
    std::vector<Alignment> found;
    if (form.size() > EditScript::kFarthest) return found;
    size_t longest = form.size();
    for (const std::u32string& word : words) longest = std::max(longest, word.size());
    if (longest <= kLongestAligned) found.push_back(longest_copies(form, words));
    if (words.size() > 1) {
        Alignment joined;  // words that are nothing but the form, cut
        size_t at = 0;
        for (const std::u32string& word : words) {
            if (form.substr(std::min(at, form.size()), word.size()) != word) break;
            joined.push_back({at, 0, word.size()});
            at += word.size();
        }
        if (joined.size() == words.size() && at == form.size()) found.insert(found.begin(), std::move(joined));
        return found;
    }
    const std::u32string& word = words[0];
    const auto front = static_cast<size_t>(std::ranges::mismatch(form, word).in1 - form.begin());
    size_t end = 0;
    while (end < std::min(form.size(), word.size()) && form[form.size() - 1 - end] == word[word.size() - 1 - end])
        ++end;
    if (front > 0) found.insert(found.begin(), Alignment{{0, 0, front}});
    if (end > 0) found.push_back(Alignment{{form.size() - end, word.size() - end, end}});
    return found;
}

// The marks that forms have and their lemmas do not, in nine of ten words; nothing if words have no marks or keep them.
EditScript::Marks dropped_marks(const std::vector<Rewriting>& examples) {
    constexpr size_t kFewest = 10;  // words
    struct Counts {
        size_t forms = 0, dropped = 0;
    };
    std::map<char32_t, Counts> counts;
    std::set<std::string_view> known;
    for (const auto& [form, words] : examples) {
        if (words.size() > 1 || !known.insert(form).second) continue;
        const std::u32string marks = marks_of(letters_of(form));
        if (marks.empty()) continue;
        const std::u32string kept = marks_of(letters_of(words[0]));
        for (const char32_t mark : std::set<char32_t>(marks.begin(), marks.end())) {
            ++counts[mark].forms;
            counts[mark].dropped += std::ranges::count(kept, mark) < std::ranges::count(marks, mark);
        }
    }
    std::u32string dropped;
    size_t most = 0;
    for (const auto& [mark, count] : counts) {
        if (10 * count.dropped < 9 * count.forms) continue;
        dropped += mark;
        most = std::max(most, count.dropped);
    }
    if (most < kFewest) return std::nullopt;
    return dropped.size() == counts.size() ? std::u32string() : dropped;
}

}  // namespace

std::vector<EditScript> scripts_for(const Rewriting& example, const EditScript::Marks& dropped) {
    const std::u32string form = letters_of(example.form);
    std::vector<std::u32string> words;
    for (const std::string& word : example.words) words.push_back(letters_of(word));
    if (form.empty() || words.empty() || std::ranges::any_of(words, &std::u32string::empty))
        throw DataError("an edit script needs a form and words that are not empty");
    std::vector<EditScript> scripts;
    const auto add = [&](EditScript script) {
        if (script.apply(example.form) == example.words &&
            std::ranges::find(scripts, script.text(), &EditScript::text) == scripts.end())
            scripts.push_back(std::move(script));
    };
    const bool lemma = words.size() == 1;
    for (const LetterCase letter_case :
         {LetterCase::keep, LetterCase::lower, LetterCase::title, LetterCase::capital, LetterCase::upper}) {
        if (!lemma && letter_case != LetterCase::keep) break;
        const std::u32string cased = with_case(form, letter_case);
        for (const Alignment& alignment : alignments(cased, words)) {
            std::vector<size_t> cuts = cuts_of(alignment, form.size());
            if (lemma) {  // begins are counted from the front, ends from the end
                add(script_of(alignment, words, form.size(), alignment[0].from + 1, letter_case));
                continue;
            }
            cuts.push_back(form.size());
            for (const size_t turn : cuts) add(script_of(alignment, words, form.size(), turn, letter_case));
        }
        if (!lemma || !dropped) continue;
        const std::u32string plain = without_marks(cased, *dropped);
        for (const Alignment& alignment : alignments(plain, words))
            if (alignment[0].length > 0)
                add(script_of(alignment, words, plain.size(), alignment[0].from + 1, letter_case, dropped));
    }
    add(script_of(Alignment(words.size()), words, form.size(), 0, LetterCase::keep));
    return scripts;
}

std::vector<std::string> choose_scripts(const std::vector<Rewriting>& examples) {
    // Equal examples count once.
    std::unordered_map<std::string, size_t> known;
    std::vector<size_t> distinct(examples.size());  // [examples]
    LabelSet scripts;
    std::vector<std::vector<size_t>> covers;  // [scripts] distinct examples that it is right for
    std::vector<bool> slices;                 // [scripts] whether it has some
    const EditScript::Marks dropped = dropped_marks(examples);
    for (size_t e = 0; e < examples.size(); ++e) {
        std::string key = examples[e].form;
        for (const std::string& word : examples[e].words) key.append(1, '\0').append(word);
        const auto [at, fresh] = known.try_emplace(std::move(key), known.size());
        distinct[e] = at->second;
        if (!fresh) continue;
        StopCheck::after(1 << 14);
        for (const EditScript& script : scripts_for(examples[e], dropped)) {
            const uint32_t number = scripts.number(script.text());
            if (number == covers.size()) {
                covers.emplace_back();
                slices.push_back(script.has_slices());
            }
            covers[number].push_back(at->second);
        }
    }
    // Ties go to scripts with slices, then to the shorter text, then to the one that comes first by bytes.
    struct Offer {
        size_t covered;
        uint32_t script;
    };
    const auto worse = [&](const Offer& a, const Offer& b) -> bool {
        if (a.covered != b.covered) return a.covered < b.covered;
        if (slices[a.script] != slices[b.script]) return slices[b.script];
        const std::string &left = scripts.name(a.script), &right = scripts.name(b.script);
        return left.size() != right.size() ? left.size() > right.size() : left > right;
    };
    std::priority_queue<Offer, std::vector<Offer>, decltype(worse)> offers(worse);
    for (uint32_t s = 0; s < covers.size(); ++s) offers.push({covers[s].size(), s});
    constexpr uint32_t none = UINT32_MAX;
    std::vector<uint32_t> chosen(known.size(), none);
    while (!offers.empty()) {
        const auto [covered, script] = offers.top();
        offers.pop();
        std::vector<size_t>& rest = covers[script];
        StopCheck::after(16 + rest.size());
        std::erase_if(rest, [&](size_t example) { return chosen[example] != none; });
        if (rest.size() < covered) {
            if (!rest.empty()) offers.push({rest.size(), script});
            continue;
        }
        for (const size_t example : rest) chosen[example] = script;
    }
    std::vector<std::string> result;
    for (const size_t example : distinct) result.push_back(scripts.name(chosen[example]));
    return result;
}

}  // namespace sapwood
