// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/fold/SharedPages.h"

#include "process/image/Real.h"

#include <algorithm>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gnomon::process::fold {
namespace {

size_t wholePages(size_t bytes) {
  return (bytes + SharedPages::PageBytes - 1) / SharedPages::PageBytes * SharedPages::PageBytes;
}

} // namespace

SharedPages::~SharedPages() {
  if (begin_)
    munmap(begin_, bytes_);
  if (file_ >= 0)
    GNOMON_REAL(close)(file_);
}

bool SharedPages::reserve() {
  if (tried_)
    return begin_ != nullptr;
  tried_ = true;
  file_ = memfd_create("gnomon-folded", MFD_CLOEXEC);
  if (file_ < 0)
    return false;
  void *range =
      mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED)
    return false;
  begin_ = static_cast<char *>(range);
  return true;
}

bool SharedPages::map(char *address, size_t bytes, size_t offset) const {
  return mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_,
              static_cast<off_t>(offset)) != MAP_FAILED;
}

char *SharedPages::region(size_t bytes, size_t window) {
  bytes = wholePages(bytes);
  window = window ? std::min(wholePages(window), bytes) : bytes;
  if (!reserve() || bytes > bytes_ - used_)
    return nullptr;
  char *region = begin_ + used_;
  const size_t end = used_ + bytes;
  if (GNOMON_REAL(ftruncate)(file_, static_cast<off_t>(end)) != 0)
    return nullptr;
  for (size_t at = 0; at < bytes; at += window)
    if (!map(region + at, std::min(window, bytes - at), used_))
      return nullptr;
  used_ = end;
  return region;
}

bool SharedPages::mapOver(char *begin, char *end, const char *region) const {
  return mmap(begin, static_cast<size_t>(end - begin), PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED, file_, region - begin_) != MAP_FAILED;
}

uint64_t SharedPages::residentBytes() const {
  struct stat state{};
  constexpr uint64_t BlockBytes = 512; // of st_blocks
  return file_ >= 0 && fstat(file_, &state) == 0
             ? static_cast<uint64_t>(state.st_blocks) * BlockBytes
             : 0;
}

} // namespace gnomon::process::fold
