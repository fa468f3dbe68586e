// Memory that begins at a cache line, and rows that are padded to whole vectors, so that loads never straddle
// and the inner loops have no remainder.
//
// Arrays of 2 MB or more ask the system for large pages. Otherwise most look-ups at random places of a table of many
// megabytes miss the processor's cache of page addresses, too.
#pragma once
#include <cstddef>
#include <new>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sapwood {

constexpr size_t kLanes = 16;  // rows and scores are padded to a multiple of so many labels

inline size_t padded(size_t width) {
    return (width + kLanes - 1) / kLanes * kLanes;
}

constexpr size_t kLargePage = size_t{1} << 21;

// Allocates uninitialised memory, of at least one large page. FreeLarge frees it.
inline void* allocate_large(size_t bytes) {
    void* memory = ::operator new(bytes, std::align_val_t{kLargePage});
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);  // advice only: nothing fails if the system ignores it
#endif
    return memory;
}
struct FreeLarge {
    void operator()(void* memory) const { ::operator delete(memory, std::align_val_t{kLargePage}); }
};

template <class T>
struct CacheAligned {
    using value_type = T;
    template <class U>
    CacheAligned(const CacheAligned<U>&) {}
    CacheAligned() = default;
    T* allocate(size_t n) {
        const size_t bytes = n * sizeof(T);
        return static_cast<T*>(bytes < kLargePage ? ::operator new(bytes, std::align_val_t{64})
                                                  : allocate_large(bytes));
    }
    void deallocate(T* p, size_t n) {
        if (n * sizeof(T) < kLargePage)
            ::operator delete(p, std::align_val_t{64});
        else
            FreeLarge()(p);
    }
    bool operator==(const CacheAligned&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheAligned<T>>;

}  // namespace sapwood
