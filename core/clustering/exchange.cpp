#include "clustering/exchange.hpp"

#include <algorithm>

#include "base/stop_check.hpp"
#include "base/threads.hpp"

namespace sapwood {

Exchange::Exchange(const ClusterText& text, size_t classes)
    : text_(text),
      classes_(std::min(classes, text.words.size() - ClusterText::kFirst) + ClusterText::kFirst),
      h_(text.tokens),
      members_(classes_, 0),
      after_(classes_ * classes_, 0),
      before_(classes_ * classes_, 0) {
    for (size_t w = 0; w < text.words.size(); ++w) {
        const size_t own = w < ClusterText::kFirst ? w : std::min(w, classes_ - 1);
        class_of_.push_back(static_cast<uint32_t>(own));
        members_[own] += text.counts[w];
    }
    for (size_t w = 0; w < text.words.size(); ++w)
        for (size_t k = text.after.first[w]; k < text.after.first[w + 1]; ++k)
            StopCheck::every(k), add(class_of_[w], class_of_[text.after.word[k]], text.after.count[k]);
}

void Exchange::add(uint32_t c, uint32_t d, uint32_t count) {
    after_[c * classes_ + d] += count;
    before_[d * classes_ + c] += count;
}

double Exchange::likelihood() const {
    int64_t sum = 0;
    for (size_t k = 0; k < after_.size(); ++k) StopCheck::every(k), sum += h_(after_[k]);
    for (const uint64_t count : members_) sum -= 2 * h_(count);
    return static_cast<double>(sum) / EntropyTable::kUnit;
}

// Counts the classes beside a word.
void Exchange::look(size_t word, Scratch& s) const {
    s.self = 0;
    const auto count = [&](const Neighbours& beside, std::vector<uint64_t>& counts, std::vector<uint32_t>& found) {
        counts.resize(classes_, 0);
        for (const uint32_t c : found) counts[c] = 0;
        found.clear();
        for (size_t k = beside.first[word]; k < beside.first[word + 1]; ++k) {
            if (beside.word[k] == word) {
                s.self = beside.count[k];
                continue;
            }
            uint64_t& of_class = counts[class_of_[beside.word[k]]];
            if (of_class == 0) found.push_back(class_of_[beside.word[k]]);
            of_class += beside.count[k];
        }
    };
    count(text_.before, s.left, s.lefts);
    count(text_.after, s.right, s.rights);
}

// N'(c, d), the count of a class bigram without this word.
uint64_t Exchange::without(size_t word, uint32_t c, uint32_t d, const Scratch& s) const {
    const uint32_t own = class_of_[word];
    uint64_t count = after_[c * classes_ + d];
    if (d == own) count -= s.left[c];
    if (c == own) count -= s.right[d];
    if (c == own && d == own) count -= s.self;
    return count;
}

int64_t Exchange::gain(size_t word, uint32_t k, const Scratch& s) const {
    int64_t sum = 0;
    const auto put = [&](uint32_t c, uint32_t d, uint64_t added) {
        const uint64_t there = without(word, c, d, s);
        sum += h_(there + added) - h_(there);
    };
    for (const uint32_t c : s.lefts)
        if (c != k) put(c, k, s.left[c]);
    for (const uint32_t c : s.rights)
        if (c != k) put(k, c, s.right[c]);
    put(k, k, s.left[k] + s.right[k] + s.self);
    const uint64_t n = text_.counts[word], members = members_[k] - (k == class_of_[word] ? n : 0);
    return sum - 2 * (h_(members + n) - h_(members));
}

uint32_t Exchange::best_class(size_t word, Scratch& s) const {
    look(word, s);
    const uint32_t own = class_of_[word];
    s.gain.assign(classes_, 0);
    const auto add_row = [&](const auto* row, uint64_t added) {
        for (size_t k = 0; k < classes_; ++k) s.gain[k] += h_(row[k] + added) - h_(row[k]);
    };
    // For a class k other than its own, N' differs from N in the row and in the column of its own class only.
    s.row.assign(after_.begin() + static_cast<ptrdiff_t>(own * classes_),
                 after_.begin() + static_cast<ptrdiff_t>((own + 1) * classes_));
    s.column.assign(before_.begin() + static_cast<ptrdiff_t>(own * classes_),
                    before_.begin() + static_cast<ptrdiff_t>((own + 1) * classes_));
    for (const uint32_t c : s.rights) s.row[c] -= c == own ? 0 : s.right[c];
    for (const uint32_t c : s.lefts) s.column[c] -= c == own ? 0 : s.left[c];
    for (const uint32_t c : s.lefts)
        if (c == own)
            add_row(s.row.data(), s.left[c]);
        else
            add_row(after_.data() + c * classes_, s.left[c]);
    for (const uint32_t c : s.rights)
        if (c == own)
            add_row(s.column.data(), s.right[c]);
        else
            add_row(before_.data() + c * classes_, s.right[c]);

    const uint64_t n = text_.counts[word];
    uint32_t best = own;
    int64_t most = gain(word, own, s);
    for (uint32_t k = ClusterText::kFirst; k < classes_; ++k) {
        if (k == own) continue;
        const uint64_t l = s.left[k], r = s.right[k], there = after_[k * classes_ + k];
        int64_t all = s.gain[k] - 2 * (h_(members_[k] + n) - h_(members_[k]));
        all += h_(there + l + r + s.self) - h_(there + l) - h_(there + r) + h_(there);
        if (all > most) {
            most = all;
            best = k;
        }
    }
    return best;
}

void Exchange::move(size_t word, uint32_t to, const Scratch& s) {
    const uint32_t own = class_of_[word];
    const auto shift = [&](uint32_t from_c, uint32_t from_d, uint32_t to_c, uint32_t to_d, uint64_t count) {
        const auto less = static_cast<uint32_t>(-static_cast<int64_t>(count));  // modulo 2^32
        add(from_c, from_d, less);
        add(to_c, to_d, static_cast<uint32_t>(count));
    };
    for (const uint32_t c : s.lefts) shift(c, own, c, to, s.left[c]);
    for (const uint32_t c : s.rights) shift(own, c, to, c, s.right[c]);
    shift(own, own, to, to, s.self);
    members_[own] -= text_.counts[word];
    members_[to] += text_.counts[word];
    class_of_[word] = to;
    ++moved_;
}

bool Exchange::step(size_t batches, size_t threads) {
    const size_t words = text_.words.size();
    if (next_ == words) next_ = ClusterText::kFirst;
    if (next_ == ClusterText::kFirst) moved_ = 0;
    std::vector<uint32_t> best;
    Scratch s;
    for (; batches > 0 && next_ < words; --batches) {
        const size_t begin = next_, end = std::min(begin + kBatch, words);
        best.assign(end - begin, 0);
        for_each_sentence(
            end - begin, threads,
            [&] { return [&, own = Scratch()](size_t k) mutable { best[k] = best_class(begin + k, own); }; }, 4);
        for (size_t w = begin; w < end; ++w) {
            const uint32_t to = best[w - begin];
            if (to == class_of_[w]) continue;
            look(w, s);
            if (gain(w, to, s) > gain(w, class_of_[w], s)) move(w, to, s);
        }
        next_ = end;
    }
    return next_ == words;
}

}  // namespace sapwood
