// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Which pages of this process are in memory, and whose they are, as the kernel tells it in
/// /proc/self/pagemap (Documentation/admin-guide/mm/pagemap.rst): 64 bits a page, without touching it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gnomon::process::merge {

class PageMap {
public:
  PageMap();
  ~PageMap();
  PageMap(const PageMap &) = delete;
  PageMap &operator=(const PageMap &) = delete;

  /// Whether the kernel lets us read it. 0, or what errno says.
  int error() const { return error_; }
  /// The words of \p pages pages from \p begin on. False: they cannot be read.
  bool read(const char *begin, size_t pages, uint64_t *words) const;

  /// The page is in memory, and no file, nobody else, and not the kernel's page of zeros has it.
  static bool isOwn(uint64_t word) {
    return (word & (Present | File | Exclusive)) == (Present | Exclusive);
  }
  /// It was written, if it showed a file's page, or zeros, before.
  static bool isWritten(uint64_t word) { return isOwn(word) || (word & Swapped) != 0; }

private:
  static constexpr uint64_t Exclusive = uint64_t{1} << 56, File = uint64_t{1} << 61,
                            Swapped = uint64_t{1} << 62, Present = uint64_t{1} << 63;
  int file_ = -1;
  int error_ = 0;
};

} // namespace gnomon::process::merge
