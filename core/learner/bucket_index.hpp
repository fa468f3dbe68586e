// Key -> number, in buckets of one cache line: eight 32-bit fingerprints compared at once, eight numbers.
//
// A lookup costs one cache miss, present or not. The bucket is the key's top bits, so keys that arrive sorted
// fill the table from front to back. A full bucket overflows into the next one.
//
// Keys of features are a function of the text alone, so text can be crafted whose keys all share a bucket. Tables
// therefore may put a key's product with an odd number in its place (Dietzfelbinger et al. 1997): different keys have
// different products, and nobody can crowd the products of a number that was drawn at random. No answer depends on
// the number, only the time to find it.
#pragma once
#include <cstddef>
#include <cstdint>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#include "base/aligned.hpp"

namespace sapwood {

class BucketIndex {
  public:
    // The fingerprint is the low half of the key shifted right by `shift`: 0 for full keys, 64 - b for
    // keys of which only the top b bits are known.
    explicit BucketIndex(unsigned shift = 0, size_t expected = 0) : shift_(shift) {
        while (capacity() < expected) ++bits_;
        buckets_.resize(size_t{1} << bits_);
    }

    void prefetch(uint64_t key) const { __builtin_prefetch(&buckets_[home(key)]); }

    // The number stored for the key, 0 if there is none. Numbers whose fingerprint agrees are put before
    // `same(number)`, which may compare the whole key.
    template <class Same>
    uint32_t find(uint64_t key, Same&& same) const {
        const auto fingerprint = static_cast<uint32_t>(key >> shift_);
        for (size_t b = home(key);; b = (b + 1) & (buckets_.size() - 1)) {
            const Bucket& bucket = buckets_[b];
            for (uint32_t hits = equal(bucket, fingerprint); hits != 0; hits &= hits - 1) {
                const uint32_t number = bucket.number[__builtin_ctz(hits)];
                if (number != 0 && same(number)) return number;
            }
            if (bucket.number[kSlots - 1] == 0) return 0;
        }
    }
    // The same by the fingerprint alone. Nobody can guess whether a key is there, so that is decided without a branch.
    uint32_t find(uint64_t key) const {
        const auto fingerprint = static_cast<uint32_t>(key >> shift_);
        for (size_t b = home(key);; b = (b + 1) & (buckets_.size() - 1)) {
            const Bucket& bucket = buckets_[b];
            const uint32_t hits = equal(bucket, fingerprint);
            const uint32_t first = bucket.number[__builtin_ctz(hits | 1u << (kSlots - 1))];
            const uint32_t number = first & -static_cast<uint32_t>(hits != 0);
            if ((number != 0) | (bucket.number[kSlots - 1] == 0)) [[likely]]
                return number;
        }
    }

    // Adds a key that is not there yet and returns how many buckets from home it lies. `key_of(number)`
    // gives the keys again when the table grows.
    template <class KeyOf>
    size_t insert(uint64_t key, uint32_t number, KeyOf&& key_of) {
        if (size_ == capacity()) {
            ++bits_;
            AlignedVector<Bucket> old(size_t{1} << bits_);
            old.swap(buckets_);
            for (const Bucket& bucket : old)
                for (size_t k = 0; k < kSlots && bucket.number[k] != 0; ++k)
                    place(key_of(bucket.number[k]), bucket.number[k]);
        }
        ++size_;
        return place(key, number);
    }

    // Adds a key to an index that has room for it, and returns how many buckets from home it lies; if `find` finds a
    // number for the key, adds nothing and returns SIZE_MAX. Slots are compared one by one: a comparison of eight at once
    // would wait for the writes before it.
    size_t insert_new(uint64_t key, uint32_t number) {
        const auto fingerprint = static_cast<uint32_t>(key >> shift_);
        for (size_t distance = 0;; ++distance) {
            Bucket& bucket = buckets_[(home(key) + distance) & (buckets_.size() - 1)];
            for (size_t k = 0; k < kSlots; ++k) {
                if (bucket.number[k] == 0) {
                    bucket.fingerprint[k] = fingerprint;
                    bucket.number[k] = number;
                    ++size_;
                    return distance;
                }
                if (bucket.fingerprint[k] == fingerprint) return SIZE_MAX;
            }
        }
    }

    // Changes the number of a key that is there.
    void replace(uint64_t key, uint32_t from, uint32_t to) {
        for (size_t b = home(key);; b = (b + 1) & (buckets_.size() - 1))
            for (uint32_t& number : buckets_[b].number)
                if (number == from) {
                    number = to;
                    return;
                }
    }

  private:
    static constexpr size_t kSlots = 8;

    struct alignas(64) Bucket {
        uint32_t fingerprint[kSlots] = {};
        uint32_t number[kSlots] = {};  // 0: free; used slots come first
    };

    size_t capacity() const { return (size_t{1} << bits_) * 5; }  // five of eight slots: few buckets overflow
    size_t home(uint64_t key) const { return key >> (64 - bits_); }

    static uint32_t equal(const Bucket& bucket, uint32_t fingerprint) {
#if defined(__SSE2__)
        const __m128i wanted = _mm_set1_epi32(static_cast<int>(fingerprint));
        const auto* have = reinterpret_cast<const __m128i*>(bucket.fingerprint);
        const int low = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_load_si128(have), wanted)));
        const int high = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(_mm_load_si128(have + 1), wanted)));
        return static_cast<uint32_t>(low | high << 4);
#elif defined(__wasm_simd128__)
        const v128_t wanted = wasm_u32x4_splat(fingerprint);
        const uint32_t low = wasm_i32x4_bitmask(wasm_i32x4_eq(wasm_v128_load(bucket.fingerprint), wanted));
        return low | wasm_i32x4_bitmask(wasm_i32x4_eq(wasm_v128_load(bucket.fingerprint + 4), wanted)) << 4;
#else
        uint32_t hits = 0;
        for (size_t k = 0; k < kSlots; ++k) hits |= static_cast<uint32_t>(bucket.fingerprint[k] == fingerprint) << k;
        return hits;
#endif
    }

    size_t place(uint64_t key, uint32_t number) {
        for (size_t distance = 0;; ++distance) {
            Bucket& bucket = buckets_[(home(key) + distance) & (buckets_.size() - 1)];
            for (size_t k = 0; k < kSlots; ++k)
                if (bucket.number[k] == 0) {
                    bucket.fingerprint[k] = static_cast<uint32_t>(key >> shift_);
                    bucket.number[k] = number;
                    return distance;
                }
        }
    }

    unsigned shift_;
    unsigned bits_ = 4;
    size_t size_ = 0;
    AlignedVector<Bucket> buckets_;
};

}  // namespace sapwood
