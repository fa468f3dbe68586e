// Rewrites forms by edit scripts (text/edit_script.hpp) that a tagger chooses: words to their lemmas, tokens to their
// words. A row is a token, its form is in column 0, and the tagger's labels are scripts.
//
// An address stays as it is. A form that is too short for the best script gets the best one that fits. Neither may
// scripts rewrite forms that they say nothing of (script_guard.hpp), or make "LEave" of "LEFT"; and where words of the
// language are known, a script that makes one of them goes before others, and then one whose lemma ends in one,
// unless the tagger leaves all letters. If the template looks at nothing but the row itself, as a lemmatizer's template
// does, equal rows are tagged once, and their scripts are remembered for other texts. In a text of 25,000 words a third
// of the rows of form and tags are different.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/pool.hpp"
#include "features/lexicon.hpp"
#include "rewriting/known_rows.hpp"
#include "rewriting/lemma_lexicon.hpp"
#include "rewriting/script_guard.hpp"
#include "tagging/tagger.hpp"
#include "text/columns.hpp"
#include "text/edit_script.hpp"

namespace sapwood {

class Rewriter {
  public:
    // The tagger must outlive this. Throws ModelError if a label is not an edit script, or makes of a form more words
    // than `most_words`, or if the tagger's search is not argmax. Rows whose form and tag (column 1) are in the lexicon
    // get the script that it has, if that fits. `lists` are those of a ScriptGuard, or empty; `words` is null, or the
    // words of a language and their tags.
    Rewriter(const Tagger& tagger, size_t most_words, LemmaLexicon lexicon = {}, std::string_view lists = {},
             std::shared_ptr<const Lexicon> words = nullptr);

    // The rewritten forms of rows, each different one once.
    struct Forms {
        std::vector<std::string> texts;
        std::vector<uint32_t> of;  // [rows] number in `texts`

        const std::string& operator[](size_t row) const { return texts[of[row]]; }
    };
    // The first word of each row: its lemma. Rows of kWordColumns get the words behind clitics (next_words.hpp) if the model
    // reads them. Throws DataError if the data lack a column that the model reads.
    Forms first_words(const Columns& words, size_t threads) const;

    // A row that becomes other words than its form.
    struct Changed {
        size_t row;
        std::vector<std::string> words;
    };
    // The rows that are changed, in order. Scripts are chosen by `rows` and rewrite the forms of `shown`, which have as
    // many characters, composed, as those of the rows. Throws DataError as first_words does.
    std::vector<Changed> changed(const Columns& rows, const Columns& shown, size_t threads) const;

  private:
    struct Choices {
        std::vector<size_t> rows;    // a row of each kind, in order
        std::vector<uint32_t> of;    // [rows] the kind of each
        std::vector<Label> scripts;  // [kinds] number of the guard's script
    };
    // The rows that were seen before, and their scripts.
    struct Memory {
        struct Kind {
            Label script;
            uint32_t number;    // of this row among the different rows of that text
            uint64_t text = 0;  // the number of the last text that had the row, 0: none yet
        };

        explicit Memory(size_t columns) : rows(columns) {}
        bool overgrown() const { return kinds.size() > kMostKinds; }

        static constexpr size_t kMostKinds = 1 << (sizeof(void*) > 4 ? 16 : 13);
        KnownRows rows;
        std::vector<Kind> kinds;  // [rows]
        uint64_t texts = 0;       // how many there have been
    };

    Choices choose(const Columns& rows, size_t threads) const;
    Choices choose_by_kind(const Columns& rows, size_t threads) const;
    std::vector<Label> scripts_for(const Columns& rows, size_t threads) const;
    bool fits(Label script, std::string_view form) const;
    bool known(Label script, std::string_view form, std::string_view tag) const;
    size_t known_end(Label script, std::string_view form, std::string_view tag) const;
    Label choice(Label best, std::string_view form, const Columns& rows, size_t sentence, size_t row) const;

    const Tagger& tagger_;
    LemmaLexicon lexicon_;
    ScriptGuard guard_;  // of the tagger's labels, and of the script that leaves a form as it is, if no other fits
    std::vector<Label> lowered_;  // [scripts] the one with the form in lower case, or itself if there is none
    std::shared_ptr<const Lexicon> words_;
    bool alone_;  // whether the template looks at a row alone
    mutable Pool<Memory> memories_;
};

}  // namespace sapwood
