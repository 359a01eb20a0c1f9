// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Open files: what a rank has of one (its handle, view, individual pointer), and what the ranks
/// that opened it together share.
#pragma once

#include "io/FileSystem.h"
#include "io/RangeLocks.h"
#include "io/View.h"
#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/comm/Comm.h"
#include "mpi/request/Request.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gnomon::io {

/// Of one MPI_File_open, for all its ranks.
struct SharedFile {
  std::string path; ///< absolute
  int amode = 0;
  std::shared_ptr<StoredFile> stored;
  int64_t bytesAtOpen = 0;
  int64_t sharedPosition = 0; ///< bytes of the view
  bool atomic = false;
  RangeLocks locks; ///< of accesses in atomic mode
};

/// A split collective between its begin and its end.
struct SplitAccess {
  mpi::Request *request = nullptr; ///< null: none is under way
  const char *name = "";           ///< of the call that began it
};

} // namespace gnomon::io

namespace gnomon::mpi {

/// One rank's end of an open file. It lives until it is closed and nothing of it is under way.
class File : public std::enable_shared_from_this<File> {
public:
  /// \p own is a communicator for the file alone, which it takes over. Owned by its handle.
  static File &open(Comm &own, std::shared_ptr<io::SharedFile> opened, std::string name);
  /// Takes the handle away, and with it perhaps the file's life.
  void close();

  File(Comm &own, std::shared_ptr<io::SharedFile> opened, std::string name);
  ~File();
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  process::Rank &owner() const { return comm.owner(); }
  bool writable() const;
  bool readableByMode() const;
  bool sequential() const;

  Comm &comm;
  std::shared_ptr<io::SharedFile> shared;
  io::View view;
  int64_t position = 0; ///< of the individual pointer, in bytes of the view
  io::SplitAccess split;
  Errhandler *errhandler; ///< counted
  Info hints;
  std::string name; ///< as the user gave it
  MPI_File handle = nullptr;
  uint32_t recordSlot = 0; ///< in a recording of the run

private:
  std::shared_ptr<File> self_; ///< until it is closed
};

} // namespace gnomon::mpi

namespace gnomon::io {

using mpi::File;

/// Keeps what went wrong for the entry; gives its class.
int fail(const File &file, const Error &error);
int fail(const File &file, int errorClass, std::string detail);

/// An active request for an access to \p file: its errors are the file's, and the file lives as
/// long as it.
mpi::Request *newAccess(File &file, const char *name);

/// The file that \p filename names, as seen from the rank's directory, in which the process is while
/// the rank runs; other implementations let a file system be named before it ("nfs:name").
std::string absolutePath(const char *filename);
/// \p filename without that.
std::string withoutPrefix(const std::string &filename);

/// Whether a hint of that name is one that useHints takes up.
bool isHint(std::string_view key);
/// Takes up the hints of \p info (may be null) that the standard reserves for files, and ROMIO's of
/// collective buffering; others are forgotten, as it allows.
void useHints(File &file, const mpi::Info *info);

/// The end of a failed call on \p file, or (null) on MPI_FILE_NULL, by its error handler.
/// \p detail empty: what was kept.
int raiseError(process::Rank &rank, File *file, int errorClass, const char *function,
               const std::string &detail = {});

} // namespace gnomon::io
