// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Where the bytes of the program's files are: in the real files of those names, or in scratch
/// files that stand before them (an overlay).
///
/// The overlay. A file that is opened for reading only, and that the program has not written, is
/// the real one. The first opening for writing copies it (sharing its blocks where the real file
/// system can); a deleted file is gone for the program only. So the real files never change.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace gnomon::io {

/// An error of MPI's and what its message says; class 0: none.
struct Error {
  int errorClass = 0;
  std::string detail;
  explicit operator bool() const { return errorClass != 0; }
};
/// What \p number (errno) is in MPI; \p path is whose error it is.
Error errorOf(int number, const std::string &path);

/// An open file: a real one, closed when the last user lets go of it, or one without data, of which
/// only the number of bytes is known (SizesOnly.h).
class StoredFile {
public:
  StoredFile(int descriptor, bool readable) : descriptor_(descriptor), readable_(readable) {}
  explicit StoredFile(int64_t bytes) : descriptor_(-1), readable_(true), bytes_(bytes) {}
  ~StoredFile();
  StoredFile(const StoredFile &) = delete;
  StoredFile &operator=(const StoredFile &) = delete;

  bool hasData() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; } ///< -1: it has no data
  /// A file for writing that the user may not read is opened all the same.
  bool readable() const { return readable_; }
  /// Goes on with another real file.
  void replace(int descriptor);
  int64_t bytes() const;
  /// A file without data has \p bytes, at least.
  void reach(int64_t bytes) { bytes_ = bytes > bytes_ ? bytes : bytes_; }
  /// Cuts or extends it (with zeros).
  Error resize(int64_t bytes, const std::string &path);

private:
  int descriptor_;
  bool readable_;
  int64_t bytes_ = 0; ///< of a file without data
};

class FileSystem {
public:
  struct Opening {
    std::shared_ptr<StoredFile> file; ///< null: error says why
    Error error;
  };
  virtual ~FileSystem() = default;
  /// \p path is absolute, \p amode one that the standard allows.
  virtual Opening open(const std::string &path, int amode) = 0;
  virtual Error remove(const std::string &path) = 0;
};

std::unique_ptr<FileSystem> realFiles();
/// \p directory empty: nothing is left of the files when the process ends, however it does;
/// otherwise they stay in that directory under their absolute names, for later runs.
std::unique_ptr<FileSystem> scratchFiles(std::string directory);

/// Opens a real file as \p amode says.
FileSystem::Opening openReal(const std::string &path, int amode);

} // namespace gnomon::io
