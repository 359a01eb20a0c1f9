// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "output/File.h"

#include "output/TextWriter.h"
#include "support/Error.h"
#include "support/Write.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::output {
namespace {

/// By a system call: libgnomon's own close() belongs to the ranks.
bool writeAndClose(int descriptor, std::string_view text) {
  const bool good = writeFully(descriptor, text);
  const int saved = errno;
  bool closed = syscall(SYS_close, descriptor) == 0;
  if (!good)
    errno = saved;
  return good && closed;
}

} // namespace

std::string writeFile(const std::string &path, std::string_view text) {
  bool direct = isSpecialFile(path);
  std::string target = direct ? path : fmt::format("{}.tmp{}", path, syscall(SYS_getpid));
  int descriptor = open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = descriptor >= 0 && writeAndClose(descriptor, text);
  if (good && !direct)
    good = rename(target.c_str(), path.c_str()) == 0;
  if (good)
    return {};
  std::string error = fmt::format("cannot write {}: {}", path, std::strerror(errno));
  if (!direct)
    unlink(target.c_str());
  return error;
}

std::string readFile(const std::string &path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
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
