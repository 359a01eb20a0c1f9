// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on error handlers of windows.
#include "impl/Impl.h"
#include "mpi/RankState.h"
#include "rma/Window.h"

#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

int Win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn,
                          MPI_Errhandler *errhandler) {
  auto *handler = new Errhandler;
  handler->action = Errhandler::Action::User;
  handler->target = Errhandler::Target::Win;
  handler->function = reinterpret_cast<Errhandler::Function>(win_errhandler_fn);
  handler->handle = insert<Errhandler>(*process::currentRank(), handler);
  *errhandler = handler->handle;
  return MPI_SUCCESS;
}

int Win_set_errhandler(Win &win, Errhandler &errhandler) {
  if (errhandler.action == Errhandler::Action::User && errhandler.target != Errhandler::Target::Win)
    return failOn(win, MPI_ERR_ARG, "invalid errhandler: it was not made for windows");
  retain(errhandler);
  release(win.owner(), *win.errhandler);
  win.errhandler = &errhandler;
  return MPI_SUCCESS;
}

int Win_get_errhandler(Win &win, MPI_Errhandler *errhandler) {
  retain(*win.errhandler);
  *errhandler = win.errhandler->handle;
  return MPI_SUCCESS;
}

int Win_call_errhandler(Win &win, int errorcode) {
  int errorClass = errorcode;
  Error_class(errorcode, &errorClass);
  const char *text = errorText(errorClass);
  raiseError(win.owner(), errorTarget(win), errorcode, "MPI_Win_call_errhandler",
             text ? std::string(text) : fmt::format("error {}", errorcode));
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
