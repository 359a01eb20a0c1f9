// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/fold/Nowhere.h"

#include "process/fold/FoldedMemory.h"
#include "support/Error.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace gnomon::process::fold {

void reserveNowhere() {
  void *begin = mmap(nullptr, NowhereBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED)
    throw InputError("", 0,
                     std::string("cannot reserve addresses for the buffers of the replay: ") +
                         strerror(errno) + "; raise the limit on address space (ulimit -v)");
  detail::nowhere = reinterpret_cast<uintptr_t>(begin);
  detail::any = true;
}

} // namespace gnomon::process::fold
