// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on info objects.
#include "mpi/Info.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

process::Rank &here() { return *process::currentRank(); }

int checkKey(const char *key) {
  size_t length = key ? strnlen(key, MPI_MAX_INFO_KEY) : 0;
  if (length > 0 && length < MPI_MAX_INFO_KEY)
    return MPI_SUCCESS;
  return fail(here(), MPI_ERR_INFO_KEY,
              length == 0 ? "the key is empty"
                          : "the key is longer than MPI_MAX_INFO_KEY - 1 characters");
}

} // namespace

int Info_create(MPI_Info *info) {
  *info = insert<Info>(here(), new Info);
  return MPI_SUCCESS;
}

/// "The same construct as MPI_INFO_ENV" (MPI 4.0, section 10.1), in which Gnomon has no keys.
int Info_create_env(int, char **, MPI_Info *info) {
  *info = insert<Info>(here(), new Info(*find<Info>(here(), MPI_INFO_ENV)));
  return MPI_SUCCESS;
}

int Info_dup(Info &info, MPI_Info *newinfo) {
  *newinfo = insert<Info>(here(), new Info(info));
  return MPI_SUCCESS;
}

int Info_free(MPI_Info *info) {
  Info *freed = find<Info>(here(), *info);
  if (!freed || reinterpret_cast<uintptr_t>(*info) < 0x1000)
    return fail(here(), MPI_ERR_INFO,
                freed ? "MPI_INFO_ENV cannot be freed"
                      : "invalid info: the handle names no info object");
  erase<Info>(here(), *info);
  delete freed;
  *info = MPI_INFO_NULL;
  return MPI_SUCCESS;
}

int Info_set(Info &info, const char *key, const char *value) {
  if (int error = checkKey(key))
    return error;
  if (!value || strnlen(value, MPI_MAX_INFO_VAL) == MPI_MAX_INFO_VAL)
    return fail(here(), MPI_ERR_INFO_VALUE,
                "the value of " + std::string(key) +
                    " is longer than MPI_MAX_INFO_VAL - 1 characters");
  info.set(key, value);
  return MPI_SUCCESS;
}

int Info_delete(Info &info, const char *key) {
  if (int error = checkKey(key))
    return error;
  if (!info.remove(key))
    return fail(here(), MPI_ERR_INFO_NOKEY, "there is no key " + std::string(key));
  return MPI_SUCCESS;
}

int Info_get(Info &info, const char *key, int valuelen, char *value, int *flag) {
  if (int error = checkKey(key))
    return error;
  const std::string *found = info.find(key);
  *flag = found != nullptr;
  if (!found || valuelen < 0)
    return MPI_SUCCESS;
  size_t length = std::min(found->size(), static_cast<size_t>(valuelen));
  std::memcpy(value, found->data(), length);
  value[length] = '\0';
  return MPI_SUCCESS;
}

int Info_get_string(Info &info, const char *key, int *buflen, char *value, int *flag) {
  if (int error = checkKey(key))
    return error;
  if (*buflen < 0)
    return fail(here(), MPI_ERR_ARG, fmt::format("invalid buflen: {}", *buflen));
  const std::string *found = info.find(key);
  *flag = found != nullptr;
  if (!found)
    return MPI_SUCCESS;
  if (*buflen > 0) {
    if (!value)
      return fail(here(), MPI_ERR_ARG, "invalid value: a null address for text");
    size_t length = std::min(found->size(), static_cast<size_t>(*buflen) - 1);
    std::memcpy(value, found->data(), length);
    value[length] = '\0';
  }
  *buflen = static_cast<int>(found->size()) + 1; // in C, the null byte counts
  return MPI_SUCCESS;
}

int Info_get_valuelen(Info &info, const char *key, int *valuelen, int *flag) {
  if (int error = checkKey(key))
    return error;
  const std::string *found = info.find(key);
  *flag = found != nullptr;
  if (found)
    *valuelen = static_cast<int>(found->size());
  return MPI_SUCCESS;
}

int Info_get_nkeys(Info &info, int *nkeys) {
  *nkeys = static_cast<int>(info.entries().size());
  return MPI_SUCCESS;
}

int Info_get_nthkey(Info &info, int n, char *key) {
  if (n < 0 || static_cast<size_t>(n) >= info.entries().size())
    return fail(here(), MPI_ERR_ARG,
                fmt::format("invalid n: {} of {} keys", n, info.entries().size()));
  const std::string &name = info.entries()[static_cast<size_t>(n)].first;
  std::memcpy(key, name.c_str(), name.size() + 1);
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
