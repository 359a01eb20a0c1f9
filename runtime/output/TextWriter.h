// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A long text file written piece by piece: plain, or compressed with zstd when its name ends in
/// .zst. The one user of zstd.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gnomon::output {

/// /dev/stdout, a pipe: nothing that a rename could replace.
bool isSpecialFile(const std::string &path);

class TextWriter {
public:
  /// Creates a temporary file beside \p path; writes to \p path itself when that is a pipe or a
  /// device.
  explicit TextWriter(const std::string &path);
  /// Removes the temporary file unless close() has renamed it.
  ~TextWriter();
  TextWriter(const TextWriter &) = delete;
  TextWriter &operator=(const TextWriter &) = delete;

  void write(std::string_view text);
  /// Writes out what is left and gives the file its name. Returns what went wrong ("cannot write
  /// out.txt: No space left on device"); empty on success.
  std::string close();

private:
  struct Compressor;
  void put(std::string_view bytes);
  void fail();

  std::string path_, target_, error_;
  int descriptor_ = -1;
  bool named_; ///< target_ is path_
  std::unique_ptr<Compressor> compressor_;
};

} // namespace gnomon::output
