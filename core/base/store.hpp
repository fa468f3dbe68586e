// A long array that is filled from front to back and then read. It is in memory, or in a scratch file if it may not fit.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/scratch_file.hpp"

namespace sapwood {

template <class T>
class Store {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    // Keeps the items in a scratch file in this folder; an empty `folder` keeps them in memory. Throws DataError if the file
    // cannot be made.
    explicit Store(const std::string& folder = {})
        : file_(folder.empty() ? nullptr : std::make_unique<ScratchFile>(folder)) {}

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
        if (file_ == nullptr) {
            all_ = items_.data();
            return;
        }
        flush();
        items_.shrink_to_fit();
        all_ = static_cast<T*>(file_->map());
    }

    size_t size() const { return items_.size() + (file_ == nullptr ? 0 : file_->size() / sizeof(T)); }
    const T* data() const { return all_; }
    const T& operator[](size_t k) const { return all_[k]; }
    std::span<T> all() { return {all_, size()}; }

    // Call this when an example of so many items is read.
    void visited(size_t items) const {
        if (file_ != nullptr) file_->visited(items * sizeof(T));
    }

    // Bytes of memory, without the scratch file.
    size_t bytes() const { return items_.capacity() * sizeof(T); }

  private:
    static constexpr size_t kAtOnce = 1 << 20;  // bytes that are written at once

    void flush() {
        file_->write(items_.data(), items_.size() * sizeof(T));
        items_.clear();
    }

    std::vector<T> items_;               // all items, or those that are not yet in the file
    std::unique_ptr<ScratchFile> file_;  // nullptr: in memory
    T* all_ = nullptr;                   // once sealed
};

}  // namespace sapwood
