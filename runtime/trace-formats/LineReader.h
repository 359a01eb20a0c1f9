// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Text files line by line, in memory that does not grow with the file, and the numbers on their
/// lines. Each error names file and line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::trace {

class LineReader {
public:
  /// Throws InputError when the file cannot be opened, or is none that can be read twice.
  explicit LineReader(std::string path);
  ~LineReader();
  LineReader(const LineReader &) = delete;
  LineReader &operator=(const LineReader &) = delete;

  /// The next line, without its end; false at the file's end.
  bool next(std::string_view &line);
  /// Back to the first line.
  void rewind();

  const std::string &path() const { return path_; }
  uint64_t line() const { return line_; }      ///< number of the line given last; from 1
  uint64_t bytesRead() const { return read_; } ///< of the file's bytes()
  uint64_t bytes() const { return bytes_; }
  /// Throws InputError at the line given last.
  [[noreturn]] void fail(const std::string &text) const;

private:
  void refill();

  std::string path_;
  int descriptor_;
  uint64_t bytes_ = 0, read_ = 0, line_ = 0;
  std::string buffer_;
  size_t at_ = 0; ///< in the buffer
  bool ended_ = false;
};

/// The words of \p line, between blanks.
void splitWords(std::string_view line, std::vector<std::string_view> &words);

/// A decimal integer from \p least to \p most, which may be negative; nothing else. False: it is
/// none.
bool readInteger(std::string_view text, int64_t least, int64_t most, int64_t &value);

/// For an error: the first characters of \p text, in quotes; what cannot be printed as '?'.
std::string quoted(std::string_view text);

/// InputError with a line that may be beyond an int.
[[noreturn]] void failAt(const std::string &path, uint64_t line, const std::string &text);

} // namespace gnomon::trace
