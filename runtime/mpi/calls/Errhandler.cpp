// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on error handlers, error classes, codes and strings.
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"

#include <cstring>
#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// What the user added under \p code; null otherwise.
RankState::UserError *findAdded(int code) {
  process::Rank *rank = process::currentRank();
  if (!rank || !rank->mpi)
    return nullptr;
  auto &errors = state(*rank).rare().userErrors;
  auto found = errors.find(code);
  return found == errors.end() ? nullptr : &found->second;
}

int unknownCode(int code) {
  return fail(*process::currentRank(), MPI_ERR_ARG, fmt::format("invalid error code {}", code));
}

} // namespace

int Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn,
                           MPI_Errhandler *errhandler) {
  auto *handler = new Errhandler;
  handler->action = Errhandler::Action::User;
  handler->function = reinterpret_cast<Errhandler::Function>(comm_errhandler_fn);
  handler->handle = insert<Errhandler>(*process::currentRank(), handler);
  *errhandler = handler->handle;
  return MPI_SUCCESS;
}

int Comm_set_errhandler(Comm &comm, Errhandler &errhandler) {
  if (errhandler.target != Errhandler::Target::Comm)
    return fail(comm.owner(), MPI_ERR_ARG, "invalid errhandler: it was not made for communicators",
                &comm);
  retain(errhandler);
  release(comm.owner(), *comm.errhandler);
  comm.errhandler = &errhandler;
  return MPI_SUCCESS;
}

int Comm_get_errhandler(Comm &comm, MPI_Errhandler *errhandler) {
  retain(*comm.errhandler);
  *errhandler = comm.errhandler->handle;
  return MPI_SUCCESS;
}

int Errhandler_free(MPI_Errhandler *errhandler) {
  process::Rank &rank = *process::currentRank();
  Errhandler *freed = find<Errhandler>(rank, *errhandler);
  if (!freed)
    return fail(rank, MPI_ERR_ARG, "invalid errhandler: the handle names no error handler");
  *errhandler = MPI_ERRHANDLER_NULL;
  release(rank, *freed);
  return MPI_SUCCESS;
}

int Comm_call_errhandler(Comm &comm, int errorcode) {
  int errorClass = errorcode;
  Error_class(errorcode, &errorClass);
  const char *text = errorText(errorClass);
  raiseError(&comm, errorcode, "MPI_Comm_call_errhandler",
             text ? std::string(text) : fmt::format("error {}", errorcode));
  return MPI_SUCCESS;
}

int Add_error_class(int *errorclass) {
  RankState &own = currentState();
  int code = ++own.lastUsedCode;
  own.rare().userErrors[code] = {code, ""};
  *errorclass = code;
  return MPI_SUCCESS;
}

int Add_error_code(int errorclass, int *errorcode) {
  RankState &own = currentState();
  auto added = own.rare().userErrors.find(errorclass);
  bool isClass = added != own.rare().userErrors.end() ? added->second.errorClass == errorclass
                                                      : errorText(errorclass) != nullptr;
  if (!isClass)
    return fail(own.rank, MPI_ERR_ARG, fmt::format("invalid error class {}", errorclass));
  int code = ++own.lastUsedCode;
  own.rare().userErrors[code] = {errorclass, ""};
  *errorcode = code;
  return MPI_SUCCESS;
}

int Add_error_string(int errorcode, const char *string) {
  RankState::UserError *added = findAdded(errorcode);
  if (!added)
    return unknownCode(errorcode);
  added->text.assign(string, strnlen(string, MPI_MAX_ERROR_STRING - 1));
  return MPI_SUCCESS;
}

/// The classes and codes that a rank added; of MPI 4.1, section 9.5. Numbers are not used again.
static int removeAdded(int code, bool isClass) {
  RankState::UserError *added = findAdded(code);
  if (!added || (added->errorClass == code) != isClass)
    return unknownCode(code);
  auto &errors = currentState().rare().userErrors;
  for (const auto &[other, error] : errors)
    if (isClass && other != code && error.errorClass == code)
      return fail(*process::currentRank(), MPI_ERR_OTHER,
                  fmt::format("error class {} still has error code {}", code, other));
  errors.erase(code);
  return MPI_SUCCESS;
}

int Remove_error_class(int errorclass) { return removeAdded(errorclass, true); }
int Remove_error_code(int errorcode) { return removeAdded(errorcode, false); }

int Remove_error_string(int errorcode) {
  RankState::UserError *added = findAdded(errorcode);
  if (!added)
    return unknownCode(errorcode);
  added->text.clear();
  return MPI_SUCCESS;
}

int Error_class(int errorcode, int *errorclass) {
  if (RankState::UserError *added = findAdded(errorcode)) {
    *errorclass = added->errorClass;
    return MPI_SUCCESS;
  }
  if (!errorText(errorcode))
    return unknownCode(errorcode);
  *errorclass = errorcode;
  return MPI_SUCCESS;
}

int Error_string(int errorcode, char *string, int *resultlen) {
  std::string text;
  if (RankState::UserError *added = findAdded(errorcode))
    text = added->text;
  else if (const char *known = errorText(errorcode))
    text = errorName(errorcode) + ": " + known;
  else
    return unknownCode(errorcode);
  std::memcpy(string, text.c_str(), text.size() + 1);
  *resultlen = static_cast<int>(text.size());
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
