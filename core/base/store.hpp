// The items of training examples, one example after the other: filled from front to back, then read by examples in the order
// of an epoch. They are in memory, or in scratch files if they may not fit.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/arranged_file.hpp"
#include "base/scratch_file.hpp"

namespace sapwood {

template <class T>
class Store {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    // Keeps the items in a scratch file in this folder; an empty `folder` keeps them in memory. Throws DataError if the file
    // cannot be made.
    explicit Store(const std::string& folder = {})
        : file_(folder.empty() ? nullptr : std::make_unique<ScratchFile>(folder)),
          arranged_(folder.empty() ? nullptr : std::make_unique<ArrangedFile>(folder)) {}

    // Reserves memory for so many items.
    void reserve(size_t items) {
        if (file_ == nullptr) items_.reserve(items);
    }

    // Adds n items, which the caller writes before the next call. Throws DataError if there is no room.
    T* extend(size_t n) {
        if (file_ != nullptr && items_.size() * sizeof(T) >= kAtOnce) flush();
        items_.resize(items_.size() + n);
        return items_.data() + items_.size() - n;
    }
    void push_back(T item) { *extend(1) = item; }

    // To be called when all are added, before any is read. Throws DataError if there is no room.
    void seal() {
        if (file_ == nullptr) return;
        flush();
        items_.shrink_to_fit();
    }

    size_t size() const { return items_.size() + (file_ == nullptr ? 0 : file_->size() / sizeof(T)); }
    // All items, to be changed, once sealed and before they are arranged. Throws DataError.
    std::span<T> all() { return {file_ == nullptr ? items_.data() : static_cast<T*>(file_->map()), size()}; }

    // Makes ready to read examples order[from], order[from + 1] ... Example k has the items from starts(k) to
    // starts(k + 1). `group` examples from `from` on, and each group after it, will be in memory at once. Throws DataError.
    template <class Starts>
    void arrange(std::span<const uint32_t> order, size_t from, size_t group, const Starts& starts) {
        if (file_ == nullptr) return;
        file_->unmap();
        arranged_->arrange(*file_, order, from, group, [&](size_t k) { return starts(k) * sizeof(T); });
    }
    // Has the group of order[position] in memory, given the same order and starts; those before it may be gone. Throws
    // DataError.
    template <class Starts>
    void reach(std::span<const uint32_t> order, size_t position, const Starts& starts) {
        if (file_ == nullptr || arranged_->has(position)) return;
        arranged_->read(*file_, order, position, [&](size_t k) { return starts(k) * sizeof(T); });
    }
    // The items of the example whose first item is item number `start`. In a file it must have been reached.
    const T* at(size_t start) const {
        if (file_ == nullptr) return items_.data() + start;
        return reinterpret_cast<const T*>(arranged_->at(start * sizeof(T)));
    }

    // Bytes of memory, without the scratch files.
    size_t bytes() const { return items_.capacity() * sizeof(T) + (file_ == nullptr ? 0 : arranged_->bytes()); }

  private:
    static constexpr size_t kAtOnce = 1 << 20;  // bytes that are written at once

    void flush() {
        file_->write(items_.data(), items_.size() * sizeof(T));
        items_.clear();
    }

    std::vector<T> items_;               // all items, or those that are not yet in the file
    std::unique_ptr<ScratchFile> file_;  // nullptr: in memory
    std::unique_ptr<ArrangedFile> arranged_;
};

}  // namespace sapwood
