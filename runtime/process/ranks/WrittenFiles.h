// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The files that the program has written since computations were skipped: what they hold may be
/// wrong. Where the compiler counted on nobody's reading them (GNOMON_MODULE_CHECKS_FILES,
/// docs/adr/0021), a rank that does ends the run. A file is known by device and inode, whatever its
/// name. What is opened to be written counts as written when it is open after the first skip: a
/// write that is not there may be the one that was skipped. What is opened for both (as Fortran does
/// with any file) counts once it is written after the first skip.
#pragma once

#include "process/ranks/World.h"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <vector>

namespace gnomon::process {

/// Who writes or reads. What MPI reads of what MPI wrote is right: the compiler follows it.
enum class FileUser : uint8_t { Program, Mpi };
/// What a statement of Fortran does with a unit (gnomon_unit).
enum class UnitUse : uint8_t { Connect, Write, Read };
/// What a file that may be written was opened for.
enum class Opened : uint8_t { ToWrite, ForBoth };

class WrittenFiles {
public:
  /// The descriptor is open for writing now.
  void opened(int descriptor, Opened how, FileUser by, const std::string &path);
  void written(int descriptor) {
    if (!descriptors_.empty()) [[unlikely]]
      noteWritten(descriptor);
  }
  /// It is a second one for the same file.
  void duplicated(int from, int to);
  void closed(int descriptor);
  /// All of a file's bytes are in another one now.
  void copied(int from, int to);
  /// It is written anew by code that the compiler has not seen, all of whose data is right.
  void rewritten(int descriptor);
  /// Ends the run when the file's contents may be wrong.
  void checkRead(int descriptor, FileUser by) const;
  /// The shell is about to run a command. One that may look at contents, where some may be wrong, ends the run if the
  /// program looks at its result; else what it makes may be wrong.
  void runs(const char *command);

  /// The program is about to see what it has written, or may from now on, by a call that only its module's hook shows
  /// (gnomon_reads_back). Once something has been skipped that ends the run; before, nothing is skipped any more.
  void mayReadBack(uint32_t what, int64_t of);

  /// What is read of a unit may still be in the memory of Fortran's runtime, so that no file is read.
  void unit(const Rank &rank, int number, UnitUse use);

  /// Nothing has been opened for writing, or nothing is checked.
  bool empty() const { return entries_.empty(); }

private:
  using FileId = std::pair<dev_t, ino_t>;
  struct Key {
    dev_t device;
    ino_t inode;
    FileUser by;
    auto operator<=>(const Key &) const = default;
  };
  struct Entry {
    std::string path;
    std::string rank; ///< that opened it last, for people; empty: none
    const char *deed = "opened for writing";
    std::vector<const void *> places; ///< in the program's code, innermost first
    unsigned open = 0;                ///< descriptors
    unsigned openToWrite = 0;         ///< of those, Opened::ToWrite
    bool doubtful = false;            ///< has counted as written after the first skip
  };
  struct Descriptor {
    Key key;
    Opened how;
  };
  void noteWritten(int descriptor);
  static bool isDoubtful(const Entry &entry);
  std::optional<FileId> fileOf(uint32_t what, int64_t of) const;
  void holdBack(const Entry *entry);
  [[noreturn]] void endAtRead(const Entry &entry) const;
  void checkCopied(int descriptor, const struct stat &status) const;
  [[noreturn]] void end(const Entry &entry, const std::string &deed,
                        const std::string &place) const;

  std::map<Key, Entry> entries_;
  std::map<int, Descriptor> descriptors_;
  std::map<std::pair<uint32_t, int>, Entry> units_; ///< of a rank, written after the first skip
  std::set<FileId> watched_; ///< may be read from now on by ways that are not seen
  bool heldBack_ = false;    ///< nothing is skipped any more
  bool asksCommand_ = false; ///< the next command's result is looked at
  /// A command that may have copied what may be wrong: by whom and where, and when. What files hold that have changed since
  /// may be wrong, too.
  struct Command {
    std::string rank;
    std::vector<const void *> places;
    timespec at;
  };
  std::optional<Command> command_;
};

/// The running simulation's; null where nothing is checked.
WrittenFiles *writtenFiles();

} // namespace gnomon::process
