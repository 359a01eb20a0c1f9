// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By system calls: in libgnomon the functions of these names belong to the ranks.
#include "trace-formats/LineReader.h"

#include "support/Error.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gnomon::trace {
namespace {

constexpr size_t Chunk = 1 << 18;
/// More than the all-to-all of the most ranks needs.
constexpr size_t LongestLine = size_t{1} << 28;

} // namespace

LineReader::LineReader(std::string path)
    : path_(std::move(path)),
      descriptor_(
          static_cast<int>(syscall(SYS_openat, AT_FDCWD, path_.c_str(), O_RDONLY | O_CLOEXEC))) {
  if (descriptor_ < 0)
    throw InputError(path_, 0, fmt::format("cannot be opened: {}", std::strerror(errno)));
  struct stat status{};
  if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    syscall(SYS_close, descriptor_);
    throw InputError(path_, 0,
                     "is no plain file; traces are read twice, so pipes are not possible");
  }
  bytes_ = static_cast<uint64_t>(status.st_size);
}

LineReader::~LineReader() { syscall(SYS_close, descriptor_); }

void LineReader::rewind() {
  if (syscall(SYS_lseek, descriptor_, 0, SEEK_SET) != 0)
    throw InputError(path_, 0, fmt::format("cannot be read again: {}", std::strerror(errno)));
  buffer_.clear();
  at_ = 0;
  read_ = line_ = 0;
  ended_ = false;
}

void LineReader::refill() {
  buffer_.erase(0, at_);
  at_ = 0;
  if (buffer_.size() > LongestLine)
    failAt(path_, line_ + 1, fmt::format("a line of more than {} bytes", LongestLine));
  const size_t kept = buffer_.size();
  buffer_.resize(kept + std::max(Chunk, kept));
  const long got = syscall(SYS_read, descriptor_, buffer_.data() + kept, buffer_.size() - kept);
  if (got < 0)
    failAt(path_, line_ + 1, fmt::format("cannot be read: {}", std::strerror(errno)));
  buffer_.resize(kept + static_cast<size_t>(got));
  ended_ = got == 0;
}

bool LineReader::next(std::string_view &line) {
  size_t end = buffer_.find('\n', at_);
  while (end == std::string::npos && !ended_) {
    const size_t searched = buffer_.size() - at_;
    refill();
    end = buffer_.find('\n', searched);
  }
  if (end == std::string::npos && at_ == buffer_.size())
    return false;
  const size_t stop = std::min(end, buffer_.size());
  line = std::string_view(buffer_).substr(at_, stop - at_);
  at_ = std::min(stop + 1, buffer_.size());
  read_ += line.size() + 1;
  ++line_;
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return true;
}

void LineReader::fail(const std::string &text) const { failAt(path_, line_, text); }

void splitWords(std::string_view line, std::vector<std::string_view> &words) {
  words.clear();
  constexpr std::string_view Blanks = " \t\v\f";
  for (size_t at = line.find_first_not_of(Blanks); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(Blanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(Blanks, end);
  }
}

bool readInteger(std::string_view text, int64_t least, int64_t most, int64_t &value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= least &&
         value <= most;
}

std::string quoted(std::string_view text) {
  constexpr size_t Longest = 60;
  std::string shown(text.substr(0, Longest));
  std::replace_if(shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return fmt::format("'{}{}'", shown, text.size() > Longest ? "..." : "");
}

void failAt(const std::string &path, uint64_t line, const std::string &text) {
  throw InputError(path, static_cast<int>(std::min<uint64_t>(line, INT_MAX)), text);
}

} // namespace gnomon::trace
