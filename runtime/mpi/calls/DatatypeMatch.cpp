// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that find datatypes by their properties: pairs, classes and sizes, the kinds of
/// Fortran.
#include "mpi/calls/Datatype.h"

#include <fmt/format.h>
#include <map>

namespace gnomon::impl {

using namespace mpi;

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
    return invalidArgument(fmt::format("no datatype of class {} has {} bytes", typeclass, size));
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
static int kindType(Combiner combiner, std::vector<int64_t> arguments, MPI_Datatype base,
                    MPI_Datatype *newtype) {
  if (!base)
    return invalidArgument("no Fortran kind has that precision and range");
  static std::map<std::pair<const process::Rank *, std::vector<int64_t>>, MPI_Datatype> made;
  std::vector<int64_t> key{static_cast<int>(combiner)};
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
