// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Error handlers and raiseError.
#include "mpi/Error.h"

#include "mpi/RankState.h"
#include "mpi/UserCall.h"
#include "process/image/Symbolizer.h"

#include <cstdio>
#include <fmt/format.h>
#include <utility>

namespace gnomon::mpi {

Errhandler &predefinedErrhandler(Errhandler::Action action) {
  using Action = Errhandler::Action;
  using Target = Errhandler::Target;
  auto handle = [](uintptr_t code) { return reinterpret_cast<MPI_Errhandler>(code); };
  static Errhandler fatal{Action::Fatal, Target::Comm, nullptr, 1, handle(0x141)};
  static Errhandler abort{Action::Abort, Target::Comm, nullptr, 1, handle(0x142)};
  static Errhandler returns{Action::Return, Target::Comm, nullptr, 1, handle(0x143)};
  return action == Action::Fatal ? fatal : action == Action::Abort ? abort : returns;
}

template <> Errhandler *findPredefined<Errhandler>(process::Rank &, MPI_Errhandler handle) {
  switch (reinterpret_cast<uintptr_t>(handle)) {
  case 0x141:
    return &predefinedErrhandler(Errhandler::Action::Fatal);
  case 0x142:
    return &predefinedErrhandler(Errhandler::Action::Abort);
  case 0x143:
    return &predefinedErrhandler(Errhandler::Action::Return);
  default:
    return nullptr;
  }
}

void retain(Errhandler &handler) {
  if (handler.action == Errhandler::Action::User)
    ++handler.references;
}

void release(process::Rank &rank, Errhandler &handler) {
  if (handler.action != Errhandler::Action::User || --handler.references > 0)
    return;
  if (handler.handle && rank.mpi)
    erase<Errhandler>(rank, handler.handle);
  delete &handler;
}

int fail(process::Rank &rank, int errorClass, std::string detail, Comm *comm) {
  RankState::Rare &own = state(rank).rare();
  own.failure = std::move(detail);
  own.failureComm = comm;
  return errorClass;
}

int fail(process::Rank &rank, int errorClass, std::string detail, const ErrorTarget &target) {
  fail(rank, errorClass, std::move(detail));
  state(rank).rare().failureTarget = target;
  return errorClass;
}

std::string errorName(int errorClass) {
  switch (errorClass) {
#define GNOMON_ERROR(name, text)                                                                   \
  case name:                                                                                       \
    return #name;
#include "impl/ErrorClasses.def"
#undef GNOMON_ERROR
  default:
    return fmt::format("MPI error {}", errorClass);
  }
}

const char *errorText(int errorClass) {
  switch (errorClass) {
#define GNOMON_ERROR(name, text)                                                                   \
  case name:                                                                                       \
    return text;
#include "impl/ErrorClasses.def"
#undef GNOMON_ERROR
  default:
    return nullptr;
  }
}

namespace {

std::string seconds(SimTime date) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", date.seconds);
  return text;
}

/// " [file.c:12 in solve]": where the user's code called MPI.
std::string callSiteText(const process::Rank &rank) {
  if (!rank.call.returnAddress)
    return {};
  return " [" + process::describe(rank.call.returnAddress) + "]";
}

[[noreturn]] void endRun(process::Rank &rank, int errorClass, const char *function,
                         const std::string &detail) {
  std::string what = detail;
  if (what.empty())
    what = errorText(errorClass) ? errorText(errorClass) : "error";
  process::abortWorld(1, [&] {
    return "gnomon: " + process::nameOf(rank) + " at " + seconds(runtime().world.engine.now()) +
           " s: " + function + ": " + what + " (" + errorName(errorClass) + ")" +
           callSiteText(rank);
  });
}

/// C's functions get the handle by address, whatever its kind; so do Fortran's. The second argument
/// is "the error code to be returned by the MPI routine that raised the error" (MPI 4.0, section
/// 9.3.1), by address: what the handler leaves there is returned, in MPICH and Open MPI too.
int callUser(process::Rank &rank, Errhandler &handler, uintptr_t handle, int errorClass) {
  using Function = void (*)(uintptr_t *, int *, ...);
  retain(handler); // the user may take it off the object
  int code = errorClass;
  {
    UserCall user(rank);
    reinterpret_cast<Function>(handler.function)(&handle, &code);
  }
  release(rank, handler);
  return code;
}

} // namespace

int raiseError(process::Rank &rank, const ErrorTarget &target, int errorClass, const char *function,
               const std::string &detail) {
  RankState::Rare &own = state(rank).rare();
  std::string what = detail.empty() ? std::exchange(own.failure, {}) : detail;
  own.failure.clear();
  own.failureComm = nullptr;
  own.failureTarget = {};
  Errhandler &handler = *target.handler;
  switch (handler.action) {
  case Errhandler::Action::Fatal:
  case Errhandler::Action::Abort:
    endRun(rank, errorClass, function, what);
  case Errhandler::Action::Return:
    break;
  case Errhandler::Action::User:
    return callUser(rank, handler, target.handle, errorClass);
  }
  return errorClass;
}

int raiseError(Comm *comm, int errorClass, const char *function, const std::string &detail) {
  process::Rank &rank = comm ? comm->owner() : *process::currentRank();
  RankState &own = state(rank);
  ErrorTarget target = own.rare().failureTarget;
  if (!comm)
    comm = own.rare().failureComm ? own.rare().failureComm : &*own.world;
  if (!target.handler)
    target = {comm->errhandler, reinterpret_cast<uintptr_t>(comm->handle)};
  return raiseError(rank, target, errorClass, function, detail);
}

} // namespace gnomon::mpi
