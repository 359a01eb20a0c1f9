// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on error handlers of files. MPI_FILE_NULL has one too: that of MPI_File_open,
/// MPI_File_delete and of files to be opened.
#include "impl/Impl.h"
#include "io/File.h"
#include "mpi/RankState.h"

#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

/// Where the handler of \p file (null: MPI_FILE_NULL) is kept.
static Errhandler *&handlerOf(File *file) {
  return file ? file->errhandler : currentState().fileErrhandler;
}

int File_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn,
                           MPI_Errhandler *errhandler) {
  auto *handler = new Errhandler;
  handler->action = Errhandler::Action::User;
  handler->target = Errhandler::Target::File;
  handler->function = reinterpret_cast<Errhandler::Function>(file_errhandler_fn);
  handler->handle = insert<Errhandler>(*process::currentRank(), handler);
  *errhandler = handler->handle;
  return MPI_SUCCESS;
}

int File_set_errhandler(File *file, Errhandler &errhandler) {
  process::Rank &rank = *process::currentRank();
  if (errhandler.action == Errhandler::Action::User &&
      errhandler.target != Errhandler::Target::File)
    return fail(rank, MPI_ERR_ARG, "invalid errhandler: it was not made for files");
  Errhandler *&handler = handlerOf(file);
  retain(errhandler);
  release(rank, *handler);
  handler = &errhandler;
  return MPI_SUCCESS;
}

int File_get_errhandler(File *file, MPI_Errhandler *errhandler) {
  Errhandler &handler = *handlerOf(file);
  retain(handler);
  *errhandler = handler.handle;
  return MPI_SUCCESS;
}

int File_call_errhandler(File *fh, int errorcode) {
  int errorClass = errorcode;
  Error_class(errorcode, &errorClass);
  const char *text = errorText(errorClass);
  io::raiseError(*process::currentRank(), fh, errorcode, "MPI_File_call_errhandler",
                 text ? std::string(text) : fmt::format("error {}", errorcode));
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
