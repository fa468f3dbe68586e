// Column files: read whole or in blocks they are the same, and what was read can be tagged and learned from.
#include "text/columns.hpp"

#include <algorithm>
#include <memory>

#include "base/errors.hpp"
#include "small_models.hpp"
#include "target.hpp"

namespace sapwood::fuzz::columns {
namespace {

// Cut after a blank line, the file reads as it does whole.
void read_in_blocks(std::string_view input, const Columns& whole) {
    const size_t blank = input.find("\n\n", input.size() / 2);
    if (blank == input.npos) return;
    const size_t at = blank + 2;
    const Columns first = columns_of(input.substr(0, at));
    if (first.tokens() == 0) return;
    const size_t lines =
        static_cast<size_t>(std::count(input.begin(), input.begin() + static_cast<ptrdiff_t>(at), '\n'));
    const auto rest = std::make_shared<std::string>(input.substr(at));
    const Columns second(*rest, rest, "data", 1 + lines, &first);
    SAPWOOD_REQUIRE(first.sentences() + second.sentences() == whole.sentences());
    SAPWOOD_REQUIRE(first.tokens() + second.tokens() == whole.tokens());
    for (size_t t = 0; t < second.tokens(); ++t) {
        SAPWOOD_REQUIRE(second.where(t) == whole.where(first.tokens() + t));
        for (size_t c = 0; c < whole.width(); ++c)
            SAPWOOD_REQUIRE(second.cell(t, c) == whole.cell(first.tokens() + t, c));
    }
}

// Cells are not empty, on one line each, and in the order of the file.
void check_cells(const Columns& data) {
    size_t last = 0;
    for (size_t t = 0; t < data.tokens(); ++t) {
        for (size_t c = 0; c < data.width(); ++c) {
            const std::string_view cell = data.cell(t, c);
            SAPWOOD_REQUIRE(!cell.empty() && cell.find_first_of(std::string_view("\0\t\n", 3)) == cell.npos);
            const auto at = static_cast<size_t>(cell.data() - data.bytes().data());
            SAPWOOD_REQUIRE(at >= last);
            last = at + cell.size();
        }
        SAPWOOD_REQUIRE(data.row_end(t) == last && data.where(t).starts_with("data:"));
    }
}

bool run(std::string_view input) {
    return reads<DataError>("data:", [&] {
        const Columns data = columns_of(input);
        check_cells(data);
        read_in_blocks(input, data);
        const SmallTagger& small = SmallTagger::of_columns();
        const std::vector<Label> labels = small.tagger.tag(data, 1);
        SAPWOOD_REQUIRE(labels.size() == data.tokens());
        std::string out(small.answers.annotated_size(data, labels), '\0');
        small.answers.annotate(data, labels, out.data());
        const Columns again = columns_of(out);
        SAPWOOD_REQUIRE(again.tokens() == data.tokens() && again.sentences() == data.sentences());
        for (size_t t = 0; t < data.tokens(); ++t)
            SAPWOOD_REQUIRE(again.cell(t, data.width()) == small.answers.labels()[labels[t]]);
        for (size_t s = 0; s < std::min<size_t>(data.sentences(), 3); ++s) {
            const auto best = small.tagger.n_best(data, s, 2);
            SAPWOOD_REQUIRE(!best.empty());
            SAPWOOD_REQUIRE(std::equal(best[0].labels.begin(), best[0].labels.end(),
                                       labels.begin() + static_cast<ptrdiff_t>(data.begin(s))));
        }
        if (data.tokens() == 0 || number_of(input) % 8 != 0) return;
        TaggerTrainer(data, data.width() - 1, small_extractor(small_template(), {}), {}).step(100);
    });
}

std::vector<std::string> seeds() {
    return {kSmallColumns, "The DT B\r\ndog NN I\r\n\r\nis V O",
            "\xEF\xBB\xBF"
            "a\tb\tO\n"};
}

const Target target("columns", run, seeds);

}  // namespace
}  // namespace sapwood::fuzz::columns
