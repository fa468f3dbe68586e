// A file without a name, for data that do not fit into memory. It is gone when it is closed, however the process ends. On
// systems without O_TMPFILE its folder shows it for a moment.
//
// Data are written by write(2) before they are mapped. So a full disk is an error where data are written, not a signal
// where they are read.
#pragma once
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
    // Writes bytes there, in place of those that are there, or behind the end. Throws DataError if there is no room.
    void write_at(size_t offset, const void* bytes, size_t size);
    size_t size() const { return size_; }

    // The bytes from `offset` on, at most `size`, copied to `to`; returns how many there were. Throws DataError.
    size_t read(size_t offset, void* to, size_t size) const;
    // Tells that these bytes will be read soon.
    void will_read(size_t offset, size_t size) const;

    // Maps all that was written into memory, until the next call or the end; nullptr if nothing was written. Changes in
    // memory are changes of the file. Throws DataError.
    void* map();

    // Ends the mapping, if there is one.
    void unmap();

  private:
    [[noreturn]] void fail(const char* what) const;

    std::string folder_;
    int descriptor_ = -1;
    size_t size_ = 0, mapped_ = 0;
    void* map_ = nullptr;
};

}  // namespace sapwood
