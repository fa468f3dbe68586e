#include "base/arranged_file.hpp"

#include <algorithm>
#include <cstring>

#include "base/errors.hpp"

namespace sapwood {

namespace {

// Bytes of the windows of a file of so many bytes: fewer for a small file, so that little memory is enough for it.
size_t window_of(uint64_t size, size_t most) {
    return static_cast<size_t>(std::min<uint64_t>(most, std::max(uint64_t{1} << 22, size / 64)));
}

}  // namespace

void ArrangedFile::arrange(const ScratchFile& file, std::span<const uint32_t> order, size_t from, size_t group,
                           const Starts& starts) {
    windows_.clear();
    begin_ = end_ = 0;
    from_ = from;
    if (file.size() <= window_of(file.size(), window_)) return;
    memory_.reset();
    room_ = 0;
    cut(order, group, starts);
    if (second_ == nullptr) second_ = std::make_unique<ScratchFile>(folder_);
    distribute(file, order, starts);
}

void ArrangedFile::cut(std::span<const uint32_t> order, size_t group, const Starts& starts) {
    const size_t window = window_of(starts(order.size()), window_);
    uint64_t bytes = 0;
    for (size_t p = from_; p < order.size(); ++p) {
        const bool between = (p - from_) % group == 0;
        if (windows_.empty() || (between && windows_.back().bytes >= window)) windows_.push_back({p, bytes});
        const uint64_t size = starts(order[p] + 1) - starts(order[p]);
        windows_.back().end = p + 1;
        windows_.back().bytes += size;
        bytes += size;
    }
}

// Each window has a buffer, which is written when it is full.
void ArrangedFile::distribute(const ScratchFile& file, std::span<const uint32_t> order, const Starts& starts) {
    if (windows_.empty()) return;
    constexpr auto none = UINT32_MAX;
    std::vector<uint32_t> number(order.size(), none);  // [examples] of its window
    for (size_t w = 0, p = from_; w < windows_.size(); ++w)
        for (; p < windows_[w].end; ++p) number[order[p]] = static_cast<uint32_t>(w);

    const size_t room =
        std::clamp(std::min(kBuffers, window_of(file.size(), window_)) / windows_.size(), kLeast, kMost);
    const auto buffers = std::make_unique_for_overwrite<char[]>(room * windows_.size());
    std::vector<size_t> filled(windows_.size());
    std::vector<uint64_t> written(windows_.size());
    const auto flush = [&](size_t w) {
        second_->write_at(windows_[w].byte + written[w], &buffers[w * room], filled[w]);
        written[w] += filled[w];
        filled[w] = 0;
    };
    const auto in = std::make_unique_for_overwrite<char[]>(kMost);
    uint64_t in_begin = 0, in_end = 0;  // the bytes of the file that are in memory
    for (size_t k = 0; k < order.size(); ++k) {
        const size_t w = number[k];
        for (uint64_t at = starts(k), end = starts(k + 1); at < end && w != none;) {
            if (at >= in_end) {
                in_begin = at;
                in_end = at + file.read(at, in.get(), kMost);
                if (in_end == at) throw DataError(folder_ + ": the scratch file there has become shorter");
            }
            const size_t n = std::min({end - at, in_end - at, uint64_t{room - filled[w]}});
            std::memcpy(&buffers[w * room + filled[w]], &in[at - in_begin], n);
            at += n;
            if ((filled[w] += n) == room) flush(w);
        }
    }
    for (size_t w = 0; w < windows_.size(); ++w) flush(w);
}

void ArrangedFile::read(const ScratchFile& file, std::span<const uint32_t> order, size_t position,
                        const Starts& starts) {
    found_.clear();
    uint64_t bytes = file.size(), byte = 0;
    if (windows_.empty()) {
        begin_ = 0;
        end_ = order.size();
    } else {
        const auto window = std::ranges::upper_bound(windows_, position, {}, &Window::end);
        begin_ = window == windows_.begin() ? from_ : std::prev(window)->end;
        end_ = window->end;
        byte = window->byte;
        bytes = window->bytes;
        if (std::next(window) != windows_.end()) second_->will_read(byte + bytes, std::next(window)->bytes);
        std::vector<uint32_t> examples(order.begin() + begin_, order.begin() + end_);
        std::ranges::sort(examples);  // as they were written
        uint64_t place = 0;
        for (const uint32_t k : examples) {
            found_.push_back({starts(k), place});
            place += starts(k + 1) - starts(k);
        }
    }
    make_room(bytes);
    const ScratchFile& from = windows_.empty() ? file : *second_;
    if (from.read(byte, memory_.get(), bytes) != bytes)
        throw DataError(folder_ + ": the scratch file there has become shorter");
}

void ArrangedFile::make_room(size_t bytes) {
    if (bytes <= room_) return;
    memory_.reset();
    memory_ = std::make_unique_for_overwrite<char[]>(bytes);
    room_ = bytes;
}

const char* ArrangedFile::at(uint64_t start) const {
    if (found_.empty()) return memory_.get() + start;
    return memory_.get() + std::ranges::lower_bound(found_, start, {}, &Place::start)->place;
}

}  // namespace sapwood
