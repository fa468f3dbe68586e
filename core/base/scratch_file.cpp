#include "base/scratch_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/errors.hpp"

namespace sapwood {

namespace {

// A new file without a name. Where the system cannot make one, it has a name for a moment.
int open_nameless(const std::string& folder) {
#ifdef O_TMPFILE
    if (const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); file >= 0) return file;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return -1;
#endif
    std::string path = folder + "/.sapwood-XXXXXX";
    const int file = mkostemp(path.data(), O_CLOEXEC);
    if (file >= 0) unlink(path.c_str());
    return file;
}

}  // namespace

ScratchFile::ScratchFile(std::string folder) : folder_(std::move(folder)), descriptor_(open_nameless(folder_)) {
    if (descriptor_ < 0) fail("cannot make a scratch file there");
}

ScratchFile::~ScratchFile() {
    unmap();
    close(descriptor_);
}

void ScratchFile::write(const void* bytes, size_t size) {
    write_at(size_, bytes, size);
}

void ScratchFile::write_at(size_t offset, const void* bytes, size_t size) {
    unmap();
    const char* from = static_cast<const char*>(bytes);
    while (size > 0) {
        const ssize_t written = pwrite(descriptor_, from, size, static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("cannot write to the scratch file there");
        from += written;
        size -= static_cast<size_t>(written);
        offset += static_cast<size_t>(written);
        size_ = std::max(size_, offset);
    }
}

size_t ScratchFile::read(size_t offset, void* to, size_t size) const {
    size_t done = 0;
    while (done < size) {
        const ssize_t found =
            pread(descriptor_, static_cast<char*>(to) + done, size - done, static_cast<off_t>(offset + done));
        if (found < 0 && errno == EINTR) continue;
        if (found < 0) fail("cannot read the scratch file there");
        if (found == 0) break;
        done += static_cast<size_t>(found);
    }
    return done;
}

void ScratchFile::will_read(size_t offset, size_t size) const {
#ifdef POSIX_FADV_WILLNEED
    posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(size), POSIX_FADV_WILLNEED);
#endif
}

void* ScratchFile::map() {
    if (map_ != nullptr || size_ == 0) return map_;
    void* map = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (map == MAP_FAILED) fail("cannot map the scratch file there");
    map_ = map;
    mapped_ = size_;
    return map_;
}

void ScratchFile::unmap() {
    if (map_ != nullptr) munmap(std::exchange(map_, nullptr), std::exchange(mapped_, 0));
}

void ScratchFile::fail(const char* what) const {
    const int error = errno;
    throw DataError(folder_ + ": " + what + ": " + std::strerror(error) +
                    "; free some space, or name another folder by TMPDIR (in Python by scratch)");
}

}  // namespace sapwood
