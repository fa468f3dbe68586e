// An array that grows by blocks. Its elements never move, so growing needs no copy and no second array.
//
// Blocks have at least 2 MB, the size of Linux's large pages. Look-ups at random places of a large table spend much of
// their time on translating the page's address, and large pages are 512 times fewer than pages of 4 KB.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "base/aligned.hpp"

namespace sapwood {

template <class T>
class Blocks {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    // Elements first, ..., first + together - 1 are in one block if `first` is a multiple of `together`. `together` must
    // be a power of two.
    explicit Blocks(size_t together = 1) {
        while ((size_t{1} << bits_) < together || (sizeof(T) << bits_) < kLargePage) ++bits_;
    }

    Blocks(Blocks&&) noexcept = default;
    Blocks& operator=(Blocks&&) noexcept = default;
    Blocks(const Blocks& other) : bits_(other.bits_) {
        reserve(other.blocks_.size() << bits_);
        for (size_t b = 0; b < blocks_.size(); ++b)
            std::memcpy(blocks_[b].get(), other.blocks_[b].get(), sizeof(T) << bits_);
    }

    // Makes room for n elements, whose values are undefined.
    void reserve(size_t n) {
        while (blocks_.size() << bits_ < n) blocks_.emplace_back(allocate_large(sizeof(T) << bits_));
    }

    T* at(size_t n) { return block(n) + (n & ((size_t{1} << bits_) - 1)); }
    const T* at(size_t n) const { return block(n) + (n & ((size_t{1} << bits_) - 1)); }

  private:
    T* block(size_t n) const { return static_cast<T*>(blocks_[n >> bits_].get()); }

    unsigned bits_ = 0;  // a block has 2^bits elements
    std::vector<std::unique_ptr<void, FreeLarge>> blocks_;
};

}  // namespace sapwood
