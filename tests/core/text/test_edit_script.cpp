// Edit scripts: read, applied, refused; induced from examples. Damaged scripts are read or refused with the right error.
#include "base/errors.hpp"
#include "check.hpp"
#include "mutate.hpp"
#include "random.hpp"
#include "text/edit_script.hpp"
#include "text/script_induction.hpp"
#include "text/utf8.hpp"

using namespace sapwood;

namespace {

// The words that a script makes of a form, with bars between them.
std::string applied(std::string_view script, std::string_view form) {
    const auto words = EditScript(script).apply(form);
    if (!words) return "(too short)";
    std::string out;
    for (const std::string& word : *words) out += (out.empty() ? "" : "|") + word;
    return out;
}

void test_apply() {
    CHECK_EQ(applied("[:]", "Word"), "Word");
    CHECK_EQ(applied("[:-3]y", "cities"), "city");
    CHECK_EQ(applied("[:-3]y", "ies"), "(too short)");
    CHECK_EQ(applied("be", "was"), "be");
    CHECK_EQ(applied("[l:]", "\xC3\x89T\xC3\x89"), "\xC3\xA9t\xC3\xA9");
    CHECK_EQ(applied("[t:]", "\xC3\xA9T\xC3\x89"), "\xC3\x89t\xC3\xA9");
    CHECK_EQ(applied("[u:-1]", "usas"), "USA");
    CHECK_EQ(applied("[c1:]", "McDONALD"), "cdonald");
    CHECK_EQ(applied("[:-3] [-3:]", "don't"), "do|n't");
    CHECK_EQ(applied("[:1]e le", "du"), "de|le");
    CHECK_EQ(applied("[:1] x [1:]", "\xD7\x91\xD7\x91"), "\xD7\x91|x|\xD7\x91");
    CHECK_EQ(applied("a\\ b\\[\\]\\\\\\t", "x"), "a b[]\\\t");
    CHECK_EQ(EditScript("[2:4]x [-5:-1]").shortest(), 5u);
}

void test_refused() {
    for (const std::string script :
         {"",       " ",         "a ",      " a",       "a  b",  "[",     "]",     "[]",    "[:",      "[:]]",
          "[x:]",   "[0:]",      "[:0]",    "[:-0]",    "[-0:]", "[01:]", "[2:2]", "[3:2]", "[-2:-2]", "[-1:-2]",
          "[-2:1]", "[123456:]", "[1:2:3]", "[:1][1:]", "\\",    "\\x",   "a\tb",  "a\nb",  "[ :]"})
        CHECK_THROWS(ModelError, "not an edit script", EditScript(std::string_view(script)));
    CHECK_THROWS(ModelError, "an edit script of 65537 bytes", EditScript(std::string(65537, 'a')));
    CHECK_THROWS(DataError, "too long for an edit script", scripts_for({"a", {std::string(65537, 'b')}}));
    CHECK_THROWS(DataError, "not empty", scripts_for({"a", {}}));
    CHECK_THROWS(DataError, "not empty", scripts_for({"a", {""}}));
    CHECK_THROWS(DataError, "not empty", scripts_for({"", {"a"}}));
}

void test_induced() {
    const std::string long_form(200000, 'a');
    CHECK_EQ(scripts_for({long_form, {"b"}}).back().text(), "b");
    // "the" is both [:] and [l:]; it gets the script that more of the other words have.
    CHECK(choose_scripts({{"The", {"the"}}, {"the", {"the"}}, {"A", {"a"}}, {"Rome", {"Rome"}}, {"was", {"be"}}}) ==
          (std::vector<std::string>{"[l:]", "[l:]", "[l:]", "[:]", "be"}));
    // "i'm" alone could be cut from the front; the others say that it is cut from the end.
    CHECK(choose_scripts({{"i'm", {"i", "'m"}}, {"I'm", {"I", "'m"}}, {"we'm", {"we", "'m"}}}) ==
          std::vector<std::string>(3, "[:-2] [-2:]"));
}

void test_damaged() {
    Random random(7);
    const std::vector<std::string> pieces = {"[", "]", ":", "-", "l", "1", "99999", " ", "\\", "[l:-3]", "\xC3\xA9"};
    int read = 0, refused = 0;
    for (int round = 0; round < 20000; ++round) {
        const std::string text = mutate(random, "[:-3]y [t1:] x\\ [-2:-1]\xC3\xA9", pieces);
        if (find_invalid_utf8(text) != std::string_view::npos) continue;
        try {
            const EditScript script{std::string_view(text)};
            CHECK_EQ(script.text(), text);
            for (const std::string form : {"a", "\xC3\xA9t\xC3\xA9", "abcdefghijk"}) {
                const auto words = script.apply(form);
                CHECK(!words || words->size() == script.words());
                for (const std::string& word : words.value_or(std::vector<std::string>()))
                    CHECK(!word.empty() && find_invalid_utf8(word) == std::string_view::npos);
            }
            ++read;
        } catch (const ModelError& error) {
            CHECK(std::string(error.what()).starts_with("not an edit script"));
            ++refused;
        }
    }
    CHECK(read > 500 && refused > 500);
}

}  // namespace

int main() {
    test_apply();
    test_refused();
    test_induced();
    test_damaged();
    return check::failures();
}
