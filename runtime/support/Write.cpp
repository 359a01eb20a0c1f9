// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Write.h"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local volatile int depth = 0;

struct Writing {
  Writing() { depth = depth + 1; }
  ~Writing() { depth = depth - 1; }
  Writing(const Writing &) = delete;
  Writing &operator=(const Writing &) = delete;
};

/// \p write takes what is left of the text, and returns how much of it was written.
template <class Write> bool writeAll(std::string_view text, Write write) {
  const Writing now;
  while (!text.empty()) {
    const long written = write(text);
    if (written < 0 && errno == EINTR)
      continue;
    if (written == 0)
      errno = ENOSPC;
    if (written <= 0)
      return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

} // namespace

bool writesItself() { return depth > 0; }

bool writeFully(int descriptor, std::string_view text) {
  return writeAll(text, [&](std::string_view rest) {
    return syscall(SYS_write, descriptor, rest.data(), rest.size());
  });
}

bool writeFullyAt(int descriptor, std::string_view text, uint64_t offset) {
  return writeAll(text, [&](std::string_view rest) {
    const uint64_t at = offset + (text.size() - rest.size());
    return syscall(SYS_pwrite64, descriptor, rest.data(), rest.size(), static_cast<off_t>(at));
  });
}

} // namespace gnomon
