// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that ranks read in a run, with what they held before: the program's input. A file is known by device and
/// inode, whatever its name. What the run has written itself, before anybody read it, is none; nor is what another
/// process of the run wrote meanwhile, which the date of the file tells. Pipes, devices, /proc and /sys are none, but for
/// a standard input of which something was read: it is one whose contents are not known.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gnomon::process {

struct FileKey {
  dev_t device = 0;
  ino_t inode = 0;
  auto operator<=>(const FileKey &) const = default;
};

/// What a file holds.
struct FileContents {
  uint64_t bytes = 0;
  std::optional<uint64_t> hash; ///< none: too large, or it cannot be read
  bool operator==(const FileContents &) const = default;
};

/// How the standard input is called among files.
inline constexpr const char *StandardInput = "/dev/stdin";

/// Of the file of that name, in the present directory, or of the standard input; nothing when it is no regular file.
std::optional<FileContents> contentsOf(const std::string &path, FileKey *key = nullptr);

struct InputFile {
  std::string path; ///< as it was opened first, seen from the directory in which the run began
  FileKey key;
  FileContents contents; ///< where contents are asked for
  std::set<uint32_t> ranks;
};

/// What a file is opened for.
enum class FileAccess : uint8_t { Read, Both, Write };

class InputFiles {
public:
  enum class Contents : uint8_t { Hashed, NotAsked };
  /// At the start of the run, in the directory where it begins. \p found: is told of each file as it turns out to be
  /// input; not of those that only the end shows.
  explicit InputFiles(Contents contents, std::function<void(const InputFile &)> found = {});
  ~InputFiles();
  InputFiles(const InputFiles &) = delete;
  InputFiles &operator=(const InputFiles &) = delete;

  /// \p path: as the rank \p rank spelt it, from its present directory; empty: from elsewhere.
  void opened(uint32_t rank, int descriptor, FileAccess access, const std::string &path);
  void read(int descriptor) {
    if (open_ > 0 || descriptor == 0) [[unlikely]]
      noteRead(descriptor);
  }
  void written(int descriptor) {
    if (open_ > 0) [[unlikely]]
      noteWritten(descriptor);
  }

  /// The stream is about to be closed, or opened anew: what it tells of itself is gone then.
  void closing(FILE *stream) {
    if (stream && stream == standardStream_)
      standardRead_ = standardWasRead();
  }

  /// All, in the order of their names. What was opened for both and never written counts: it may have been mapped.
  std::vector<InputFile> all();

private:
  enum class State : uint8_t { Opened, Input, Written };
  struct Entry {
    State state;
    InputFile file;
    std::string place; ///< where a file lies that was opened for both
  };
  void noteRead(int descriptor);
  void noteWritten(int descriptor);
  void becomesInput(Entry &entry, int descriptor);
  bool standardWasRead() const;
  void standardInput(std::vector<InputFile> &files) const;
  bool changedSinceStart(int descriptor) const;
  std::string nameOf(int descriptor, const std::string &path) const;

  const Contents contents_;
  const std::function<void(const InputFile &)> found_;
  std::string directory_; ///< where the run began
  int64_t startedAt_;     ///< nanoseconds of the day's clock
  std::map<FileKey, Entry> entries_;
  unsigned open_ = 0;              ///< entries that are State::Opened
  FileKey standard_;               ///< of the standard input
  FILE *standardStream_ = nullptr; ///< null: there is none, or nothing can come from it
  int standardDescriptor_ = -1;
  off_t standardAt_ = -1; ///< below 0: it is no file, and what it holds is not known
  bool standardRead_ = false;
};

} // namespace gnomon::process
