// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a program does to its own pages. Pages that are merged with other ranks' are mapped from a
/// file, where the program has anonymous memory: MADV_DONTNEED would not make zeros of them, and a
/// page that is merged later would lose its protection. So what a program treats like that is its
/// own, and stays so.
#include "process/libc/Interpose.h"
#include "process/merge/Merging.h"

#include <sys/mman.h>

using namespace gnomon::process;

GNOMON_INTERPOSE int mprotect(void *begin, size_t bytes, int protection) noexcept {
  if (merge::isOn()) [[unlikely]]
    merge::leaveAlone(begin, bytes);
  return GNOMON_REAL(mprotect)(begin, bytes, protection);
}

GNOMON_INTERPOSE int madvise(void *begin, size_t bytes, int advice) noexcept {
  if (merge::isOn()) [[unlikely]]
    merge::leaveAlone(begin, bytes);
  return GNOMON_REAL(madvise)(begin, bytes, advice);
}
