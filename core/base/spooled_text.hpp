// A text that comes in parts, in a scratch file. Its hash is that of the whole text, which begins with the length, so it
// can only be computed when all parts are there; and it can be read again.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "base/scratch_file.hpp"

namespace sapwood {

class SpooledText {
  public:
    // Throws DataError if there can be no scratch file in the folder.
    explicit SpooledText(std::string folder) : file_(std::move(folder)) {}

    // Adds a part. Throws DataError if there is no room.
    void add(std::string_view part) { file_.write(part.data(), part.size()); }

    size_t size() const { return file_.size(); }

    // At most `size` bytes from `offset` on. Throws DataError.
    std::string read(size_t offset, size_t size) const {
        std::string bytes(std::min(size, file_.size() - std::min(offset, file_.size())), '\0');
        bytes.resize(file_.read(offset, bytes.data(), bytes.size()));
        return bytes;
    }

    // hash_bytes of all that was added. Throws DataError.
    uint64_t hash() const {
        constexpr size_t word = sizeof(uint64_t);
        uint64_t h = hash_seed(file_.size()), value;
        size_t left = file_.size();
        for (std::string part; left > word;) {  // the last word, or a part of it, is not hashed here
            part = read(file_.size() - left, kAtOnce);
            const size_t words = (std::min(left - 1, part.size())) / word;
            for (size_t k = 0; k < words; ++k) {
                std::memcpy(&value, part.data() + k * word, word);
                h = combine(h, value);
            }
            left -= words * word;
        }
        return hash_tail(h, read(file_.size() - left, left));
    }

    // Combines 64-bit numbers, of which the text consists, with a first one, one after the other. Throws DataError.
    uint64_t combined(uint64_t first) const {
        uint64_t value;
        for (size_t place = 0; place < file_.size(); place += kAtOnce) {
            const std::string part = read(place, kAtOnce);
            for (size_t k = 0; k + sizeof value <= part.size(); k += sizeof value) {
                std::memcpy(&value, part.data() + k, sizeof value);
                first = combine(first, value);
            }
        }
        return first;
    }

  private:
    static constexpr size_t kAtOnce = 1 << 20;  // bytes, whole words

    ScratchFile file_;
};

}  // namespace sapwood
