// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on attributes of windows, as C calls them; Fortran's entries call
/// mpi/Attribute.h.
#include "mpi/Attribute.h"
#include "impl/Impl.h"
#include "mpi/RankState.h"
#include "rma/Window.h"

#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

int invalid(Win &win, int number) {
  const bool predefined = number >= MPI_WIN_BASE && number <= MPI_WIN_MODEL;
  return failOn(win, MPI_ERR_KEYVAL,
                fmt::format("invalid keyval {}{}", number,
                            predefined ? ": predefined attributes cannot be changed" : ""));
}

Keyval *find(Win &win, int number) { return findKeyval(win.owner(), AttributeTarget::Win, number); }

uintptr_t bits(const Win &win) { return reinterpret_cast<uintptr_t>(win.handle); }

/// What C's MPI_Win_get_attr gives for MPI_WIN_BASE…: the base itself, and addresses of the others;
/// null when \p number is none of them.
void *predefinedOf(Win &win, int number) {
  switch (number) {
  case MPI_WIN_SIZE:
    return &win.sizeAttribute;
  case MPI_WIN_DISP_UNIT:
    return &win.unitAttribute;
  case MPI_WIN_CREATE_FLAVOR:
    return &win.flavorAttribute;
  case MPI_WIN_MODEL:
    return &win.modelAttribute;
  default:
    return nullptr;
  }
}

} // namespace

int Win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn,
                      MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
                      void *extra_state) {
  *win_keyval = createKeyval(*process::currentRank(), AttributeTarget::Win, Convention::C,
                             reinterpret_cast<Keyval::Function>(win_copy_attr_fn),
                             reinterpret_cast<Keyval::Function>(win_delete_attr_fn),
                             reinterpret_cast<intptr_t>(extra_state));
  return MPI_SUCCESS;
}

int Win_free_keyval(int *win_keyval) {
  process::Rank &rank = *process::currentRank();
  Keyval *keyval = findKeyval(rank, AttributeTarget::Win, *win_keyval);
  if (!keyval)
    return fail(rank, MPI_ERR_KEYVAL, fmt::format("invalid keyval {}", *win_keyval));
  freeKeyval(rank, *keyval);
  *win_keyval = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int Win_set_attr(Win &win, int win_keyval, void *attribute_val) {
  Keyval *keyval = find(win, win_keyval);
  if (!keyval)
    return invalid(win, win_keyval);
  return setAttribute(win.owner(), win.attributes, bits(win), *keyval, AttributeLanguage::C,
                      reinterpret_cast<intptr_t>(attribute_val));
}

int Win_get_attr(Win &win, int win_keyval, void *attribute_val, int *flag) {
  auto *value = static_cast<void **>(attribute_val);
  if (win_keyval == MPI_WIN_BASE) {
    *flag = 1;
    *value = win.side().base;
    return MPI_SUCCESS;
  }
  if (void *predefined = predefinedOf(win, win_keyval)) {
    *flag = 1;
    *value = predefined;
    return MPI_SUCCESS;
  }
  Keyval *keyval = find(win, win_keyval);
  if (!keyval)
    return invalid(win, win_keyval);
  const Attribute *attribute = findAttribute(win.attributes, *keyval);
  *flag = attribute != nullptr;
  if (attribute)
    *value = readAsC(*attribute);
  return MPI_SUCCESS;
}

int Win_delete_attr(Win &win, int win_keyval) {
  Keyval *keyval = find(win, win_keyval);
  if (!keyval)
    return invalid(win, win_keyval);
  return deleteAttribute(win.owner(), win.attributes, bits(win), *keyval);
}

} // namespace gnomon::impl
