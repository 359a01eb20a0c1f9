// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Write.h"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon {

bool writeFully(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const long written = syscall(SYS_write, descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

} // namespace gnomon
