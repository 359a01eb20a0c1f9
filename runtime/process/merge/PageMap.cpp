// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/merge/PageMap.h"

#include "process/image/PageFile.h"
#include "process/image/Real.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace gnomon::process::merge {

PageMap::PageMap() : file_(GNOMON_REAL(open)("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {
  uint64_t word = 0;
  if (file_ < 0 || !read(reinterpret_cast<const char *>(&word), 1, &word))
    error_ = errno ? errno : EIO;
}

PageMap::~PageMap() {
  if (file_ >= 0)
    GNOMON_REAL(close)(file_);
}

bool PageMap::read(const char *begin, size_t pages, uint64_t *words) const {
  const auto bytes = static_cast<ssize_t>(pages * sizeof *words);
  const auto first = reinterpret_cast<uintptr_t>(begin) / PageFile::PageBytes;
  return GNOMON_REAL(pread)(file_, words, static_cast<size_t>(bytes),
                            static_cast<off_t>(first * sizeof *words)) == bytes;
}

} // namespace gnomon::process::merge
