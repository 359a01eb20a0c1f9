// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that make, describe and free datatypes.
#include "impl/Impl.h"
#include "mpi/Attribute.h"
#include "mpi/Datatype.h"
#include "mpi/Error.h"
#include "mpi/Handle.h"
#include "mpi/RankState.h"
#include "mpi/Status.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <map>

namespace gnomon::mpi {

template <> Datatype *findPredefined<Datatype>(process::Rank &, MPI_Datatype handle) {
  return Datatype::findPredefined(handle);
}

} // namespace gnomon::mpi

namespace gnomon::impl {

using namespace mpi;

namespace {

process::Rank &caller() { return *process::currentRank(); }

/// Enters a new type into the caller's table and gives the user its handle.
int give(Datatype *type, MPI_Datatype *newtype) {
  const MPI_Datatype handle = insert<Datatype>(caller(), type);
  type->setHandle(handle);
  *newtype = handle;
  return MPI_SUCCESS;
}

std::span<const int> ints(const int *array, int count) {
  return {array, static_cast<size_t>(count)};
}

std::span<const int64_t> displacements(const MPI_Aint *array, int count) {
  static_assert(sizeof(MPI_Aint) == sizeof(int64_t));
  return {reinterpret_cast<const int64_t *>(array), static_cast<size_t>(count)};
}

int invalidArgument(const std::string &detail) { return fail(caller(), MPI_ERR_ARG, detail); }

bool knownOrder(int order) { return order == MPI_ORDER_C || order == MPI_ORDER_FORTRAN; }

/// A number for an int: MPI_UNDEFINED when it does not fit.
int narrow(int64_t value) {
  return value > INT_MAX || value < INT_MIN ? MPI_UNDEFINED : static_cast<int>(value);
}

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

// Constructors.

int Type_contiguous(int count, Datatype &oldtype, MPI_Datatype *newtype) {
  return give(Datatype::contiguous(count, oldtype), newtype);
}

int Type_vector(int count, int blocklength, int stride, Datatype &oldtype, MPI_Datatype *newtype) {
  return give(Datatype::vector(count, blocklength, stride, oldtype), newtype);
}

int Type_create_hvector(int count, int blocklength, MPI_Aint stride, Datatype &oldtype,
                        MPI_Datatype *newtype) {
  return give(Datatype::hvector(count, blocklength, stride, oldtype), newtype);
}

int Type_indexed(int count, const int *array_of_blocklengths, const int *array_of_displacements,
                 Datatype &oldtype, MPI_Datatype *newtype) {
  return give(Datatype::indexed(ints(array_of_blocklengths, count),
                                ints(array_of_displacements, count), oldtype),
              newtype);
}

int Type_create_hindexed(int count, const int *array_of_blocklengths,
                         const MPI_Aint *array_of_displacements, Datatype &oldtype,
                         MPI_Datatype *newtype) {
  return give(Datatype::hindexed(ints(array_of_blocklengths, count),
                                 displacements(array_of_displacements, count), oldtype),
              newtype);
}

int Type_create_indexed_block(int count, int blocklength, const int *array_of_displacements,
                              Datatype &oldtype, MPI_Datatype *newtype) {
  return give(Datatype::indexedBlock(blocklength, ints(array_of_displacements, count), oldtype),
              newtype);
}

int Type_create_hindexed_block(int count, int blocklength, const MPI_Aint *array_of_displacements,
                               Datatype &oldtype, MPI_Datatype *newtype) {
  return give(
      Datatype::hindexedBlock(blocklength, displacements(array_of_displacements, count), oldtype),
      newtype);
}

int Type_create_struct(int count, const int *array_of_blocklengths,
                       const MPI_Aint *array_of_displacements, const MPI_Datatype *array_of_types,
                       MPI_Datatype *newtype) {
  std::vector<const Datatype *> types(static_cast<size_t>(count));
  for (size_t i = 0; i < types.size(); ++i)
    types[i] = find<Datatype>(caller(), array_of_types[i]);
  return give(Datatype::structure(ints(array_of_blocklengths, count),
                                  displacements(array_of_displacements, count), types),
              newtype);
}

int Type_create_resized(Datatype &oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype) {
  return give(Datatype::resized(oldtype, lb, extent), newtype);
}

int Type_create_subarray(int ndims, const int *array_of_sizes, const int *array_of_subsizes,
                         const int *array_of_starts, int order, Datatype &oldtype,
                         MPI_Datatype *newtype) {
  if (ndims < 1)
    return invalidArgument("a subarray of " + std::to_string(ndims) + " dimensions");
  if (!knownOrder(order))
    return invalidArgument("order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
  for (int d = 0; d < ndims; ++d) {
    const int size = array_of_sizes[d], subsize = array_of_subsizes[d], start = array_of_starts[d];
    if (size < 1 || subsize < 1 || subsize > size || start < 0 || start > size - subsize)
      return invalidArgument("dimension " + std::to_string(d) + ": elements [" +
                             std::to_string(start) + ", " + std::to_string(start) + " + " +
                             std::to_string(subsize) + ") of " + std::to_string(size));
  }
  return give(Datatype::subarray(ints(array_of_sizes, ndims), ints(array_of_subsizes, ndims),
                                 ints(array_of_starts, ndims), static_cast<ArrayOrder>(order),
                                 oldtype),
              newtype);
}

int Type_create_darray(int size, int rank, int ndims, const int *array_of_gsizes,
                       const int *array_of_distribs, const int *array_of_dargs,
                       const int *array_of_psizes, int order, Datatype &oldtype,
                       MPI_Datatype *newtype) {
  if (ndims < 1)
    return invalidArgument("a distributed array of " + std::to_string(ndims) + " dimensions");
  if (!knownOrder(order))
    return invalidArgument("order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
  if (size < 1 || rank < 0 || rank >= size)
    return invalidArgument("rank " + std::to_string(rank) + " of " + std::to_string(size));
  int64_t grid = 1;
  for (int d = 0; d < ndims; ++d) {
    const std::string dimension = "dimension " + std::to_string(d) + ": ";
    const int global = array_of_gsizes[d], processes = array_of_psizes[d],
              argument = array_of_dargs[d];
    if (global < 1 || processes < 1)
      return invalidArgument(dimension + "sizes must be positive");
    switch (array_of_distribs[d]) {
    case MPI_DISTRIBUTE_NONE:
      if (processes != 1)
        return invalidArgument(dimension + "MPI_DISTRIBUTE_NONE over " + std::to_string(processes) +
                               " processes");
      break;
    case MPI_DISTRIBUTE_BLOCK:
      if (argument != MPI_DISTRIBUTE_DFLT_DARG && int64_t{argument} * processes < global)
        return invalidArgument(dimension + "blocks of " + std::to_string(argument) +
                               " do not cover the array");
      [[fallthrough]];
    case MPI_DISTRIBUTE_CYCLIC:
      if (argument != MPI_DISTRIBUTE_DFLT_DARG && argument < 1)
        return invalidArgument(dimension + "a block of " + std::to_string(argument));
      break;
    default:
      return invalidArgument(dimension + "unknown distribution");
    }
    grid *= processes;
  }
  if (grid != size)
    return invalidArgument("a grid of " + std::to_string(grid) + " processes for " +
                           std::to_string(size));
  return give(Datatype::darray(size, rank, ints(array_of_gsizes, ndims),
                               ints(array_of_distribs, ndims), ints(array_of_dargs, ndims),
                               ints(array_of_psizes, ndims), static_cast<ArrayOrder>(order),
                               oldtype),
              newtype);
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

// Sizes and bounds.

int Type_size(Datatype &datatype, int *size) {
  *size = narrow(datatype.size());
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

int Get_elements(const MPI_Status *status, Datatype &datatype, int *count) {
  *count = narrow(elementsOf(*status, datatype));
  return MPI_SUCCESS;
}
int Get_elements_x(const MPI_Status *status, Datatype &datatype, MPI_Count *count) {
  *count = elementsOf(*status, datatype);
  return MPI_SUCCESS;
}
int Status_set_elements_x(MPI_Status *status, Datatype &datatype, MPI_Count count) {
  if (count < 0)
    return fail(caller(), MPI_ERR_COUNT, "negative count " + std::to_string(count));
  setStatusBytes(*status, bytesOfBasicElements(datatype, count));
  return MPI_SUCCESS;
}
int Status_set_elements(MPI_Status *status, Datatype &datatype, int count) {
  return Status_set_elements_x(status, datatype, count);
}

// How a type was made.

int Type_get_envelope(Datatype &datatype, int *num_integers, int *num_addresses, int *num_datatypes,
                      int *combiner) {
  const TypeContents &contents = datatype.contents();
  *num_integers = static_cast<int>(contents.integers.size());
  *num_addresses = static_cast<int>(contents.addresses.size());
  *num_datatypes = static_cast<int>(contents.types.size());
  *combiner = static_cast<int>(contents.combiner);
  return MPI_SUCCESS;
}

namespace {

/// MPI_Type_get_contents.
template <class Count>
int getContents(Datatype &datatype, Count maxIntegers, Count maxAddresses, Count maxTypes,
                int *integers, MPI_Aint *addresses, MPI_Datatype *types) {
  const TypeContents &contents = datatype.contents();
  if (datatype.isPredefined())
    return fail(caller(), MPI_ERR_TYPE, datatype.name() + " is predefined: it has no contents");
  auto shorter = [](Count room, size_t length) {
    return room < 0 || static_cast<size_t>(room) < length;
  };
  if (shorter(maxIntegers, contents.integers.size()) ||
      shorter(maxAddresses, contents.addresses.size()) || shorter(maxTypes, contents.types.size()))
    return invalidArgument("the arrays are shorter than MPI_Type_get_envelope says");
  std::copy(contents.integers.begin(), contents.integers.end(), integers);
  std::copy(contents.addresses.begin(), contents.addresses.end(), addresses);
  for (const DatatypeRef &part : contents.types) {
    if (part->permanent()) {
      *types++ = part->handle();
      continue;
    }
    // The user gets a reference of their own, to be freed by them (MPI 4.1, section 5.1.13).
    part->retain();
    give(const_cast<Datatype *>(part.get()), types++);
  }
  return MPI_SUCCESS;
}

} // namespace

int Type_get_contents(Datatype &datatype, int max_integers, int max_addresses, int max_datatypes,
                      int *array_of_integers, MPI_Aint *array_of_addresses,
                      MPI_Datatype *array_of_datatypes) {
  return getContents(datatype, max_integers, max_addresses, max_datatypes, array_of_integers,
                     array_of_addresses, array_of_datatypes);
}

/// Counts of Gnomon's types fit int, whichever form of the constructor made them, so that none is a
/// large count.
int Type_get_envelope_c(Datatype &datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
                        MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner) {
  const TypeContents &contents = datatype.contents();
  *num_integers = static_cast<MPI_Count>(contents.integers.size());
  *num_addresses = static_cast<MPI_Count>(contents.addresses.size());
  *num_large_counts = 0;
  *num_datatypes = static_cast<MPI_Count>(contents.types.size());
  *combiner = static_cast<int>(contents.combiner);
  return MPI_SUCCESS;
}

int Type_get_contents_c(Datatype &datatype, MPI_Count max_integers, MPI_Count max_addresses,
                        MPI_Count, MPI_Count max_datatypes, int *array_of_integers,
                        MPI_Aint *array_of_addresses, MPI_Count *,
                        MPI_Datatype *array_of_datatypes) {
  return getContents(datatype, max_integers, max_addresses, max_datatypes, array_of_integers,
                     array_of_addresses, array_of_datatypes);
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

// Types by their properties.

/// MPI_DATATYPE_NULL where there is no predefined pair, as the standard wants.
int Type_get_value_index(Datatype &value_type, Datatype &index_type, MPI_Datatype *pair_type) {
  const MPI_Datatype rows[][3] = {
      {MPI_FLOAT, MPI_INT, MPI_FLOAT_INT},
      {MPI_DOUBLE, MPI_INT, MPI_DOUBLE_INT},
      {MPI_LONG, MPI_INT, MPI_LONG_INT},
      {MPI_INT, MPI_INT, MPI_2INT},
      {MPI_SHORT, MPI_INT, MPI_SHORT_INT},
      {MPI_LONG_DOUBLE, MPI_INT, MPI_LONG_DOUBLE_INT},
      {MPI_REAL, MPI_REAL, MPI_2REAL},
      {MPI_DOUBLE_PRECISION, MPI_DOUBLE_PRECISION, MPI_2DOUBLE_PRECISION},
      {MPI_INTEGER, MPI_INTEGER, MPI_2INTEGER},
  };
  *pair_type = MPI_DATATYPE_NULL;
  for (auto [value, index, pair] : rows)
    if (value == value_type.handle() && index == index_type.handle())
      *pair_type = pair;
  return MPI_SUCCESS;
}

/// The predefined type of a class and size; null when there is none.
static MPI_Datatype typeOfSize(int typeclass, int size) {
  struct Row {
    int typeclass, size;
    MPI_Datatype type;
  };
  const Row rows[] = {
      {MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},   {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
      {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},   {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
      {MPI_TYPECLASS_INTEGER, 16, MPI_INTEGER16}, {MPI_TYPECLASS_REAL, 2, MPI_REAL2},
      {MPI_TYPECLASS_REAL, 4, MPI_REAL4},         {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
      {MPI_TYPECLASS_REAL, 16, MPI_REAL16},       {MPI_TYPECLASS_COMPLEX, 4, MPI_COMPLEX4},
      {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},   {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
      {MPI_TYPECLASS_COMPLEX, 32, MPI_COMPLEX32},
  };
  for (const Row &row : rows)
    if (row.typeclass == typeclass && row.size == size)
      return row.type;
  return nullptr;
}

int Type_match_size(int typeclass, int size, MPI_Datatype *datatype) {
  const MPI_Datatype type = typeOfSize(typeclass, size);
  if (!type)
    return invalidArgument("no datatype of class " + std::to_string(typeclass) + " has " +
                           std::to_string(size) + " bytes");
  *datatype = type;
  return MPI_SUCCESS;
}

/// The bytes of flang's real kind with at least \p digits digits and \p range decimal exponents; 0:
/// none. MPI_UNDEFINED asks for nothing.
static int realBytes(int digits, int range) {
  if (digits <= 6 && range <= 37)
    return 4;
  if (digits <= 15 && range <= 307)
    return 8;
  return digits <= 33 && range <= 4931 ? 16 : 0;
}

/// The caller's type of a Fortran kind: equal arguments give the same handle (MPI 4.1,
/// section 19.1.9).
static int kindType(Combiner combiner, std::vector<int> arguments, MPI_Datatype base,
                    MPI_Datatype *newtype) {
  if (!base)
    return invalidArgument("no Fortran kind has that precision and range");
  static std::map<std::pair<const process::Rank *, std::vector<int>>, MPI_Datatype> made;
  std::vector<int> key{static_cast<int>(combiner)};
  key.insert(key.end(), arguments.begin(), arguments.end());
  MPI_Datatype &handle = made[{&caller(), key}];
  const Datatype *known = handle ? find<Datatype>(caller(), handle) : nullptr;
  if (!known || known->contents().combiner != combiner || known->contents().integers != arguments)
    give(Datatype::fortranKind(combiner, arguments, Datatype::predefined(base)), &handle);
  *newtype = handle;
  return MPI_SUCCESS;
}

int Type_create_f90_real(int p, int r, MPI_Datatype *newtype) {
  return kindType(Combiner::F90Real, {p, r}, typeOfSize(MPI_TYPECLASS_REAL, realBytes(p, r)),
                  newtype);
}

int Type_create_f90_complex(int p, int r, MPI_Datatype *newtype) {
  return kindType(Combiner::F90Complex, {p, r},
                  typeOfSize(MPI_TYPECLASS_COMPLEX, 2 * realBytes(p, r)), newtype);
}

int Type_create_f90_integer(int r, MPI_Datatype *newtype) {
  const int bytes = r <= 2 ? 1 : r <= 4 ? 2 : r <= 9 ? 4 : r <= 18 ? 8 : r <= 38 ? 16 : 0;
  return kindType(Combiner::F90Integer, {r}, typeOfSize(MPI_TYPECLASS_INTEGER, bytes), newtype);
}

} // namespace gnomon::impl
