// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A file that the run writes: the one place where such files are opened, named, finished and given
/// up (docs/adr/0017).
///
/// The text goes into a file without a name in the target's folder, which is opened before the
/// start; finish() gives it the target's name in one step. Whatever ends the run before leaves
/// nothing behind, and the old file as it was. Nobody can lead the text elsewhere: no name is
/// guessable, and no link is followed, neither a planted one nor one of the target's name, which is
/// replaced.
///
/// A pipe or a device cannot be replaced: it is opened when the first text is there, and appended
/// to. The one user of zstd.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gnomon::output {

/// /dev/stdout, a pipe: nothing that a rename could replace.
bool isSpecialFile(const std::string &path);

/// A file without a name in \p folder, closed with all else at the process's end; -1 with errno
/// when there can be none. Opened for reading and writing.
int openNameless(const std::string &folder);

class OutputFile {
public:
  /// How a file gets its name; a test asks for the second.
  enum class Naming : uint8_t {
    Link, ///< the nameless file is linked, where the file system can
    Copy, ///< its text is copied, as on file systems that cannot
  };
  /// Opens the place for the text, compressed with zstd when \p path ends in .zst. Throws
  /// InputError when nothing can be written there.
  explicit OutputFile(std::string path, Naming naming = Naming::Link);
  /// Gives up what was not finished: nothing stays behind.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  const std::string &path() const { return path_; }
  void write(std::string_view text);
  /// Writes out what is left and gives the file its name. Returns what went wrong, at any time
  /// ("cannot write out.txt: No space left on device"); empty on success.
  std::string finish();
  /// All of it: write() and finish().
  std::string finish(std::string_view text);

private:
  struct Compressor;
  void put(std::string_view bytes);
  void fail();
  void openSpecial();
  bool link();
  bool copy();
  bool replaceBy(const std::string &temporary);

  std::string path_, name_; ///< as the user wrote it; its last part
  std::string error_;
  Naming naming_;
  bool special_;
  int folder_ = -1;     ///< of the target: ranks may change directory meanwhile
  int descriptor_ = -1; ///< the nameless file, or the device
  std::unique_ptr<Compressor> compressor_;
};

} // namespace gnomon::output
