// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/TextFile.h"

#include "support/Error.h"
#include "support/Write.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace gnomon::trace {
namespace {

constexpr size_t BufferBytes = 1 << 18;

/// Whether \p path is a pipe or a device, which a file cannot replace.
bool isSpecial(const std::string &path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

} // namespace

TextFile::TextFile(std::string path) : path_(std::move(path)) {
  struct stat status{};
  if (stat(path_.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    throw InputError(path_, 0, "cannot be written: is a directory");
  if (isSpecial(path_)) {
    descriptor_ = static_cast<int>(
        syscall(SYS_openat, AT_FDCWD, path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  } else {
    temporary_ = path_.substr(0, path_.rfind('/') + 1) + ".gnomon-XXXXXX";
    descriptor_ = mkostemp(temporary_.data(), O_CLOEXEC);
  }
  if (descriptor_ < 0)
    throw InputError(path_, 0, fmt::format("cannot be written: {}", std::strerror(errno)));
}

TextFile::~TextFile() {
  if (descriptor_ >= 0)
    syscall(SYS_close, descriptor_);
  if (!temporary_.empty())
    unlink(temporary_.c_str());
}

void TextFile::fail(const char *what) {
  if (error_.empty())
    error_ = fmt::format("cannot {} {}: {}", what, path_, std::strerror(errno));
}

void TextFile::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= BufferBytes)
    flush();
}

void TextFile::flush() {
  if (error_.empty() && !writeFully(descriptor_, buffer_))
    fail("write");
  buffer_.clear();
}

std::string TextFile::finish() {
  flush();
  // mkostemp lets nobody else read; an ordinary new file is as the user's mask says.
  const mode_t mask = umask(0);
  umask(mask);
  if (!temporary_.empty() && fchmod(descriptor_, 0666 & ~mask) != 0)
    fail("write");
  if (syscall(SYS_close, std::exchange(descriptor_, -1)) != 0)
    fail("write");
  if (error_.empty() && !temporary_.empty()) {
    if (std::rename(temporary_.c_str(), path_.c_str()) == 0)
      temporary_.clear();
    else
      fail("name");
  }
  return error_;
}

} // namespace gnomon::trace
