// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that open, close and delete files.
#include "impl/Impl.h"
#include "io/File.h"
#include "io/Meeting.h"
#include "io/Runtime.h"
#include "mpi/RankState.h"
#include "process/files/InputFiles.h"
#include "process/ranks/WrittenFiles.h"

#include <bit>
#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

io::Error checkAmode(int amode) {
  constexpr int known = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY | MPI_MODE_CREATE |
                        MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN |
                        MPI_MODE_SEQUENTIAL | MPI_MODE_APPEND;
  auto wrong = [&](const char *why) {
    return io::Error{MPI_ERR_AMODE, fmt::format("invalid amode {}: {}", amode, why)};
  };
  if (amode & ~known)
    return wrong("it has bits that no mode has");
  if (std::popcount(
          static_cast<unsigned>(amode & (MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY))) != 1)
    return wrong("exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY must be there");
  if ((amode & MPI_MODE_RDONLY) && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)))
    return wrong("MPI_MODE_CREATE and MPI_MODE_EXCL do not go with MPI_MODE_RDONLY");
  if ((amode & MPI_MODE_RDWR) && (amode & MPI_MODE_SEQUENTIAL))
    return wrong("MPI_MODE_SEQUENTIAL does not go with MPI_MODE_RDWR");
  return {};
}

struct Opened {
  io::Error error;
  std::shared_ptr<io::SharedFile> file;
};

struct OpenArguments {
  int amode = 0;
  std::string path;
};

using Opening = io::Meeting<OpenArguments, Opened>;

/// By the last rank to come, for all. Names may differ between ranks (of files that are the same
/// where each of them is); that of rank 0 counts.
void openForAll(Opening &opening) {
  const OpenArguments &arguments = opening.values.front();
  io::Error &error = opening.result.error;
  if (!opening.agree([](const OpenArguments &other) { return other.amode; })) {
    error = {MPI_ERR_NOT_SAME, "the ranks give different amodes"};
    return;
  }
  error = checkAmode(arguments.amode);
  if (error)
    return;
  io::FileSystem::Opening stored = io::runtime().files->open(arguments.path, arguments.amode);
  error = stored.error;
  if (error)
    return;
  auto file = std::make_shared<io::SharedFile>();
  file->path = arguments.path;
  file->amode = arguments.amode;
  file->stored = std::move(stored.file);
  process::WrittenFiles *written = process::writtenFiles();
  if (written && (arguments.amode & (MPI_MODE_WRONLY | MPI_MODE_RDWR)))
    written->opened(file->stored->descriptor(), process::Opened::ForBoth, process::FileUser::Mpi,
                    arguments.path);
  file->bytesAtOpen = file->stored->bytes();
  if (arguments.amode & MPI_MODE_APPEND)
    file->sharedPosition = file->bytesAtOpen;
  opening.result.file = std::move(file);
}

int badHandle() {
  return fail(*process::currentRank(), MPI_ERR_FILE,
              "invalid fh: the handle names no file (null, closed or never opened)");
}

process::FileAccess accessBy(int amode) {
  if (amode & MPI_MODE_RDONLY)
    return process::FileAccess::Read;
  return amode & MPI_MODE_RDWR ? process::FileAccess::Both : process::FileAccess::Write;
}

} // namespace

int File_open(Comm &comm, const char *filename, int amode, Info *info, MPI_File *fh) {
  process::Rank &rank = comm.owner();
  *fh = MPI_FILE_NULL;
  if (comm.isInter())
    return fail(rank, MPI_ERR_COMM, "an intercommunicator cannot open a file");
  const auto opening =
      io::meet<OpenArguments, Opened>(comm, {amode, io::absolutePath(filename)}, openForAll);
  const Opened &opened = opening->result;
  if (opened.error)
    return fail(rank, opened.error.errorClass, opened.error.detail);
  if (process::InputFiles *inputs = process::inputFiles())
    inputs->opened(rank.number, opened.file->stored->descriptor(), accessBy(amode),
                   io::withoutPrefix(filename));
  File &file = File::open(*duplicateComm(comm, "MPI_File_open"), opened.file, filename);
  file.position = opened.file->sharedPosition;
  io::useHints(file, info);
  *fh = file.handle;
  return MPI_SUCCESS;
}

int File_close(MPI_File *fh) {
  File *file = find<File>(*process::currentRank(), *fh);
  if (!file)
    return badHandle();
  if (file->split.request)
    return io::fail(*file, MPI_ERR_OTHER,
                    std::string(file->split.name) + "_begin has not been ended");
  const auto closing = io::meet<int, io::Error>(file->comm, 0, [&](auto &meeting) {
    if (file->shared->amode & MPI_MODE_DELETE_ON_CLOSE)
      meeting.result = io::runtime().files->remove(file->shared->path);
  });
  process::Rank &rank = file->owner();
  file->close();
  *fh = MPI_FILE_NULL;
  return closing->result ? fail(rank, closing->result.errorClass, closing->result.detail)
                         : MPI_SUCCESS;
}

int File_delete(const char *filename, Info *) {
  const io::Error error = io::runtime().files->remove(io::absolutePath(filename));
  return error ? fail(*process::currentRank(), error.errorClass, error.detail) : MPI_SUCCESS;
}

} // namespace gnomon::impl
