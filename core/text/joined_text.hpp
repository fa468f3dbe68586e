// Several files as one text: training data in several files are read as if they stood behind each other in one. A place
// in the text is still told by the file and the line that it came from.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sapwood {

// A file in a joined text.
struct Origin {
    std::string name;
    size_t first_line;  // number of the file's first line
    size_t begin;       // offset of the file's bytes in the text
};

// The files of a joined text, in their order; none for the text of a single file.
class Origins {
  public:
    Origins() = default;
    explicit Origins(std::vector<Origin> files) : files_(std::move(files)) {}

    // "name:line" of an offset. `name` and `first_line` are those of a single file. Takes linear time.
    std::string line(std::string_view bytes, size_t offset, const std::string& name, size_t first_line) const;

  private:
    std::vector<Origin> files_;
};

// What has to be added to a text before the next file, so that its last sentence ends there: up to two line ends.
std::string_view end_of_sentence(std::string_view text);

// The names of files, as one name for messages about all of them: "a.conllu + b.conllu".
std::string names_of(const std::vector<Origin>& files);

}  // namespace sapwood
