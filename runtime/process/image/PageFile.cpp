// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/image/PageFile.h"

#include "process/image/Real.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gnomon::process {

PageFile::~PageFile() {
  if (file_ >= 0)
    GNOMON_REAL(close)(file_); // mappings live on
}

std::optional<size_t> PageFile::extend(size_t bytes) {
  if (!std::exchange(tried_, true))
    file_ = memfd_create(name_, MFD_CLOEXEC);
  const size_t begin = bytes_, end = begin + wholePages(bytes);
  if (file_ < 0 || GNOMON_REAL(ftruncate)(file_, static_cast<off_t>(end)) != 0)
    return std::nullopt;
  bytes_ = end;
  return begin;
}

bool PageFile::write(size_t offset, const char *from, size_t bytes) const {
  while (bytes > 0) {
    const ssize_t done = GNOMON_REAL(pwrite)(file_, from, bytes, static_cast<off_t>(offset));
    if (done <= 0)
      return false;
    from += done;
    offset += static_cast<size_t>(done);
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

bool PageFile::map(char *at, size_t bytes, size_t offset, int kind) const {
  return mmap(at, bytes, PROT_READ | PROT_WRITE, kind | MAP_FIXED | MAP_NORESERVE, file_,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

bool PageFile::mapShared(char *at, size_t bytes, size_t offset) const {
  return map(at, bytes, offset, MAP_SHARED);
}

bool PageFile::mapPrivate(char *at, size_t bytes, size_t offset) const {
  return map(at, bytes, offset, MAP_PRIVATE);
}

uint64_t PageFile::residentBytes() const {
  struct stat state{};
  constexpr uint64_t BlockBytes = 512; // of st_blocks
  return file_ >= 0 && fstat(file_, &state) == 0
             ? static_cast<uint64_t>(state.st_blocks) * BlockBytes
             : 0;
}

} // namespace gnomon::process
