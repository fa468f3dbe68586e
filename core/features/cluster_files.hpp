// Files of word clusters: a word a line, `bits TAB word TAB count`, as Liang's (2005) program writes its `paths`. The
// third column may be any number that is larger for words that are more frequent, or missing.
#pragma once
#include <string>
#include <string_view>

#include "features/word_clusters.hpp"

namespace sapwood {

// Reads a file and keeps its `most` most frequent words; of equally frequent words the first are kept. Throws
// DataError "name:line: what", also for a word that is there twice.
//
// Some published tables have lost the zeros at the end of their bit strings, so that a string may be the beginning of
// another one. Such a string gets zeros until it is as long as the longest.
WordClusters read_clusters(std::string_view text, const std::string& name, size_t most);

}  // namespace sapwood
