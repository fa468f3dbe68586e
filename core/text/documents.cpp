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
    const auto kept = check_text(bytes, name, first_line);
    Documents documents(1, 0, name);
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    size_t number = first_line;
    size_t mark = bytes.find(kLabel);  // the next one
    for (size_t at = 0; at < bytes.size(); ++number) {
        const size_t end = std::min(bytes.find('\n', at), bytes.size());
        const std::string_view line = bytes.substr(at, end - at);
        StopCheck::after(end + 1 - at);
        at = end + 1;
        if (skip_blank && line.find_first_not_of(kSpaces) == std::string_view::npos) continue;
        std::string label;
        if (mark < end) {
            label = documents.add_labelled(line, number, several);
            mark = bytes.find(kLabel, end);
        } else {
            documents.add_text(line);
        }
        documents.end_document(label, number);
    }
    return documents;
}

std::string Documents::add_labelled(std::string_view line, size_t number, bool several) {
    const auto fail = [&](const std::string& what) {
        throw DataError(answers_.name() + ":" + std::to_string(number) + ": " + what);
    };
    std::string label;
    std::string_view odd;
    size_t text = 0;  // where what is not added yet begins
    for (size_t at = 0, end; (at = line.find(kLabel, at)) != std::string_view::npos; at = end) {
        const size_t begin = line.find_last_of(kSpaces, at) + 1;  // of the word; 0 if no space stands before it
        end = std::min(line.find_first_of(kSpaces, at), line.size());
        const std::string_view word = line.substr(begin, end - begin);
        const bool is_label = begin == at;
        const bool has_comma = word.size() > kLabel.size() + 1 && (word.ends_with(',') || word.ends_with(';'));
        if (odd.empty() && (!is_label || word.find(kLabel, 1) != std::string_view::npos || has_comma)) odd = word;
        if (!is_label) continue;
        if (word.size() == kLabel.size()) fail("__label__ without a name");
        if (!label.empty() && !several)
            fail(
                "two labels in a line; where examples have several labels, give --multi-label (in Python "
                "multi_label=True)");
        if (!label.empty()) label += Answers::kBetween;
        label += word.substr(kLabel.size());
        add_text(line.substr(text, begin - text));
        text = end;
    }
    add_text(line.substr(text));
    if (!odd.empty() && odd_labels_++ == 0) first_odd_label_ = {number, std::string(odd)};
    return label;
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
