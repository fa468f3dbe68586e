#include "text/documents.hpp"

#include "base/errors.hpp"
#include "base/stop_check.hpp"
#include "text/plain_text.hpp"
#include "text/tokens.hpp"

namespace sapwood {

namespace {

constexpr std::string_view kLabel = "__label__";

}  // namespace

Documents Documents::read_fasttext(std::string_view bytes, const std::string& name, size_t first_line, bool skip_blank,
                                   bool several) {
    check_text(bytes, name, first_line);
    Documents documents(1, 0, name);
    if (first_line == 1 && bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    size_t number = first_line;
    for (size_t at = 0; at < bytes.size(); ++number) {
        const size_t end = std::min(bytes.find('\n', at), bytes.size());
        std::string_view line = bytes.substr(at, end - at);
        std::string label;
        StopCheck::after(end + 1 - at);
        at = end + 1;
        line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
        if (line.empty() && skip_blank) continue;
        while (line.starts_with(kLabel)) {
            const auto fail = [&](const std::string& what) {
                throw DataError(name + ":" + std::to_string(number) + ": " + what);
            };
            if (!label.empty() && !several)
                fail("two labels in a line; a document has one, but for multi-label classifiers");
            const size_t stop = std::min(line.find_first_of(kSpaces), line.size());
            if (stop == kLabel.size()) fail("__label__ without a name");
            if (!label.empty()) label += Answers::kBetween;
            label += line.substr(kLabel.size(), stop - kLabel.size());
            line.remove_prefix(stop);
            line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
        }
        documents.add_text(line);
        documents.end_document(label, number);
    }
    return documents;
}

void Documents::add_text(std::string_view text) {
    for (size_t at = 0;;) {
        const std::string_view token = next_token(text, at);
        if (token.empty()) return;
        tokens_.add_cell(token);
        StopCheck::every(tokens_.tokens());
    }
}

void Documents::end_document(std::string_view label, size_t line) {
    starts_.push_back(tokens_.tokens());
    marked_.push_back(kUnmarked);
    answers_.add(label, line);
}

}  // namespace sapwood
