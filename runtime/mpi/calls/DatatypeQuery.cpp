// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that tell what a datatype is: sizes, bounds, basic elements, names.
#include "mpi/calls/Datatype.h"
#include "mpi/request/Status.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace gnomon::impl {

using namespace mpi;

namespace {

int64_t elementsOf(const MPI_Status &status, const Datatype &type) {
  const int64_t count = basicElements(type, statusBytes(status));
  return count < 0 ? MPI_UNDEFINED : count;
}

/// The bytes of the first \p count basic elements of data of a type.
int64_t bytesOfBasicElements(const Datatype &type, int64_t count) {
  if (type.basicCount() == 0)
    return 0;
  int64_t bytes = count / type.basicCount() * type.size();
  int64_t rest = count % type.basicCount();
  for (const Datatype::Part &part : type.parts()) {
    if (rest == 0)
      break;
    const int64_t taken = std::min(rest, part.repeat * part.type->basicCount());
    bytes += bytesOfBasicElements(*part.type, taken);
    rest -= taken;
  }
  return bytes;
}

} // namespace

// Sizes and bounds.

int Type_size(Datatype &datatype, MPI_Count *size) {
  *size = datatype.size();
  return MPI_SUCCESS;
}
int Type_size_x(Datatype &datatype, MPI_Count *size) {
  *size = datatype.size();
  return MPI_SUCCESS;
}
int Type_get_extent(Datatype &datatype, MPI_Aint *lb, MPI_Aint *extent) {
  *lb = datatype.lowerBound();
  *extent = datatype.extent();
  return MPI_SUCCESS;
}
int Type_get_extent_x(Datatype &datatype, MPI_Count *lb, MPI_Count *extent) {
  *lb = datatype.lowerBound();
  *extent = datatype.extent();
  return MPI_SUCCESS;
}
int Type_get_true_extent(Datatype &datatype, MPI_Aint *true_lb, MPI_Aint *true_extent) {
  *true_lb = datatype.trueLowerBound();
  *true_extent = datatype.trueExtent();
  return MPI_SUCCESS;
}
int Type_get_true_extent_x(Datatype &datatype, MPI_Count *true_lb, MPI_Count *true_extent) {
  *true_lb = datatype.trueLowerBound();
  *true_extent = datatype.trueExtent();
  return MPI_SUCCESS;
}
int Type_extent(Datatype &datatype, MPI_Aint *extent) {
  *extent = datatype.extent();
  return MPI_SUCCESS;
}
int Type_lb(Datatype &datatype, MPI_Aint *displacement) {
  *displacement = datatype.lowerBound();
  return MPI_SUCCESS;
}
int Type_ub(Datatype &datatype, MPI_Aint *displacement) {
  *displacement = datatype.lowerBound() + datatype.extent();
  return MPI_SUCCESS;
}

// Basic elements of a message.

int Get_elements(const MPI_Status *status, Datatype &datatype, MPI_Count *count) {
  *count = elementsOf(*status, datatype);
  return MPI_SUCCESS;
}
int Get_elements_x(const MPI_Status *status, Datatype &datatype, MPI_Count *count) {
  *count = elementsOf(*status, datatype);
  return MPI_SUCCESS;
}
int Status_set_elements_x(MPI_Status *status, Datatype &datatype, MPI_Count count) {
  if (count < 0)
    return fail(caller(), MPI_ERR_COUNT, fmt::format("negative count {}", count));
  setStatusBytes(*status, bytesOfBasicElements(datatype, count));
  return MPI_SUCCESS;
}
int Status_set_elements(MPI_Status *status, Datatype &datatype, MPI_Count count) {
  return Status_set_elements_x(status, datatype, count);
}

int Type_get_name(Datatype &datatype, char *type_name, int *resultlen) {
  const size_t length =
      std::min(datatype.name().size(), static_cast<size_t>(MPI_MAX_OBJECT_NAME - 1));
  std::memcpy(type_name, datatype.name().data(), length);
  type_name[length] = '\0';
  *resultlen = static_cast<int>(length);
  return MPI_SUCCESS;
}

int Type_set_name(Datatype &datatype, const char *type_name) {
  datatype.setName(std::string(type_name).substr(0, MPI_MAX_OBJECT_NAME - 1));
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
