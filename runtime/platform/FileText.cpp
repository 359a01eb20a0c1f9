// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "platform/FileText.h"

#include "support/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gnomon::platform {

namespace {

constexpr off_t MaxFileBytes = off_t{1} << 30;

struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0)
      close(number);
  }
};

} // namespace

std::string readText(const std::string &file) {
  auto fail = [&file](const std::string &text) { throw InputError(file, 0, text); };
  Descriptor descriptor{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat status;
  if (descriptor.number < 0 || fstat(descriptor.number, &status) != 0)
    fail(std::string("cannot be read: ") + strerror(errno));
  if (S_ISDIR(status.st_mode))
    fail("is a directory");
  if (status.st_size > MaxFileBytes)
    fail("is larger than 1 GiB");
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    ssize_t count = read(descriptor.number, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      fail(std::string("cannot be read: ") + strerror(errno));
    if (count == 0)
      return text;
    text.append(buffer, static_cast<size_t>(count));
    if (text.size() > static_cast<size_t>(MaxFileBytes)) // a pipe has no size beforehand
      fail("is larger than 1 GiB");
  }
}

} // namespace gnomon::platform
