// The examples of a scratch file in another order: the random one in which an epoch presents them.
//
// An example is smaller than what a disk reads at once, so to read examples one by one, from random places, takes many
// times as long as to read the file. They are permuted by distribution instead (Aggarwal & Vitter 1988, "The
// Input/Output Complexity of Sorting and Related Problems"): the order is cut into windows that fit into memory; one
// pass over the file writes each example to its window in a second file; and windows are then read one after the other.
// A file that is not larger than a window has no second file.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/scratch_file.hpp"

namespace sapwood {

class ArrangedFile {
  public:
    // Where examples begin in the file: example k has the bytes from starts(k) to starts(k + 1). All bytes are examples'.
    using Starts = std::function<uint64_t(size_t)>;

    // window: most bytes of a window, but for its last group of examples.
    explicit ArrangedFile(std::string folder, size_t window = kWindow) : folder_(std::move(folder)), window_(window) {}

    // Arranges the examples order[from], order[from + 1] ... No window ends within a group: groups are of so many examples,
    // the first of them begins at `from`. Throws DataError if there is no room.
    void arrange(const ScratchFile& file, std::span<const uint32_t> order, size_t from, size_t group,
                 const Starts& starts);

    // Whether order[position] is in memory.
    bool has(size_t position) const { return position >= begin_ && position < end_; }

    // Reads the window of order[position], given the same file, order and starts. Throws DataError.
    void read(const ScratchFile& file, std::span<const uint32_t> order, size_t position, const Starts& starts);

    // The example that begins with this byte of the file, which must be in memory.
    const char* at(uint64_t start) const;

    // Bytes of memory.
    size_t bytes() const { return room_ + found_.capacity() * sizeof(Place); }

  private:
    static constexpr size_t kWindow = 1 << 25;
    static constexpr size_t kBuffers = 1 << 25;                 // most bytes of memory while the file is distributed
    static constexpr size_t kLeast = 1 << 12, kMost = 1 << 20;  // bytes that are written at once

    struct Window {
        size_t end;          // in the order; it begins where the one before ends
        uint64_t byte;       // in the second file
        uint64_t bytes = 0;  // of all its examples
    };
    struct Place {
        uint64_t start;  // in the file
        uint64_t place;  // in the window
    };
    void cut(std::span<const uint32_t> order, size_t group, const Starts& starts);
    void distribute(const ScratchFile& file, std::span<const uint32_t> order, const Starts& starts);
    void make_room(size_t bytes);

    std::string folder_;
    size_t window_;
    std::unique_ptr<ScratchFile> second_;
    size_t from_ = 0;
    std::vector<Window> windows_;  // in order; empty if the file is one
    size_t begin_ = 0, end_ = 0;   // positions in memory
    std::unique_ptr<char[]> memory_;
    size_t room_ = 0;
    std::vector<Place> found_;  // of the examples in memory, ascending; empty if it is the whole file
};

}  // namespace sapwood
