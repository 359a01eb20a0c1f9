// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/FileText.h"

#include "support/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::platform {

namespace {

/// Three million links take less.
constexpr off_t MaxFileBytes = off_t{1} << 28;
constexpr const char *TooLarge = "is larger than 256 MiB, which is the limit";
constexpr int PatienceMilliseconds = 10000;

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
};

/// Waits until there is something to read, or the end. A pipe that has had no writer yet reads as
/// empty: the wait is also for its first one.
bool waitForData(int descriptor) {
  pollfd wanted{descriptor, POLLIN, 0};
  int ready = 0;
  do
    // By system call: in a simulated program, the function called poll is the ranks'.
    ready = static_cast<int>(syscall(SYS_poll, &wanted, 1, PatienceMilliseconds));
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

} // namespace

std::string readText(const std::string &file) {
  auto fail = [&file](const std::string &text) { throw InputError(file, 0, text); };
  // Opening a pipe that has no writer would wait for one for ever.
  Descriptor descriptor{open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status;
  if (descriptor.number < 0 || fstat(descriptor.number, &status) != 0)
    fail(std::string("cannot be read: ") + strerror(errno));
  if (S_ISDIR(status.st_mode))
    fail("is a directory");
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
    fail("is neither a file nor a pipe");
  if (status.st_size > MaxFileBytes)
    fail(TooLarge);
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    if (S_ISFIFO(status.st_mode) && !waitForData(descriptor.number))
      fail("is a pipe into which nobody writes");
    ssize_t count = read(descriptor.number, buffer, sizeof buffer);
    if (count < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (count < 0)
      fail(std::string("cannot be read: ") + strerror(errno));
    if (count == 0)
      return text;
    text.append(buffer, static_cast<size_t>(count));
    if (text.size() > static_cast<size_t>(MaxFileBytes)) // a pipe has no size beforehand
      fail(TooLarge);
  }
}

} // namespace gnomon::platform
