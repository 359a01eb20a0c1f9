// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Attributes and keyvals.
#include "mpi/Attribute.h"

#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/UserCall.h"
#include "process/ranks/Job.h"

#include <algorithm>

namespace gnomon::mpi {

namespace {

// C's callbacks take the handle as a pointer, whatever its kind.
using CopyC = int (*)(uintptr_t object, int keyval, intptr_t extra, void *valueIn, void *valueOut,
                      int *flag);
using DeleteC = int (*)(uintptr_t object, int keyval, void *value, intptr_t extra);
using CopyFortran = void (*)(int *object, int *keyval, intptr_t *extra, intptr_t *valueIn,
                             intptr_t *valueOut, int *flag, int *error);
using DeleteFortran = void (*)(int *object, int *keyval, intptr_t *value, intptr_t *extra,
                               int *error);
using CopyFortranOld = void (*)(int *object, int *keyval, int *extra, int *valueIn, int *valueOut,
                                int *flag, int *error);
using DeleteFortranOld = void (*)(int *object, int *keyval, int *value, int *extra, int *error);

bool isCode(Keyval::Function function, uintptr_t code) {
  return reinterpret_cast<uintptr_t>(function) == code;
}
constexpr uintptr_t NullFunction = 0, DuplicateFunction = 1;

void drop(process::Rank &rank, Keyval &keyval) {
  if (--keyval.references > 0)
    return;
  state(rank).rare().keyvals[static_cast<size_t>(keyval.number - RankState::FirstKeyval)] = nullptr;
  delete &keyval;
}

/// The new value for a duplicate; false when the callback wants none.
int callCopy(process::Rank &rank, const Attribute &attribute, uintptr_t object, intptr_t &value,
             AttributeLanguage &language, int &flag) {
  Keyval &keyval = *attribute.keyval;
  UserCall user(rank);
  int number = keyval.number, error = 0, handle = static_cast<int>(object);
  switch (keyval.convention) {
  case Convention::C: {
    void *out = nullptr;
    error = reinterpret_cast<CopyC>(keyval.copy)(object, number, keyval.extra, readAsC(attribute),
                                                 &out, &flag);
    value = reinterpret_cast<intptr_t>(out);
    language = AttributeLanguage::C;
    break;
  }
  case Convention::Fortran: {
    intptr_t in = readAsFortran(attribute), extra = keyval.extra;
    reinterpret_cast<CopyFortran>(keyval.copy)(&handle, &number, &extra, &in, &value, &flag,
                                               &error);
    language = AttributeLanguage::Fortran;
    break;
  }
  case Convention::FortranOld: {
    int in = static_cast<int>(readAsFortran(attribute)), extra = static_cast<int>(keyval.extra);
    int out = 0;
    reinterpret_cast<CopyFortranOld>(keyval.copy)(&handle, &number, &extra, &in, &out, &flag,
                                                  &error);
    value = out;
    language = AttributeLanguage::FortranOld;
    break;
  }
  }
  return error;
}

int callDelete(process::Rank &rank, const Attribute &attribute, uintptr_t object) {
  Keyval &keyval = *attribute.keyval;
  if (isCode(keyval.remove, NullFunction))
    return MPI_SUCCESS;
  UserCall user(rank);
  int number = keyval.number, error = 0, handle = static_cast<int>(object);
  switch (keyval.convention) {
  case Convention::C:
    return reinterpret_cast<DeleteC>(keyval.remove)(object, number, readAsC(attribute),
                                                    keyval.extra);
  case Convention::Fortran: {
    intptr_t value = readAsFortran(attribute), extra = keyval.extra;
    reinterpret_cast<DeleteFortran>(keyval.remove)(&handle, &number, &value, &extra, &error);
    break;
  }
  case Convention::FortranOld: {
    int value = static_cast<int>(readAsFortran(attribute)), extra = static_cast<int>(keyval.extra);
    reinterpret_cast<DeleteFortranOld>(keyval.remove)(&handle, &number, &value, &extra, &error);
    break;
  }
  }
  return error;
}

Attribute *findIn(AttributeSet &set, const Keyval &keyval) {
  for (Attribute &attribute : set)
    if (attribute.keyval == &keyval)
      return &attribute;
  return nullptr;
}

void store(Attribute &attribute, AttributeLanguage language, intptr_t value) {
  attribute.language = language;
  attribute.value = value;
  attribute.integer = static_cast<int32_t>(value);
}

void add(AttributeSet &set, Keyval &keyval, AttributeLanguage language, intptr_t value) {
  ++keyval.references;
  set.push_back({&keyval, language, value, static_cast<int32_t>(value)});
}

} // namespace

int createKeyval(process::Rank &rank, AttributeTarget target, Convention convention,
                 Keyval::Function copy, Keyval::Function remove, intptr_t extra) {
  auto &keyvals = state(rank).rare().keyvals;
  int number = RankState::FirstKeyval + static_cast<int>(keyvals.size());
  keyvals.push_back(new Keyval{target, convention, number, copy, remove, extra});
  return number;
}

Keyval *findKeyval(process::Rank &rank, AttributeTarget target, int number) {
  auto &keyvals = state(rank).rare().keyvals;
  auto index = static_cast<size_t>(int64_t{number} - RankState::FirstKeyval);
  if (index >= keyvals.size() || !keyvals[index] || keyvals[index]->target != target)
    return nullptr;
  return keyvals[index];
}

void freeKeyval(process::Rank &rank, Keyval &keyval) {
  if (keyval.freed)
    return;
  keyval.freed = true;
  drop(rank, keyval);
}

int setAttribute(process::Rank &rank, AttributeSet &set, uintptr_t object, Keyval &keyval,
                 AttributeLanguage language, intptr_t value) {
  if (Attribute *old = findIn(set, keyval)) {
    if (int error = callDelete(rank, *old, object))
      return error;
    store(*old, language, value);
    return MPI_SUCCESS;
  }
  add(set, keyval, language, value);
  return MPI_SUCCESS;
}

int deleteAttribute(process::Rank &rank, AttributeSet &set, uintptr_t object, Keyval &keyval) {
  Attribute *attribute = findIn(set, keyval);
  if (!attribute)
    return MPI_SUCCESS;
  if (int error = callDelete(rank, *attribute, object))
    return error;
  set.remove_if([&](const Attribute &a) { return &a == attribute; });
  drop(rank, keyval);
  return MPI_SUCCESS;
}

const Attribute *findAttribute(const AttributeSet &set, const Keyval &keyval) {
  return findIn(const_cast<AttributeSet &>(set), keyval);
}

int copyAttributes(process::Rank &rank, const AttributeSet &set, uintptr_t from,
                   AttributeSet &copy) {
  for (const Attribute &attribute : set) {
    Keyval &keyval = *attribute.keyval;
    if (isCode(keyval.copy, NullFunction))
      continue;
    intptr_t value =
        attribute.language == AttributeLanguage::FortranOld ? attribute.integer : attribute.value;
    AttributeLanguage language = attribute.language;
    int flag = 1;
    if (!isCode(keyval.copy, DuplicateFunction)) {
      flag = 0;
      if (int error = callCopy(rank, attribute, from, value, language, flag))
        return error;
    }
    if (flag)
      add(copy, keyval, language, value);
  }
  return MPI_SUCCESS;
}

int deleteAttributes(process::Rank &rank, AttributeSet &set, uintptr_t object) {
  while (!set.empty()) {
    Attribute &last = set.back();
    if (int error = callDelete(rank, last, object))
      return error;
    Keyval &keyval = *last.keyval;
    // Not the last any more when the callback has set another one.
    set.remove_if([&](const Attribute &a) { return &a == &last; });
    drop(rank, keyval);
  }
  return MPI_SUCCESS;
}

const int *predefinedAttribute(process::Rank &rank, int keyval) {
  static const int tagUpperBound = TagUpperBound, host = -3 /* MPI_PROC_NULL */,
                   io = -1 /* MPI_ANY_SOURCE */, global = 1;
  RankState &own = state(rank);
  switch (keyval) {
  case 501: // MPI_TAG_UB
    return &tagUpperBound;
  case 502: // MPI_IO
    return &io;
  case 503: // MPI_HOST
    return &host;
  case 504: // MPI_WTIME_IS_GLOBAL
    return &global;
  case 505: // MPI_APPNUM
    own.appNumber = rank.app ? rank.app->number : 0;
    return &own.appNumber;
  case 506: // MPI_LASTUSEDCODE
    own.lastUsedCodeValue = own.lastUsedCode;
    return &own.lastUsedCodeValue;
  case 507: // MPI_UNIVERSE_SIZE
    own.universeSize = std::max(own.world->size(), own.runtime.settings.universeSize);
    return &own.universeSize;
  default:
    return nullptr;
  }
}

void *readAsC(const Attribute &attribute) {
  switch (attribute.language) {
  case AttributeLanguage::C:
    return reinterpret_cast<void *>(attribute.value);
  case AttributeLanguage::Fortran:
    return const_cast<intptr_t *>(&attribute.value);
  case AttributeLanguage::FortranOld:
    return const_cast<int32_t *>(&attribute.integer);
  }
  return nullptr;
}

intptr_t readAsFortran(const Attribute &attribute) {
  return attribute.language == AttributeLanguage::FortranOld ? attribute.integer : attribute.value;
}

int copyTypeAttributes(process::Rank &rank, const Datatype &from, MPI_Datatype fromHandle,
                       Datatype &to) {
  auto &types = state(rank).rare().typeAttributes;
  auto found = types.find(&from);
  if (found == types.end())
    return MPI_SUCCESS;
  AttributeSet copy;
  if (int error =
          copyAttributes(rank, found->second, reinterpret_cast<uintptr_t>(fromHandle), copy))
    return error;
  if (!copy.empty())
    types[&to] = std::move(copy);
  return MPI_SUCCESS;
}

int deleteTypeAttributes(process::Rank &rank, const Datatype &type, MPI_Datatype handle) {
  auto &types = state(rank).rare().typeAttributes;
  auto found = types.find(&type);
  if (found == types.end())
    return MPI_SUCCESS;
  if (int error = deleteAttributes(rank, found->second, reinterpret_cast<uintptr_t>(handle)))
    return error;
  types.erase(found);
  return MPI_SUCCESS;
}

} // namespace gnomon::mpi
