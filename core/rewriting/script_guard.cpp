#include "rewriting/script_guard.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/errors.hpp"
#include "text/characters.hpp"
#include "text/label_set.hpp"
#include "text/letters.hpp"

namespace sapwood {

namespace {

constexpr size_t kBeside = 2;  // letters at most beside those that a script replaces
constexpr size_t kFew = 3;     // forms with a script that make an ending its own
constexpr size_t kMany = 10;   // forms of a script that many words have
constexpr char kRest = '\0';   // no form has it

bool has_digit_of_any_script(std::string_view form) {
    for (size_t at = 0; at < form.size();) {
        const char32_t c = next_code_point(form, at);
        if (c < 0x80 ? is_digit(c) : character_class(c) == U'0') return true;
    }
    return false;
}

// The ends of a form in lower case that a script replaces, with so many letters beside them; the whole form if it has no
// more letters, or if the script has no slice.
std::string ending(const EditScript& script, std::string_view form, size_t beside) {
    const std::optional<EditScript::Ends> ends = script.replaced();
    if (!ends) return std::string(form);
    std::string plain;
    if (script.dropped()) form = plain = utf8_of(script.letters(form));
    const size_t front = ends->front ? *ends->front + beside : 0, end = ends->end ? *ends->end + beside : 0;
    if (front + end > code_points(form)) return std::string(form);
    return std::string(prefix(form, front)) + kRest + std::string(suffix(form, end));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

using EndingCounts = std::unordered_map<std::string, size_t>;

EndingCounts counted(const EditScript& script, const std::set<std::string>& forms, size_t beside) {
    EndingCounts counts;
    for (const std::string& form : forms) ++counts[ending(script, form, beside)];
    return counts;
}

// Finds for the forms of a script the shortest endings that tell it: kFew of the script's forms have such an ending, and
// at least half of all forms that have it.
class Endings {
  public:
    explicit Endings(const std::set<std::string>& all) : all_(all) {}

    // For forms without such an ending: the longest endings if the script has kMany forms, otherwise the forms.
    std::vector<std::string> of(const EditScript& script, const std::set<std::string>& forms) {
        if (!script.replaced() || forms.size() < kFew) return {forms.begin(), forms.end()};
        EndingCounts own[kBeside + 1];
        for (size_t beside = 0; beside <= kBeside; ++beside) own[beside] = counted(script, forms, beside);
        std::vector<std::string> found;
        for (const std::string& form : forms) {
            std::string text = forms.size() < kMany ? form : ending(script, form, kBeside);
            for (size_t beside = 0; beside <= kBeside; ++beside) {
                const std::string shorter = ending(script, form, beside);
                const size_t count = own[beside].at(shorter);
                if (count < kFew || 2 * count < of_all(script, beside).at(shorter)) continue;
                text = shorter;
                break;
            }
            found.push_back(std::move(text));
        }
        return found;
    }

  private:
    // Counts of the endings of all forms, which are the same for scripts that replace as many letters.
    const EndingCounts& of_all(const EditScript& script, size_t beside) {
        const EditScript::Ends ends = *script.replaced();
        const auto [at, fresh] = counts_.try_emplace({ends.front, ends.end, beside, script.dropped()});
        if (fresh) at->second = counted(script, all_, beside);
        return at->second;
    }

    const std::set<std::string>& all_;
    std::map<std::tuple<std::optional<size_t>, std::optional<size_t>, size_t, EditScript::Marks>, EndingCounts> counts_;
};

}  // namespace

ScriptGuard::ScriptGuard(std::vector<EditScript> scripts) : scripts_(std::move(scripts)) {
    LabelSet edits;
    for (const EditScript& script : scripts_)
        list_of_.push_back(script.keeps_letters() ? kNone : edits.number(script.without_case()));
    lists_.resize(edits.size());
}

ScriptGuard::ScriptGuard(std::vector<EditScript> scripts, std::string_view lists) : ScriptGuard(std::move(scripts)) {
    if (lists.empty()) return;
    learned_ = true;
    const std::vector<std::string_view> lines = split(lists, '\n');
    if (lines.size() != lists_.size()) throw ModelError("it does not have a list of forms for each edit script");
    if (find_invalid_utf8(lists) != std::string_view::npos) throw ModelError("its lists of forms are not UTF-8");
    for (size_t script = 0; script < scripts_.size(); ++script) {
        if (list_of_[script] == kNone) continue;
        List& list = lists_[list_of_[script]];
        if (!list.texts.empty()) continue;  // that of a script that differs in case alone
        for (const std::string_view text : split(lines[list_of_[script]], '\t')) {
            list.texts.emplace(text);
            if (text.find(kRest) != std::string_view::npos) list.replaced.insert(ending(scripts_[script], text, 0));
        }
    }
}

bool ScriptGuard::allows(Label script, std::string_view form) const {
    if (list_of_[script] == kNone) return true;
    const EditScript& text = scripts_[script];
    const bool digit = has_digit_of_any_script(form);
    if (!digit && (!learned_ || text.words() > 1)) return true;
    const std::unordered_set<std::string>& texts = lists_[list_of_[script]].texts;
    std::string lower;
    append_lower(lower, form);
    if (texts.contains(lower)) return true;
    for (size_t beside = 0; !digit && beside <= kBeside; ++beside)
        if (texts.contains(ending(text, lower, beside))) return true;
    return false;
}

bool ScriptGuard::common(Label script, std::string_view form) const {
    if (list_of_[script] == kNone || has_digit_of_any_script(form)) return false;
    const std::unordered_set<std::string>& replaced = lists_[list_of_[script]].replaced;
    if (replaced.empty()) return false;
    std::string lower;
    append_lower(lower, form);
    return replaced.contains(ending(scripts_[script], lower, 0));
}

std::string ScriptGuard::learn(const Columns& rows, const std::vector<std::string>& labels, std::string_view known) {
    const ScriptGuard guard(std::vector<EditScript>(labels.begin(), labels.end()));
    std::unordered_map<std::string_view, size_t> number_of;
    for (size_t y = 0; y < labels.size(); ++y) number_of.emplace(labels[y], y);

    const size_t lists = guard.lists_.size();
    std::vector<std::set<std::string>> texts(lists), forms(lists);
    std::vector<const EditScript*> scripts(lists);  // one of those of each list
    for (size_t y = 0; y < labels.size(); ++y)
        if (guard.list_of_[y] != kNone) scripts[guard.list_of_[y]] = &guard.scripts_[y];
    std::set<std::string> all;  // forms without digits, as are `forms`
    const std::vector<std::string_view> lines = split(known, '\n');
    for (size_t k = 0; k < std::min(lines.size(), lists); ++k)
        for (const std::string_view text : split(lines[k], '\t'))
            if (!text.empty()) texts[k].emplace(text);
    for (size_t t = 0; t < rows.tokens(); ++t) {
        const size_t y = number_of.at(rows.cell(t, rows.width() - 1));
        const uint32_t list = guard.list_of_[y];
        std::string lower;
        append_lower(lower, rows.cell(t, 0));
        const bool digit = has_digit_of_any_script(lower);
        if (!digit) all.insert(lower);
        if (list == kNone) continue;
        if (digit || scripts[list]->words() == 1) (digit ? texts : forms)[list].insert(std::move(lower));
    }
    Endings endings(all);
    std::string text;
    bool any = false;
    for (size_t k = 0; k < lists; ++k) {
        for (std::string& each : endings.of(*scripts[k], forms[k])) texts[k].insert(std::move(each));
        if (k > 0) text += '\n';
        for (const char* tab = ""; const std::string& each : texts[k])
            text.append(std::exchange(tab, "\t")).append(each);
        any = any || !texts[k].empty();
    }
    return any ? text : std::string();
}

}  // namespace sapwood
