// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Text as lines and words, with errors that name the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gnomon::measurements {

/// A line of \p file: where it is, and what it holds without blanks around it.
struct Line {
  const std::string *file;
  int number; ///< from 1
  std::string_view text;
  bool ended; ///< by a line feed

  /// Throws InputError at this line.
  [[noreturn]] void fail(const std::string &what) const;
  /// A whole number from \p least to \p most, or an error that names \p what it is.
  uint64_t integer(std::string_view word, std::string_view what, uint64_t least,
                   uint64_t most) const;
  /// A number from 0 to \p most.
  double real(std::string_view word, std::string_view what, double most) const;
};

/// All lines of \p text, with or without a last line feed.
std::vector<Line> linesOf(std::string_view text, const std::string &file);

/// The words of \p text between blanks and tabulators.
std::vector<std::string_view> wordsOf(std::string_view text);
/// The fields of \p text between \p separator, empty ones too.
std::vector<std::string_view> fieldsOf(std::string_view text, char separator);
std::string_view trimmed(std::string_view text);
/// \p text in quotes, shortened, with a question mark for each byte that is no printable ASCII.
std::string inQuotes(std::string_view text);

// The greatest figures that a sample may have: a terabyte, a day.
inline constexpr uint64_t MostBytes = uint64_t{1} << 40;
inline constexpr double MostSeconds = 86400;

} // namespace gnomon::measurements
