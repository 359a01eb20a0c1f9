// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on views and on places in them.
#include "impl/Impl.h"
#include "io/File.h"
#include "io/Meeting.h"
#include "io/Runtime.h"
#include "process/ranks/WrittenFiles.h"

#include <cstring>
#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

struct ViewArguments {
  int64_t etypeBytes = 0;
  std::string representation;
  int errorClass = 0;
};

/// A handle of the user's own: a copy, unless the type is predefined.
MPI_Datatype give(process::Rank &rank, const Datatype &type) {
  if (type.permanent())
    return type.handle();
  Datatype *copy = Datatype::duplicate(type);
  copy->setHandle(insert<Datatype>(rank, copy));
  return copy->handle();
}

/// Where a pointer that is at \p position goes; \p to in bytes of the view.
int seek(const File &file, MPI_Offset offset, int whence, int64_t position, int64_t &to) {
  const int64_t distance = file.view.positionOf(offset);
  switch (whence) {
  case MPI_SEEK_SET:
    to = distance;
    break;
  case MPI_SEEK_CUR:
    to = position + distance;
    break;
  case MPI_SEEK_END: {
    if (const process::WrittenFiles *written = process::writtenFiles())
      written->checkRead(file.shared->stored->descriptor(), process::FileUser::Mpi);
    const int64_t end = file.view.map->positionOf(file.shared->stored->bytes());
    to = file.view.positionOf(file.view.etypesBefore(end)) + distance;
    break;
  }
  default:
    return io::fail(file, MPI_ERR_ARG, fmt::format("invalid whence: {}", whence));
  }
  if (to < 0)
    return io::fail(file, MPI_ERR_ARG,
                    fmt::format("invalid offset: {} leads before the view's start", offset));
  return MPI_SUCCESS;
}

int refuseSequential(const File &file) {
  return io::fail(file, MPI_ERR_UNSUPPORTED_OPERATION,
                  "a file opened with MPI_MODE_SEQUENTIAL has a shared pointer only");
}

} // namespace

int File_set_view(File &fh, MPI_Offset disp, Datatype &etype, Datatype &filetype,
                  const char *datarep, Info *info) {
  io::View view;
  io::Error error;
  if (disp == MPI_DISPLACEMENT_CURRENT && fh.sequential())
    disp = fh.view.map->offsetOf(fh.shared->sharedPosition);
  if (disp == MPI_DISPLACEMENT_CURRENT)
    error = {MPI_ERR_ARG,
             fh.name + ": MPI_DISPLACEMENT_CURRENT goes with MPI_MODE_SEQUENTIAL only"};
  else
    error = io::makeView(io::representations(fh.owner()), !fh.writable(), disp, etype, filetype,
                         datarep, view);
  io::SharedFile &shared = *fh.shared;
  const ViewArguments own{view.etypeBytes, datarep, error.errorClass};
  const auto meeting = io::meet<ViewArguments, int>(fh.comm, own, [&](auto &all) {
    shared.sharedPosition = 0;
    for (const ViewArguments &arguments : all.values)
      if (arguments.errorClass)
        return;
    if (!all.agree([](const ViewArguments &a) { return a.etypeBytes; }) ||
        !all.agree([](const ViewArguments &a) { return a.representation; }))
      all.result = MPI_ERR_NOT_SAME;
  });
  if (error)
    return io::fail(fh, error);
  if (meeting->result)
    return io::fail(fh, meeting->result,
                    "the ranks give etypes of different extent, or different representations");
  fh.view = std::move(view);
  fh.position = 0;
  io::useHints(fh, info);
  return MPI_SUCCESS;
}

int File_get_view(File &fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype,
                  char *datarep) {
  *disp = fh.view.displacement;
  *etype = give(fh.owner(), *fh.view.etype);
  *filetype = give(fh.owner(), *fh.view.filetype);
  std::strcpy(datarep, fh.view.representationName.c_str()); // shorter than MPI_MAX_DATAREP_STRING
  return MPI_SUCCESS;
}

int File_seek(File &fh, MPI_Offset offset, int whence) {
  if (fh.sequential())
    return refuseSequential(fh);
  int64_t to = 0;
  if (int error = seek(fh, offset, whence, fh.position, to))
    return error;
  fh.position = to;
  return MPI_SUCCESS;
}

int File_get_position(File &fh, MPI_Offset *offset) {
  if (fh.sequential())
    return refuseSequential(fh);
  *offset = fh.view.etypesBefore(fh.position);
  return MPI_SUCCESS;
}

int File_seek_shared(File &fh, MPI_Offset offset, int whence) {
  io::SharedFile &shared = *fh.shared;
  const auto meeting =
      io::meet<std::pair<int64_t, int>, int>(fh.comm, {offset, whence}, [&](auto &all) {
        if (!all.agree([](const auto &value) { return value; })) {
          all.result = io::fail(fh, MPI_ERR_NOT_SAME, "the ranks give different places");
          return;
        }
        int64_t to = 0;
        all.result = seek(fh, offset, whence, shared.sharedPosition, to);
        if (!all.result)
          shared.sharedPosition = to;
      });
  return meeting->result;
}

int File_get_position_shared(File &fh, MPI_Offset *offset) {
  *offset = fh.view.etypesBefore(fh.shared->sharedPosition);
  return MPI_SUCCESS;
}

int File_get_byte_offset(File &fh, MPI_Offset offset, MPI_Offset *disp) {
  if (offset < 0)
    return io::fail(fh, MPI_ERR_ARG, fmt::format("invalid offset: {}", offset));
  *disp = fh.view.map->offsetOf(fh.view.positionOf(offset));
  return MPI_SUCCESS;
}

int File_get_type_extent(File &fh, Datatype &datatype, MPI_Aint *extent) {
  *extent = io::typeInFile(*fh.view.representation, datatype)->extent();
  return MPI_SUCCESS;
}

int Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
                     MPI_Datarep_conversion_function *write_conversion_fn,
                     MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state) {
  auto plain = [](auto *function) { return reinterpret_cast<void (*)()>(function); };
  return io::registerRepresentation(*process::currentRank(), datarep,
                                    {plain(read_conversion_fn), plain(write_conversion_fn),
                                     plain(dtype_file_extent_fn),
                                     reinterpret_cast<intptr_t>(extra_state), Convention::C});
}

} // namespace gnomon::impl
