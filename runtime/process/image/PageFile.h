// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A file without a name, in memory only, whose pages are mapped more than once: so that ranks have
/// memory in common. A shared mapping shows what others write; a private one shows the file's bytes
/// until its owner writes, and from then on the page is the owner's (the kernel copies it). Example:
/// a table of 1 MiB that 1,000 ranks map privately and only read is 1 MiB in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gnomon::process {

class PageFile {
public:
  static constexpr size_t PageBytes = 4096;

  /// \p name: what /proc/PID/maps calls it. The file is made when something is first put into it.
  explicit PageFile(const char *name) : name_(name) {}
  ~PageFile();
  PageFile(const PageFile &) = delete;
  PageFile &operator=(const PageFile &) = delete;

  /// The file becomes longer by \p bytes, whole pages, that read as zero and take no memory before
  /// they are used. Returns where they begin; nothing when the system refuses.
  std::optional<size_t> extend(size_t bytes);
  /// False when not all could be written: the file's memory is used up.
  bool write(size_t offset, const char *from, size_t bytes) const;
  /// Addresses [at, at + bytes), whole pages, show the file from \p offset on, in place of what was
  /// there. False when the system refuses: there is no such mapping then.
  bool mapShared(char *at, size_t bytes, size_t offset) const;
  bool mapPrivate(char *at, size_t bytes, size_t offset) const;
  /// The file's own memory, without what owners of private mappings have written.
  uint64_t residentBytes() const;

private:
  bool map(char *at, size_t bytes, size_t offset, int kind) const;

  const char *name_;
  size_t bytes_ = 0;
  int file_ = -1;
  bool tried_ = false;
};

/// \p bytes, rounded up.
constexpr size_t wholePages(size_t bytes) {
  return (bytes + PageFile::PageBytes - 1) / PageFile::PageBytes * PageFile::PageBytes;
}

} // namespace gnomon::process
