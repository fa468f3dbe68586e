// A file without a name, for data that do not fit into memory. It is gone when it is closed, however the process ends. On
// systems without O_TMPFILE its folder shows it for a moment.
//
// Data are written by write(2) and read from a mapping. So a full disk is an error where data are written, not a signal
// where they are read. What has been read of a mapping counts as memory of the process until it is given back, which
// visited() does from time to time: the pages stay in the cache of the system, where they are still quick to find.
#pragma once
#include <atomic>
#include <cstddef>
#include <string>

namespace sapwood {

class ScratchFile {
  public:
    // Throws DataError if the folder cannot have such a file.
    explicit ScratchFile(std::string folder);
    ~ScratchFile();
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    // Adds bytes at the end. Throws DataError if there is no room.
    void write(const void* bytes, size_t size);
    size_t size() const { return size_; }

    // The bytes from `offset` on, at most `size`, copied to `to`; returns how many there were. Throws DataError.
    size_t read(size_t offset, void* to, size_t size) const;

    // All that was written, mapped into memory until the next call or the end; nullptr if it is nothing. What is changed
    // there is changed in the file. Throws DataError.
    void* map();

    // Tells that an example of so many bytes is read from the mapping.
    void visited(size_t bytes) {
        if (visited_.fetch_add(bytes + kAround, std::memory_order_relaxed) > kMostVisited) give_back();
    }

  private:
    static constexpr size_t kAround = 1 << 16;       // bytes that the system maps around one that is read
    static constexpr size_t kMostVisited = 1 << 25;  // bytes that count as memory, at most

    void give_back();
    void unmap();
    [[noreturn]] void fail(const char* what) const;

    std::string folder_;
    int descriptor_ = -1;
    size_t size_ = 0, mapped_ = 0;
    std::atomic<size_t> visited_ = 0;  // by several threads, perhaps
    void* map_ = nullptr;
};

}  // namespace sapwood
