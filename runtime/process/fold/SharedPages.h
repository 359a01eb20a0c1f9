// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The memory behind folded blocks: a file without a name whose pages are mapped again and again.
/// Addresses of the file lie in one range, of which parts are handed out (regions); a region may
/// also be mapped over memory that a rank has. A region may be one small window of pages that is shown again and again:
/// s bytes become a few.
#pragma once

#include "process/image/PageFile.h"

#include <cstddef>
#include <cstdint>

namespace gnomon::process::fold {

class SharedPages {
public:
  /// So much address space is reserved, at the first region; where that is limited (ulimit -v), a quarter of what is left
  /// at most. Nothing is used of it before.
  explicit SharedPages(size_t bytes = size_t{1} << 42) : bytes_(bytes) {}
  ~SharedPages();
  SharedPages(const SharedPages &) = delete;
  SharedPages &operator=(const SharedPages &) = delete;

  /// A region of at least \p bytes, with addresses of its own; null when there is none to be had.
  /// All regions together are one mapping; but one that shows its first \p window bytes again and again (0: it does not)
  /// has a mapping for each time.
  char *region(size_t bytes, size_t window = 0);
  /// Whether some region was not to be had because addresses are limited.
  bool isShort() const { return isShort_; }
  /// Pages [begin, end) show those of the region from its start on. False: the kernel refuses.
  bool mapOver(char *begin, char *end, const char *region) const;
  /// The same until they are written: what is written stays with its owner.
  bool mapPrivately(char *begin, char *end, const char *region) const;
  /// Whole pages of a region are not needed any more: they read as zero, and take no memory.
  static void discard(char *begin, size_t bytes);
  bool contains(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(begin_) < used_;
  }
  /// Bytes that are in memory.
  uint64_t residentBytes() const { return file_.residentBytes(); }

  static constexpr size_t PageBytes = PageFile::PageBytes;

private:
  bool reserve();

  size_t bytes_;
  char *begin_ = nullptr; ///< null: not reserved yet, or in vain
  size_t used_ = 0;
  PageFile file_{"gnomon-folded"};
  bool tried_ = false, isShort_ = false;
};

} // namespace gnomon::process::fold
