// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/Entry.h"

#include "api/Version.h"
#include "io/File.h"
#include "process/image/Modules.h"
#include "rma/Window.h"
#include "support/Error.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace gnomon::api {

[[noreturn]] static void outsideRank(const char *function) {
  if (!process::mainModule()) {
    std::fprintf(stderr,
                 "gnomon: error: %s was called, but the program's main was linked without Gnomon's "
                 "pass (-fno-lto, -flto=thin, or an object compiled without the flag); compile "
                 "everything with the flag that 'gnomon --flag' prints, without those options, and "
                 "link it again\n",
                 function);
    std::_Exit(static_cast<int>(ExitCode::BadInput));
  }
  std::fprintf(
      stderr,
      "gnomon: %s was called outside a simulated rank: before main, or from a thread that a "
      "library such as OpenMP's started; there the thread that called MPI_Init must make "
      "the calls (omp master), while threads of pthread_create and std::thread may\n",
      function);
  std::_Exit(static_cast<int>(ExitCode::MpiError));
}

process::Rank &findCallingRank(const char *function) {
  process::Rank *rank = process::currentRank();
  if (!rank || !rank->mpi) [[unlikely]]
    outsideRank(function);
  return *rank;
}

mpi::Datatype *Entry::insignificantType() {
  static mpi::Datatype *const byte = &mpi::Datatype::predefined(MPI_BYTE);
  return byte;
}

mpi::Op *Entry::insignificantOp() {
  return mpi::find<mpi::Op>(*process::currentRank(), MPI_REPLACE);
}

void Entry::keep(int errorClass, std::string detail) {
  if (!failed())
    error_ = mpi::fail(rank_, errorClass, std::move(detail));
}

void Entry::notRunning() {
  bool before = mpi::state(rank_).phase == mpi::Phase::BeforeInit;
  keep(MPI_ERR_OTHER, before ? "called before MPI_Init" : "called after MPI_Finalize");
}

void Entry::wrong(int errorClass, const char *name, int64_t value, int64_t index) {
  keep(errorClass, index < 0 ? fmt::format("invalid {}: {}", name, value)
                             : fmt::format("invalid {}[{}]: {}", name, index, value));
}

void Entry::wrongRank(const char *name, int value, const mpi::Comm &comm, int errorClass) {
  keep(errorClass, fmt::format("invalid {}: {} in a communicator of {} ranks{}", name, value,
                               comm.peers(), comm.isInter() ? " in the remote group" : ""));
}

/// The name of a null handle, or null: it tells a user more than the handle's value.
static const char *nullName(uintptr_t handle) {
#define GNOMON_NULL(NAME)                                                                          \
  {                                                                                                \
    reinterpret_cast<uintptr_t>(NAME), #NAME                                                       \
  }
  const std::pair<uintptr_t, const char *> nulls[] = {
      GNOMON_NULL(MPI_COMM_NULL), GNOMON_NULL(MPI_DATATYPE_NULL),   GNOMON_NULL(MPI_REQUEST_NULL),
      GNOMON_NULL(MPI_OP_NULL),   GNOMON_NULL(MPI_GROUP_NULL),      GNOMON_NULL(MPI_WIN_NULL),
      GNOMON_NULL(MPI_FILE_NULL), GNOMON_NULL(MPI_SESSION_NULL),    GNOMON_NULL(MPI_MESSAGE_NULL),
      GNOMON_NULL(MPI_INFO_NULL), GNOMON_NULL(MPI_ERRHANDLER_NULL),
  };
#undef GNOMON_NULL
  for (const auto &[value, name] : nulls)
    if (value == handle)
      return name;
  return nullptr;
}

void Entry::wrongHandle(int errorClass, const char *name, uintptr_t handle, const char *type) {
  if (const char *null = nullName(handle))
    return keep(errorClass, fmt::format("invalid {}: {} is no {}", name, null, type));
  keep(errorClass,
       fmt::format("invalid {}: {:#x} is no {} (freed or never made)", name, handle, type));
}

mpi::Datatype *Entry::derived(const char *name, MPI_Datatype handle) {
  auto *type = object<mpi::Datatype>(name, handle, MPI_ERR_TYPE, false);
  if (type && !type->committed()) {
    uncommitted(name);
    return nullptr;
  }
  return type;
}

void Entry::uncommitted(const char *name) {
  keep(MPI_ERR_TYPE, fmt::format("invalid {}: the datatype is not committed", name));
}

void Entry::missing(int errorClass, const char *name, int64_t count) {
  keep(errorClass, fmt::format("invalid {}: a null address for {} element{}", name, count,
                               count == 1 ? "" : "s"));
}

/// MPI_BOTTOM and MPI_IN_PLACE.
void Entry::noMemory(const char *name, const void *address, int64_t count,
                     const mpi::Datatype *type) {
  if (address)
    return keep(MPI_ERR_BUFFER, fmt::format("invalid {}: MPI_IN_PLACE is not allowed here", name));
  if (count > 0 && type && type->size() > 0 && type->trueLowerBound() == 0)
    missing(MPI_ERR_BUFFER, name, count);
}

void Entry::aliased(const char *first, const char *second) {
  keep(MPI_ERR_BUFFER,
       fmt::format("{} and {} are the same memory; MPI_IN_PLACE says that this is meant", first,
                   second));
}

int Entry::disagree(const std::string &difference, mpi::Comm &comm) {
  return finish(mpi::fail(rank_, MPI_ERR_NOT_SAME, difference), &comm);
}

void Entry::tooLarge(const char *name, int64_t value) {
  keep(MPI_ERR_COUNT,
       fmt::format("invalid {}: {} elements have more bytes than 64 bits can count", name, value));
}

int Entry::unsupported(mpi::Comm *comm) {
  return finish(mpi::fail(rank_, MPI_ERR_UNSUPPORTED_OPERATION,
                          fmt::format("not supported by Gnomon {}", Version)),
                comm);
}

int Entry::raise(int code, mpi::Comm *comm) {
  if (!comm && window_)
    return mpi::raiseError(rank_, mpi::errorTarget(*window_), code, rank_.call.function,
                           std::string());
  return mpi::raiseError(comm, code, rank_.call.function, std::string());
}

int Entry::raise(int code, mpi::File *file) {
  return io::raiseError(rank_, file, code, rank_.call.function);
}

} // namespace gnomon::api
