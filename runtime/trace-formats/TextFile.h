// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A text file that a conversion writes. It gets its name when all of it is there: what ends a
/// conversion before leaves the old file as it was (docs/adr/0017).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gnomon::trace {

/// Where the text of a trace goes.
class TextTarget {
public:
  virtual ~TextTarget() = default;
  virtual void write(std::string_view text) = 0;
};

class TextFile : public TextTarget {
public:
  /// Opens the place for the text. Throws InputError where there is none.
  explicit TextFile(std::string path);
  /// Gives up what was not finished.
  ~TextFile() override;
  TextFile(const TextFile &) = delete;
  TextFile &operator=(const TextFile &) = delete;

  const std::string &path() const { return path_; }
  void write(std::string_view text) override;
  /// Writes what is left and gives the file its name. What went wrong, at any time ("cannot write
  /// out.txt: No space left on device"); empty on success.
  std::string finish();

private:
  void flush();
  void fail(const char *what);

  std::string path_, temporary_; ///< temporary_ empty: a device or pipe, written as it is
  std::string buffer_, error_;
  int descriptor_ = -1;
};

} // namespace gnomon::trace
