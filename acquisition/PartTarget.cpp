// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PartTarget.h"

#include "support/Error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace gnomon::acquisition {

namespace {
constexpr size_t BufferBytes = size_t{256} << 10;
} // namespace

PartTarget::PartTarget(std::string path) : path_(std::move(path)), part_(path_ + ".part") {
  descriptor_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    throw InputError(part_, 0, fmt::format("cannot be written: {}", std::strerror(errno)));
  // An older trace of this name would be taken for this run's if this one is killed.
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT)
    throw InputError(path_, 0, fmt::format("cannot be replaced: {}", std::strerror(errno)));
  buffer_.reserve(BufferBytes);
}

PartTarget::~PartTarget() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

void PartTarget::fail(const char *what) {
  if (error_.empty())
    error_ = fmt::format("{} {}: {}", what, part_, std::strerror(errno));
}

void PartTarget::flush() {
  std::string_view left = buffer_;
  while (error_.empty() && !left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0)
      left.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      fail("cannot write");
  }
  buffer_.clear();
}

void PartTarget::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= BufferBytes)
    flush();
}

std::string PartTarget::finish() {
  flush();
  if (::close(std::exchange(descriptor_, -1)) != 0)
    fail("cannot write");
  if (error_.empty() && ::rename(part_.c_str(), path_.c_str()) != 0)
    fail("cannot rename");
  return error_;
}

} // namespace gnomon::acquisition
