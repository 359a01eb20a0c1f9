// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "process/fold/Nowhere.h"

#include "process/fold/FoldedMemory.h"
#include "support/Error.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace gnomon::process::fold {

void reserveNowhere() {
  // More than any buffers take, where address space is not limited.
  constexpr uint64_t Most = uint64_t{1} << 44, Least = uint64_t{1} << 34;
  void *begin = MAP_FAILED;
  uint64_t bytes = Most;
  for (; bytes >= Least && begin == MAP_FAILED; bytes /= 2)
    begin = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED)
    throw InputError("", 0,
                     std::string("cannot reserve addresses for the buffers of the replay: ") +
                         strerror(errno) + "; raise the limit on address space (ulimit -v)");
  detail::nowhere = reinterpret_cast<uintptr_t>(begin);
  detail::nowhereBytes = bytes * 2; // the loop's last step
  detail::any = true;
}

} // namespace gnomon::process::fold
