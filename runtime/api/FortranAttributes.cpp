// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The Fortran procedures of attributes, written by hand: their callbacks have Fortran's
/// convention, and what C and Fortran see of a value differs (MPI 4.1, section 19.3.7). Rows marked
/// @byhand in table/Attributes.txt and table/Removed.txt. The MPI-1 names have default INTEGERs
/// where the others have addresses.
#include "api/Entry.h"
#include "api/Fortran.h"
#include "impl/Impl.h"
#include "mpi/Attribute.h"
#include "rma/Window.h"

#include <algorithm>
#include <initializer_list>

using namespace gnomon;
using api::Entry;
using api::toHandle;
using mpi::AttributeLanguage;
using mpi::AttributeTarget;
using mpi::Convention;

namespace {

/// The C codes of the predefined callbacks, which Fortran passes as procedures.
mpi::Keyval::Function copyCallback(void *procedure);
mpi::Keyval::Function deleteCallback(void *procedure);

int createKeyval(const char *name, const void *site, AttributeTarget target, Convention convention,
                 void *copy, void *remove, MPI_Fint *keyval, MPI_Aint extra) {
  Entry entry(name, site);
  if (entry.failed())
    return entry.finish(nullptr);
  *keyval = mpi::createKeyval(*process::currentRank(), target, convention, copyCallback(copy),
                              deleteCallback(remove), extra);
  return MPI_SUCCESS;
}

/// The attributes of a communicator, a datatype or a window, and the handle that callbacks get.
struct Holder {
  mpi::AttributeSet *attributes;
  uintptr_t handle;
  AttributeTarget target;
  mpi::Comm *comm;         ///< whose error handler errors go to
  mpi::Win *win = nullptr; ///< the same
};

Holder commHolder(Entry &entry, MPI_Fint handle) {
  mpi::Comm *comm = entry.comm("comm", toHandle<MPI_Comm>(handle));
  return {comm ? &comm->attributes : nullptr, static_cast<uintptr_t>(handle), AttributeTarget::Comm,
          comm};
}

Holder typeHolder(Entry &entry, MPI_Fint handle) {
  mpi::Datatype *type = entry.anytype("datatype", toHandle<MPI_Datatype>(handle));
  return {type ? &mpi::currentState().rare().typeAttributes[type] : nullptr,
          static_cast<uintptr_t>(handle), AttributeTarget::Datatype, nullptr};
}

Holder winHolder(Entry &entry, MPI_Fint handle) {
  mpi::Win *win = entry.win("win", toHandle<MPI_Win>(handle));
  return {win ? &win->attributes : nullptr, static_cast<uintptr_t>(handle), AttributeTarget::Win,
          nullptr, win};
}

/// Predefined attributes of windows: C's implementation gives the base, and addresses of the
/// others.
int getOfWindow(mpi::Win &win, MPI_Fint number, MPI_Aint *value, MPI_Fint *flag) {
  void *found = nullptr;
  int code = impl::Win_get_attr(win, number, &found, flag);
  if (code != MPI_SUCCESS || !*flag)
    return code;
  if (number == MPI_WIN_BASE)
    *value = reinterpret_cast<MPI_Aint>(found);
  else
    *value = number == MPI_WIN_SIZE ? *static_cast<MPI_Aint *>(found) : *static_cast<int *>(found);
  return code;
}

using HolderOf = Holder (*)(Entry &, MPI_Fint);

mpi::Keyval *keyvalOf(Entry &entry, const Holder &holder, MPI_Fint number) {
  if (entry.failed())
    return nullptr;
  mpi::Keyval *keyval = mpi::findKeyval(*process::currentRank(), holder.target, number);
  if (!keyval)
    entry.keyval("keyval", number);
  return keyval;
}

int setAttribute(const char *name, const void *site, HolderOf holderOf, MPI_Fint handle,
                 MPI_Fint number, AttributeLanguage language, MPI_Aint value) {
  Entry entry(name, site);
  Holder holder = holderOf(entry, handle);
  mpi::Keyval *keyval = keyvalOf(entry, holder, number);
  if (!keyval)
    return entry.finish(holder.comm);
  return entry.finish(mpi::setAttribute(*process::currentRank(), *holder.attributes, holder.handle,
                                        *keyval, language, value),
                      holder.comm);
}

int getAttribute(const char *name, const void *site, HolderOf holderOf, MPI_Fint handle,
                 MPI_Fint number, MPI_Aint *value, MPI_Fint *flag) {
  Entry entry(name, site);
  Holder holder = holderOf(entry, handle);
  if (entry.failed())
    return entry.finish(holder.comm);
  // Predefined attributes of communicators (MPI_TAG_UB…): C's implementation gives the address of
  // an int.
  if (holder.comm && number < mpi::RankState::FirstKeyval) {
    int *predefined = nullptr;
    int code = impl::Comm_get_attr(*holder.comm, number, &predefined, flag);
    if (code == MPI_SUCCESS && *flag)
      *value = *predefined;
    return entry.finish(code, holder.comm);
  }
  if (holder.win && number < mpi::RankState::FirstKeyval)
    return entry.finish(getOfWindow(*holder.win, number, value, flag), nullptr);
  mpi::Keyval *keyval = keyvalOf(entry, holder, number);
  if (!keyval)
    return entry.finish(holder.comm);
  const mpi::Attribute *attribute = mpi::findAttribute(*holder.attributes, *keyval);
  *flag = attribute != nullptr;
  if (attribute)
    *value = mpi::readAsFortran(*attribute);
  return MPI_SUCCESS;
}

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
/// pmpi_NAME_ is about to be defined with these parameters; mpi_NAME_ is its weak name.
#define FORTRAN(NAME, PARAMETERS)                                                                  \
  EXPORT void pmpi_##NAME##_ PARAMETERS;                                                           \
  extern "C" __attribute__((visibility("default"), weak,                                           \
                            alias("pmpi_" #NAME "_"))) void mpi_##NAME##_ PARAMETERS;              \
  void pmpi_##NAME##_ PARAMETERS

// What a Fortran program passes for MPI_COMM_DUP_FN and its kin. They are real procedures (a
// program may call them), and are recognised by their addresses where a keyval is made.
EXPORT void mpi_null_copy_fn_(MPI_Fint *, MPI_Fint *, void *, void *, void *, MPI_Fint *flag,
                              MPI_Fint *ierror) {
  *flag = 0;
  *ierror = MPI_SUCCESS;
}
EXPORT void mpi_null_delete_fn_(MPI_Fint *, MPI_Fint *, void *, void *, MPI_Fint *ierror) {
  *ierror = MPI_SUCCESS;
}
EXPORT void mpi_dup_fn_(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *in, MPI_Fint *out,
                        MPI_Fint *flag, MPI_Fint *ierror) {
  *out = *in;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}
EXPORT void mpi_comm_dup_fn_(MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *in, MPI_Aint *out,
                             MPI_Fint *flag, MPI_Fint *ierror) {
  *out = *in;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}

#define SAME_PROCEDURE(NAME, ORIGINAL, PARAMETERS)                                                 \
  extern "C" __attribute__((visibility("default"), alias(#ORIGINAL))) void NAME PARAMETERS
#define COPY_PARAMETERS (MPI_Fint *, MPI_Fint *, void *, void *, void *, MPI_Fint *, MPI_Fint *)
#define DELETE_PARAMETERS (MPI_Fint *, MPI_Fint *, void *, void *, MPI_Fint *)
#define DUP_PARAMETERS                                                                             \
  (MPI_Fint *, MPI_Fint *, MPI_Aint *, MPI_Aint *, MPI_Aint *, MPI_Fint *, MPI_Fint *)
SAME_PROCEDURE(mpi_comm_null_copy_fn_, mpi_null_copy_fn_, COPY_PARAMETERS);
SAME_PROCEDURE(mpi_type_null_copy_fn_, mpi_null_copy_fn_, COPY_PARAMETERS);
SAME_PROCEDURE(mpi_win_null_copy_fn_, mpi_null_copy_fn_, COPY_PARAMETERS);
SAME_PROCEDURE(mpi_comm_null_delete_fn_, mpi_null_delete_fn_, DELETE_PARAMETERS);
SAME_PROCEDURE(mpi_type_null_delete_fn_, mpi_null_delete_fn_, DELETE_PARAMETERS);
SAME_PROCEDURE(mpi_win_null_delete_fn_, mpi_null_delete_fn_, DELETE_PARAMETERS);
SAME_PROCEDURE(mpi_type_dup_fn_, mpi_comm_dup_fn_, DUP_PARAMETERS);
SAME_PROCEDURE(mpi_win_dup_fn_, mpi_comm_dup_fn_, DUP_PARAMETERS);
EXPORT void mpi_conversion_fn_null_(void *, MPI_Fint *, MPI_Fint *, void *, MPI_Offset *,
                                    MPI_Aint *, MPI_Fint *ierror) {
  *ierror = MPI_ERR_CONVERSION;
}

namespace {

mpi::Keyval::Function code(uintptr_t number) {
  return reinterpret_cast<mpi::Keyval::Function>(number);
}

bool isOne(void *procedure, std::initializer_list<void *> procedures) {
  return std::find(procedures.begin(), procedures.end(), procedure) != procedures.end();
}

template <class F> void *addressOf(F *function) { return reinterpret_cast<void *>(function); }

mpi::Keyval::Function copyCallback(void *procedure) {
  if (isOne(procedure, {nullptr, addressOf(mpi_null_copy_fn_), addressOf(mpi_comm_null_copy_fn_),
                        addressOf(mpi_type_null_copy_fn_), addressOf(mpi_win_null_copy_fn_)}))
    return code(0);
  if (isOne(procedure, {addressOf(mpi_dup_fn_), addressOf(mpi_comm_dup_fn_),
                        addressOf(mpi_type_dup_fn_), addressOf(mpi_win_dup_fn_)}))
    return code(1);
  return reinterpret_cast<mpi::Keyval::Function>(procedure);
}

mpi::Keyval::Function deleteCallback(void *procedure) {
  if (isOne(procedure,
            {nullptr, addressOf(mpi_null_delete_fn_), addressOf(mpi_comm_null_delete_fn_),
             addressOf(mpi_type_null_delete_fn_), addressOf(mpi_win_null_delete_fn_)}))
    return code(0);
  return reinterpret_cast<mpi::Keyval::Function>(procedure);
}

} // namespace

FORTRAN(comm_create_keyval,
        (void *copy, void *remove, MPI_Fint *keyval, MPI_Aint *extra, MPI_Fint *ierror)) {
  api::fortran::setError(ierror, createKeyval("MPI_Comm_create_keyval", __builtin_return_address(0),
                                              AttributeTarget::Comm, Convention::Fortran, copy,
                                              remove, keyval, *extra));
}
FORTRAN(type_create_keyval,
        (void *copy, void *remove, MPI_Fint *keyval, MPI_Aint *extra, MPI_Fint *ierror)) {
  api::fortran::setError(ierror, createKeyval("MPI_Type_create_keyval", __builtin_return_address(0),
                                              AttributeTarget::Datatype, Convention::Fortran, copy,
                                              remove, keyval, *extra));
}
FORTRAN(win_create_keyval,
        (void *copy, void *remove, MPI_Fint *keyval, MPI_Aint *extra, MPI_Fint *ierror)) {
  api::fortran::setError(ierror, createKeyval("MPI_Win_create_keyval", __builtin_return_address(0),
                                              AttributeTarget::Win, Convention::Fortran, copy,
                                              remove, keyval, *extra));
}
FORTRAN(keyval_create,
        (void *copy, void *remove, MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *ierror)) {
  api::fortran::setError(ierror, createKeyval("MPI_Keyval_create", __builtin_return_address(0),
                                              AttributeTarget::Comm, Convention::FortranOld, copy,
                                              remove, keyval, *extra));
}

FORTRAN(comm_set_attr, (MPI_Fint * comm, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *ierror)) {
  api::fortran::setError(ierror,
                         setAttribute("MPI_Comm_set_attr", __builtin_return_address(0), commHolder,
                                      *comm, *keyval, AttributeLanguage::Fortran, *value));
}
FORTRAN(type_set_attr, (MPI_Fint * type, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *ierror)) {
  api::fortran::setError(ierror,
                         setAttribute("MPI_Type_set_attr", __builtin_return_address(0), typeHolder,
                                      *type, *keyval, AttributeLanguage::Fortran, *value));
}
FORTRAN(win_set_attr, (MPI_Fint * win, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *ierror)) {
  api::fortran::setError(ierror,
                         setAttribute("MPI_Win_set_attr", __builtin_return_address(0), winHolder,
                                      *win, *keyval, AttributeLanguage::Fortran, *value));
}
FORTRAN(attr_put, (MPI_Fint * comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *ierror)) {
  api::fortran::setError(ierror,
                         setAttribute("MPI_Attr_put", __builtin_return_address(0), commHolder,
                                      *comm, *keyval, AttributeLanguage::FortranOld, *value));
}

FORTRAN(comm_get_attr,
        (MPI_Fint * comm, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror)) {
  api::fortran::setError(ierror, getAttribute("MPI_Comm_get_attr", __builtin_return_address(0),
                                              commHolder, *comm, *keyval, value, flag));
}
FORTRAN(type_get_attr,
        (MPI_Fint * type, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror)) {
  api::fortran::setError(ierror, getAttribute("MPI_Type_get_attr", __builtin_return_address(0),
                                              typeHolder, *type, *keyval, value, flag));
}
FORTRAN(win_get_attr,
        (MPI_Fint * win, MPI_Fint *keyval, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *ierror)) {
  api::fortran::setError(ierror, getAttribute("MPI_Win_get_attr", __builtin_return_address(0),
                                              winHolder, *win, *keyval, value, flag));
}
FORTRAN(attr_get,
        (MPI_Fint * comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *ierror)) {
  MPI_Aint wide = 0;
  int result = getAttribute("MPI_Attr_get", __builtin_return_address(0), commHolder, *comm, *keyval,
                            &wide, flag);
  if (result == MPI_SUCCESS && *flag)
    *value = static_cast<MPI_Fint>(wide);
  api::fortran::setError(ierror, result);
}
