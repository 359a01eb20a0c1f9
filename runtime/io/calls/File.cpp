// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on what an open file is: its size, its modes, its hints, its consistency.
#include "io/File.h"
#include "impl/Impl.h"
#include "io/Meeting.h"
#include "mpi/comm/Group.h"
#include "process/ranks/WrittenFiles.h"

#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// A collective call in which all ranks must give the same \p value; the last to come calls
/// \p act, unless they do not.
template <class Act> int together(File &file, int64_t value, const char *what, Act act) {
  const auto meeting = io::meet<int64_t, io::Error>(file.comm, value, [&](auto &all) {
    if (all.agree([](int64_t other) { return other; }))
      all.result = act();
    else
      all.result = {MPI_ERR_NOT_SAME, file.name + ": the ranks give different " + what};
  });
  return meeting->result ? io::fail(file, meeting->result) : MPI_SUCCESS;
}

/// MPI_File_set_size and MPI_File_preallocate.
int resize(File &fh, MPI_Offset size, bool shrinks) {
  if (!fh.writable())
    return io::fail(fh, MPI_ERR_READ_ONLY, "the file was opened with MPI_MODE_RDONLY");
  io::SharedFile &shared = *fh.shared;
  return together(fh, size, "sizes", [&] {
    if (size < 0)
      return io::Error{MPI_ERR_ARG, fmt::format("{}: invalid size: {}", fh.name, size)};
    const bool changes = shrinks || size > shared.stored->bytes();
    return changes ? shared.stored->resize(size, shared.path) : io::Error{};
  });
}

} // namespace

int File_set_size(File &fh, MPI_Offset size) { return resize(fh, size, true); }

int File_preallocate(File &fh, MPI_Offset size) { return resize(fh, size, false); }

int File_get_size(File &fh, MPI_Offset *size) {
  if (const process::WrittenFiles *written = process::writtenFiles())
    written->checkRead(fh.shared->stored->descriptor(), process::FileUser::Mpi);
  *size = fh.shared->stored->bytes();
  return MPI_SUCCESS;
}

int File_get_amode(File &fh, int *amode) {
  *amode = fh.shared->amode;
  return MPI_SUCCESS;
}

int File_get_group(File &fh, MPI_Group *group) {
  *group = insert<Group>(fh.owner(), new Group(fh.comm.members(), fh.owner().number));
  return MPI_SUCCESS;
}

int File_set_info(File &fh, Info *info) {
  io::useHints(fh, info);
  return together(fh, 0, "", [] { return io::Error{}; });
}

int File_get_info(File &fh, MPI_Info *info_used) {
  *info_used = insert<Info>(fh.owner(), new Info(fh.hints));
  return MPI_SUCCESS;
}

int File_set_atomicity(File &fh, int flag) {
  return together(fh, flag != 0, "flags", [&] {
    fh.shared->atomic = flag != 0;
    return io::Error{};
  });
}

int File_get_atomicity(File &fh, int *flag) {
  *flag = fh.shared->atomic;
  return MPI_SUCCESS;
}

int File_sync(File &fh) {
  return together(fh, 0, "", [] { return io::Error{}; });
}

} // namespace gnomon::impl
