// Classes of unknown words by their spelling (after Collins 1999, Klein & Manning 2003).
#pragma once
#include <string>
#include <string_view>

namespace sapwood {

// Returns a class such as "Cap-ing". It encodes capitals, whether a capitalised word begins the sentence, digits,
// hyphens and an English suffix.
std::string word_class(std::string_view word, bool begins_sentence);

}  // namespace sapwood
