// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions on attributes of communicators and datatypes, as C calls them. Fortran's entries
/// call Attribute.h.
#include "mpi/Attribute.h"
#include "impl/Impl.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"
#include "mpi/datatype/Datatype.h"

#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

process::Rank &here() { return *process::currentRank(); }

template <class Function> Keyval::Function generic(Function *function) {
  return reinterpret_cast<Keyval::Function>(function);
}

int invalid(int number) {
  return fail(here(), MPI_ERR_KEYVAL,
              fmt::format("invalid keyval {}{}", number,
                          number >= 501 && number <= 507
                              ? ": predefined attributes cannot be changed"
                              : ""));
}

int freeNumber(AttributeTarget target, int *number) {
  Keyval *keyval = findKeyval(here(), target, *number);
  if (!keyval)
    return invalid(*number);
  freeKeyval(here(), *keyval);
  *number = MPI_KEYVAL_INVALID;
  return MPI_SUCCESS;
}

int read(const AttributeSet *set, const Keyval &keyval, void *value, int *flag) {
  const Attribute *attribute = set ? findAttribute(*set, keyval) : nullptr;
  *flag = attribute != nullptr;
  if (attribute)
    *static_cast<void **>(value) = readAsC(*attribute);
  return MPI_SUCCESS;
}

uintptr_t bits(const void *handle) { return reinterpret_cast<uintptr_t>(handle); }

} // namespace

int Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn,
                       MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval,
                       void *extra_state) {
  *comm_keyval =
      createKeyval(here(), AttributeTarget::Comm, Convention::C, generic(comm_copy_attr_fn),
                   generic(comm_delete_attr_fn), reinterpret_cast<intptr_t>(extra_state));
  return MPI_SUCCESS;
}

int Comm_free_keyval(int *comm_keyval) { return freeNumber(AttributeTarget::Comm, comm_keyval); }

int Comm_set_attr(Comm &comm, int comm_keyval, void *attribute_val) {
  Keyval *keyval = findKeyval(here(), AttributeTarget::Comm, comm_keyval);
  if (!keyval)
    return invalid(comm_keyval);
  return setAttribute(here(), comm.attributes, bits(comm.handle), *keyval, AttributeLanguage::C,
                      reinterpret_cast<intptr_t>(attribute_val));
}

int Comm_get_attr(Comm &comm, int comm_keyval, void *attribute_val, int *flag) {
  if (const int *value = predefinedAttribute(here(), comm_keyval)) {
    *flag = 1;
    *static_cast<const int **>(attribute_val) = value;
    return MPI_SUCCESS;
  }
  Keyval *keyval = findKeyval(here(), AttributeTarget::Comm, comm_keyval);
  if (!keyval)
    return invalid(comm_keyval);
  return read(&comm.attributes, *keyval, attribute_val, flag);
}

int Comm_delete_attr(Comm &comm, int comm_keyval) {
  Keyval *keyval = findKeyval(here(), AttributeTarget::Comm, comm_keyval);
  if (!keyval)
    return invalid(comm_keyval);
  return deleteAttribute(here(), comm.attributes, bits(comm.handle), *keyval);
}

int Type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn,
                       MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval,
                       void *extra_state) {
  *type_keyval =
      createKeyval(here(), AttributeTarget::Datatype, Convention::C, generic(type_copy_attr_fn),
                   generic(type_delete_attr_fn), reinterpret_cast<intptr_t>(extra_state));
  return MPI_SUCCESS;
}

int Type_free_keyval(int *type_keyval) {
  return freeNumber(AttributeTarget::Datatype, type_keyval);
}

int Type_set_attr(Datatype &datatype, int type_keyval, void *attribute_val) {
  Keyval *keyval = findKeyval(here(), AttributeTarget::Datatype, type_keyval);
  if (!keyval)
    return invalid(type_keyval);
  return setAttribute(here(), currentState().rare().typeAttributes[&datatype],
                      bits(datatype.handle()), *keyval, AttributeLanguage::C,
                      reinterpret_cast<intptr_t>(attribute_val));
}

int Type_get_attr(Datatype &datatype, int type_keyval, void *attribute_val, int *flag) {
  Keyval *keyval = findKeyval(here(), AttributeTarget::Datatype, type_keyval);
  if (!keyval)
    return invalid(type_keyval);
  auto &types = currentState().rare().typeAttributes;
  auto found = types.find(&datatype);
  return read(found == types.end() ? nullptr : &found->second, *keyval, attribute_val, flag);
}

int Type_delete_attr(Datatype &datatype, int type_keyval) {
  Keyval *keyval = findKeyval(here(), AttributeTarget::Datatype, type_keyval);
  if (!keyval)
    return invalid(type_keyval);
  auto &types = currentState().rare().typeAttributes;
  auto found = types.find(&datatype);
  if (found == types.end())
    return MPI_SUCCESS;
  return deleteAttribute(here(), found->second, bits(datatype.handle()), *keyval);
}

} // namespace gnomon::impl
