// Edit scripts from examples: which scripts rewrite a form into given words, and which of them to learn.
//
// Several scripts do the same for one form. "The" becomes "the" by `[l:]` and by `t[1:]`, "don't" is split by
// `[:2] [2:]` and by `[:-3] [-3:]`. Which one says what is going on is seen from the other forms alone, so scripts are
// chosen for all examples at once: the script that is right for most different examples first, then the one that is
// right for most of the rest (the greedy algorithm for covering a set, Chvatal 1979). That leaves few labels, and those
// that new forms need.
#pragma once
#include <string>
#include <vector>

#include "text/edit_script.hpp"

namespace sapwood {

struct Rewriting {
    std::string form;
    std::vector<std::string> words;  // of a lemma just one

    bool operator==(const Rewriting&) const = default;
};

// Scripts that rewrite the form into the words: with as long a slice of the form as there is, in each case that has
// one, counted from either side; for a lemma also with the longest slice at the front, and the longest at the end. The
// last one has no slice. `dropped` adds those that drop these marks. Throws DataError if the form, a word, or the list of words is empty, or a word too long.
std::vector<EditScript> scripts_for(const Rewriting& example, const EditScript::Marks& dropped = {});

// One script for each example. Where nine of ten lemmas lack marks that their forms have, scripts drop them. Throws DataError as scripts_for does.
std::vector<std::string> choose_scripts(const std::vector<Rewriting>& examples);

}  // namespace sapwood
