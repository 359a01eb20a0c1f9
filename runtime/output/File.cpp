// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/File.h"

#include "process/image/Real.h"
#include "support/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::output {
std::string readFile(const std::string &path) {
  const int descriptor = GNOMON_REAL(open)(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    throw InputError(path, 0, std::strerror(errno));
  std::string text;
  char buffer[1 << 16];
  long got = 0;
  while ((got = syscall(SYS_read, descriptor, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<size_t>(got));
  const int error = errno;
  syscall(SYS_close, descriptor);
  if (got < 0)
    throw InputError(path, 0, std::strerror(error));
  return text;
}

} // namespace gnomon::output
