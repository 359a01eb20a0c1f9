// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By system calls, since libgnomon's own functions belong to the ranks.
#include "trace/Target.h"

#include "support/Error.h"
#include "support/Write.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace gnomon::trace {
namespace {

constexpr size_t BufferBytes = size_t{256} << 10;
constexpr int SpecialFlags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY;
constexpr int NewFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

int openFile(const std::string &path, int flags) {
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags, 0666));
}

/// A name beside \p path that nobody can guess; empty where the system has no random numbers.
std::string secretName(const std::string &path) {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
    return {};
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  return fmt::format("{}.gnomon-{:016x}", folder, number);
}

} // namespace

FileTarget::FileTarget(std::string path) : path_(std::move(path)) {
  struct stat status{};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (path_.empty() || path_.ends_with('/') || (exists && S_ISDIR(status.st_mode)))
    errno = EISDIR;
  else if (exists && !S_ISREG(status.st_mode))
    descriptor_ = openFile(path_, SpecialFlags);
  else
    openTemporary();
  if (descriptor_ < 0)
    throw InputError(path_, 0, fmt::format("cannot be written: {}", std::strerror(errno)));
  buffer_.reserve(BufferBytes);
}

void FileTarget::openTemporary() {
  const std::string name = secretName(path_);
  if (name.empty())
    return;
  descriptor_ = openFile(name, NewFlags);
  if (descriptor_ >= 0)
    temporary_ = name;
}

FileTarget::~FileTarget() {
  if (descriptor_ >= 0)
    syscall(SYS_close, descriptor_);
  if (!temporary_.empty())
    unlink(temporary_.c_str());
}

void FileTarget::fail() {
  if (error_.empty())
    error_ = fmt::format("cannot write {}: {}", path_, std::strerror(errno));
}

void FileTarget::flush() {
  if (error_.empty() && !writeFully(descriptor_, buffer_))
    fail();
  buffer_.clear();
}

void FileTarget::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > BufferBytes)
    flush();
  if (bytes.size() <= BufferBytes)
    buffer_ += bytes;
  else if (error_.empty() && !writeFully(descriptor_, bytes))
    fail();
}

std::string FileTarget::finish() {
  flush();
  if (syscall(SYS_close, std::exchange(descriptor_, -1)) != 0)
    fail();
  if (!error_.empty() || temporary_.empty())
    return error_;
  if (rename(temporary_.c_str(), path_.c_str()) == 0)
    temporary_.clear();
  else
    fail();
  return error_;
}

} // namespace gnomon::trace
