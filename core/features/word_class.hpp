// Classes of words by their look, for words that a lexicon does not know (after Collins 1999, Klein & Manning 2003).
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

// Capitals (also whether the word begins its sentence), digits, hyphens and an English suffix, as in "Cap-ing".
std::string word_class(std::string_view word, bool begins_sentence);

}  // namespace sapwood
