// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/fold/SharedPages.h"

#include "process/ranks/Memory.h"

#include <algorithm>
#include <optional>
#include <sys/mman.h>

namespace gnomon::process::fold {

SharedPages::~SharedPages() {
  if (begin_)
    munmap(begin_, bytes_);
}

bool SharedPages::reserve() {
  if (tried_)
    return begin_ != nullptr;
  tried_ = true;
  if (const uint64_t left = freeAddresses(); left != UINT64_MAX)
    bytes_ = std::min<uint64_t>(bytes_, left / 4 / PageBytes * PageBytes);
  void *range =
      mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) {
    bytes_ = 0;
    return false;
  }
  begin_ = static_cast<char *>(range);
  return true;
}

char *SharedPages::region(size_t bytes, size_t window) {
  bytes = wholePages(bytes);
  window = window ? std::min(wholePages(window), bytes) : bytes;
  if (!reserve() || bytes > bytes_ - used_) {
    isShort_ = true;
    return nullptr;
  }
  char *region = begin_ + used_;
  const std::optional<size_t> offset = file_.extend(bytes);
  if (!offset)
    return nullptr;
  used_ += bytes; // mapped or not: a place in the range is the same place in the file
  for (size_t at = 0; at < bytes; at += window)
    if (!file_.mapShared(region + at, std::min(window, bytes - at), *offset))
      return nullptr;
  return region;
}

bool SharedPages::mapOver(char *begin, char *end, const char *region) const {
  return file_.mapShared(begin, static_cast<size_t>(end - begin),
                         static_cast<size_t>(region - begin_));
}

bool SharedPages::mapPrivately(char *begin, char *end, const char *region) const {
  return file_.mapPrivate(begin, static_cast<size_t>(end - begin),
                          static_cast<size_t>(region - begin_));
}

void SharedPages::discard(char *begin, size_t bytes) {
  madvise(begin, bytes, MADV_REMOVE); // in vain: they stay in memory
}

} // namespace gnomon::process::fold
