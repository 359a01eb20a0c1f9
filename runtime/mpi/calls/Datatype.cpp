// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that make, commit and free datatypes.
#include "mpi/calls/Datatype.h"

#include "mpi/Attribute.h"

#include <fmt/format.h>

namespace gnomon::mpi {

template <> Datatype *findPredefined<Datatype>(process::Rank &, MPI_Datatype handle) {
  return Datatype::findPredefined(handle);
}

} // namespace gnomon::mpi

namespace gnomon::impl {

using namespace mpi;

namespace {

std::span<const int64_t> displacements(const MPI_Aint *array, int64_t count) {
  return {array, static_cast<size_t>(count)};
}

bool knownOrder(int order) { return order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN; }

} // namespace

int Type_contiguous(MPI_Count count, Datatype &oldtype, MPI_Datatype *newtype, CountForm form) {
  return give(Datatype::contiguous(count, oldtype), newtype, form);
}

int Type_vector(MPI_Count count, MPI_Count blocklength, MPI_Count stride, Datatype &oldtype,
                MPI_Datatype *newtype, CountForm form) {
  return give(Datatype::vector(count, blocklength, stride, oldtype), newtype, form);
}

int Type_create_hvector(MPI_Count count, MPI_Count blocklength, MPI_Aint stride, Datatype &oldtype,
                        MPI_Datatype *newtype, CountForm form) {
  return give(Datatype::hvector(count, blocklength, stride, oldtype), newtype, form);
}

int Type_indexed(MPI_Count count, Counts array_of_blocklengths, Counts array_of_displacements,
                 Datatype &oldtype, MPI_Datatype *newtype, CountForm form) {
  return give(
      Datatype::indexed({array_of_blocklengths, count}, {array_of_displacements, count}, oldtype),
      newtype, form);
}

int Type_create_hindexed(MPI_Count count, Counts array_of_blocklengths,
                         const MPI_Aint *array_of_displacements, Datatype &oldtype,
                         MPI_Datatype *newtype, CountForm form) {
  return give(Datatype::hindexed({array_of_blocklengths, count},
                                 displacements(array_of_displacements, count), oldtype),
              newtype, form);
}

int Type_create_indexed_block(MPI_Count count, MPI_Count blocklength, Counts array_of_displacements,
                              Datatype &oldtype, MPI_Datatype *newtype, CountForm form) {
  return give(Datatype::indexedBlock(blocklength, {array_of_displacements, count}, oldtype),
              newtype, form);
}

int Type_create_hindexed_block(MPI_Count count, MPI_Count blocklength,
                               const MPI_Aint *array_of_displacements, Datatype &oldtype,
                               MPI_Datatype *newtype, CountForm form) {
  return give(
      Datatype::hindexedBlock(blocklength, displacements(array_of_displacements, count), oldtype),
      newtype, form);
}

int Type_create_struct(MPI_Count count, Counts array_of_blocklengths,
                       const MPI_Aint *array_of_displacements, const MPI_Datatype *array_of_types,
                       MPI_Datatype *newtype, CountForm form) {
  std::vector<const Datatype *> types(static_cast<size_t>(count));
  for (size_t i = 0; i < types.size(); ++i)
    types[i] = find<Datatype>(caller(), array_of_types[i]);
  return give(Datatype::structure({array_of_blocklengths, count},
                                  displacements(array_of_displacements, count), types),
              newtype, form);
}

int Type_create_resized(Datatype &oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype,
                        CountForm form) {
  return give(Datatype::resized(oldtype, lb, extent), newtype, form);
}

int Type_create_subarray(int ndims, Counts array_of_sizes, Counts array_of_subsizes,
                         Counts array_of_starts, int order, Datatype &oldtype,
                         MPI_Datatype *newtype, CountForm form) {
  if (ndims < 1)
    return invalidArgument(fmt::format("a subarray of {} dimensions", ndims));
  if (!knownOrder(order))
    return invalidArgument("order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
  for (int d = 0; d < ndims; ++d) {
    const int64_t size = array_of_sizes[d], subsize = array_of_subsizes[d],
                  start = array_of_starts[d];
    if (size < 1 || subsize < 1 || subsize > size || start < 0 || start > size - subsize)
      return invalidArgument(fmt::format("dimension {}: elements [{}, {} + {}) of {}", d, start,
                                         start, subsize, size));
  }
  return give(Datatype::subarray({array_of_sizes, ndims}, {array_of_subsizes, ndims},
                                 {array_of_starts, ndims}, static_cast<ArrayOrder>(order), oldtype),
              newtype, form);
}

int Type_create_darray(int size, int rank, int ndims, Counts array_of_gsizes,
                       const int *array_of_distribs, const int *array_of_dargs,
                       const int *array_of_psizes, int order, Datatype &oldtype,
                       MPI_Datatype *newtype, CountForm form) {
  if (ndims < 1)
    return invalidArgument(fmt::format("a distributed array of {} dimensions", ndims));
  if (!knownOrder(order))
    return invalidArgument("order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
  if (size < 1 || rank < 0 || rank >= size)
    return invalidArgument(fmt::format("rank {} of {}", rank, size));
  int64_t grid = 1;
  for (int d = 0; d < ndims; ++d) {
    const std::string dimension = fmt::format("dimension {}: ", d);
    const int64_t global = array_of_gsizes[d], processes = array_of_psizes[d],
                  argument = array_of_dargs[d];
    if (global < 1 || processes < 1)
      return invalidArgument(dimension + "sizes must be positive");
    switch (array_of_distribs[d]) {
    case MPI_DISTRIBUTE_NONE:
      if (processes != 1)
        return invalidArgument(
            fmt::format("{}MPI_DISTRIBUTE_NONE over {} processes", dimension, processes));
      break;
    case MPI_DISTRIBUTE_BLOCK:
      if (argument != MPI_DISTRIBUTE_DFLT_DARG && argument * processes < global)
        return invalidArgument(
            fmt::format("{}blocks of {} do not cover the array", dimension, argument));
      [[fallthrough]];
    case MPI_DISTRIBUTE_CYCLIC:
      if (argument != MPI_DISTRIBUTE_DFLT_DARG && argument < 1)
        return invalidArgument(fmt::format("{}a block of {}", dimension, argument));
      break;
    default:
      return invalidArgument(dimension + "unknown distribution");
    }
    grid *= processes;
  }
  if (grid != size)
    return invalidArgument(fmt::format("a grid of {} processes for {}", grid, size));
  return give(Datatype::darray(size, rank, {array_of_gsizes, ndims}, {array_of_distribs, ndims},
                               {array_of_dargs, ndims}, {array_of_psizes, ndims},
                               static_cast<ArrayOrder>(order), oldtype),
              newtype, form);
}

int Type_dup(Datatype &oldtype, MPI_Datatype *newtype) {
  Datatype *type = Datatype::duplicate(oldtype);
  give(type, newtype);
  const int error = copyTypeAttributes(caller(), oldtype, oldtype.handle(), *type);
  if (error != MPI_SUCCESS) {
    erase<Datatype>(caller(), *newtype);
    type->release();
    *newtype = MPI_DATATYPE_NULL;
  }
  return error;
}

int Type_commit(MPI_Datatype *datatype) {
  Datatype *type = find<Datatype>(caller(), *datatype);
  if (!type)
    return fail(caller(), MPI_ERR_TYPE, "the handle names no datatype");
  type->commit();
  return MPI_SUCCESS;
}

int Type_free(MPI_Datatype *datatype) {
  Datatype *type = find<Datatype>(caller(), *datatype);
  if (!type)
    return fail(caller(), MPI_ERR_TYPE, "the handle names no datatype");
  if (type->permanent())
    return fail(caller(), MPI_ERR_TYPE, type->name() + " is predefined and cannot be freed");
  if (int error = deleteTypeAttributes(caller(), *type, *datatype))
    return error;
  erase<Datatype>(caller(), *datatype);
  if (type->handle() == *datatype) // what goes on with the type must not meet the next one
    type->setHandle(nullptr);
  type->release();
  *datatype = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

} // namespace gnomon::impl
