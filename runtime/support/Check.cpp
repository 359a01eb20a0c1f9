// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Check.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace gnomon {
namespace {
StateDescriber describeState = nullptr;
}

void setStateDescriber(StateDescriber describe) { describeState = describe; }

void checkFailed(const char *file, int line, const char *condition, const char *text) {
  std::string state = describeState ? " (" + describeState() + ")" : std::string();
  // Not through stdio: the buffers of the simulated ranks may be what broke.
  dprintf(STDERR_FILENO, "gnomon: internal error: %s:%d: %s: %s%s\n", file, line, condition, text,
          state.c_str());
  abort();
}

} // namespace gnomon
