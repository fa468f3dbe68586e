// Memory that begins at a cache line, and rows that are padded to whole vectors, so that loads never straddle
// and the inner loops have no remainder.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace sapwood {

constexpr size_t kLanes = 16;  // rows and scores are padded to a multiple of so many labels

inline size_t padded(size_t width) {
    return (width + kLanes - 1) / kLanes * kLanes;
}

template <class T>
struct CacheAligned {
    using value_type = T;
    template <class U>
    CacheAligned(const CacheAligned<U>&) {}
    CacheAligned() = default;
    T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64})); }
    void deallocate(T* p, size_t) { ::operator delete(p, std::align_val_t{64}); }
    bool operator==(const CacheAligned&) const { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheAligned<T>>;

}  // namespace sapwood
