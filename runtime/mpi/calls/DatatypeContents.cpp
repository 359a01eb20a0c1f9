// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// MPI's functions that tell how a datatype was made (MPI 4.1, section 5.1.13).
#include "mpi/calls/Datatype.h"

#include <algorithm>

namespace gnomon::impl {

using namespace mpi;

namespace {

/// A constructor's arguments as MPI_Type_get_contents_c gives them. What MPI_X_c made has its
/// counts and displacements, in the order of the arguments, as large counts (MPI 4.1,
/// section 5.1.13); what MPI_X made has none of these.
struct Described {
  explicit Described(const TypeContents &contents) {
    const std::vector<int64_t> &numbers = contents.integers;
    if (contents.form == CountForm::Plain) {
      integers = numbers;
      addresses = contents.addresses;
    } else if (contents.combiner == Combiner::Subarray) {
      // ndims, sizes, subsizes, starts, order
      integers = {numbers.front(), numbers.back()};
      largeCounts.assign(numbers.begin() + 1, numbers.end() - 1);
    } else if (contents.combiner == Combiner::Darray) {
      // size, rank, ndims, gsizes, distributions, arguments, psizes, order
      const auto sizes = numbers.begin() + 3, rest = sizes + numbers[2];
      largeCounts.assign(sizes, rest);
      integers.assign(numbers.begin(), sizes);
      integers.insert(integers.end(), rest, numbers.end());
    } else {
      largeCounts = numbers;
      largeCounts.insert(largeCounts.end(), contents.addresses.begin(), contents.addresses.end());
    }
  }
  std::vector<int64_t> integers, addresses, largeCounts;
};

/// The calls without large counts cannot tell of a type that has some.
int checkPlain(const Datatype &type) {
  if (type.contents().form == CountForm::Plain)
    return MPI_SUCCESS;
  return fail(caller(), MPI_ERR_TYPE,
              "the datatype was made with large counts: ask MPI_Type_get_envelope_c and "
              "MPI_Type_get_contents_c");
}

/// The types of \p contents, as handles of the caller's.
void giveTypes(const TypeContents &contents, MPI_Datatype *types) {
  for (const DatatypeRef &part : contents.types) {
    if (part->permanent()) {
      *types++ = part->handle();
      continue;
    }
    // A new object, for the user to free, that equals the one given (MPI 4.1, section 5.1.13): that
    // one's handle stays what it is.
    give(Datatype::copy(*part), types++, part->contents().form);
  }
}

} // namespace

int Type_get_envelope_c(Datatype &datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
                        MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner) {
  const TypeContents &contents = datatype.contents();
  const Described described(contents);
  *num_integers = static_cast<MPI_Count>(described.integers.size());
  *num_addresses = static_cast<MPI_Count>(described.addresses.size());
  *num_large_counts = static_cast<MPI_Count>(described.largeCounts.size());
  *num_datatypes = static_cast<MPI_Count>(contents.types.size());
  *combiner = static_cast<int>(contents.combiner);
  return MPI_SUCCESS;
}

int Type_get_envelope(Datatype &datatype, int *num_integers, int *num_addresses, int *num_datatypes,
                      int *combiner) {
  if (int error = checkPlain(datatype))
    return error;
  const TypeContents &contents = datatype.contents();
  *num_integers = static_cast<int>(contents.integers.size());
  *num_addresses = static_cast<int>(contents.addresses.size());
  *num_datatypes = static_cast<int>(contents.types.size());
  *combiner = static_cast<int>(contents.combiner);
  return MPI_SUCCESS;
}

int Type_get_contents_c(Datatype &datatype, MPI_Count max_integers, MPI_Count max_addresses,
                        MPI_Count max_large_counts, MPI_Count max_datatypes, int *array_of_integers,
                        MPI_Aint *array_of_addresses, MPI_Count *array_of_large_counts,
                        MPI_Datatype *array_of_datatypes) {
  if (datatype.isPredefined())
    return fail(caller(), MPI_ERR_TYPE, datatype.name() + " is predefined: it has no contents");
  const Described described(datatype.contents());
  auto shorter = [](MPI_Count room, size_t length) {
    return room < 0 || static_cast<size_t>(room) < length;
  };
  if (shorter(max_integers, described.integers.size()) ||
      shorter(max_addresses, described.addresses.size()) ||
      shorter(max_large_counts, described.largeCounts.size()) ||
      shorter(max_datatypes, datatype.contents().types.size()))
    return invalidArgument("the arrays are shorter than MPI_Type_get_envelope says");
  for (int64_t value : described.integers)
    *array_of_integers++ = static_cast<int>(value);
  std::copy(described.addresses.begin(), described.addresses.end(), array_of_addresses);
  std::copy(described.largeCounts.begin(), described.largeCounts.end(), array_of_large_counts);
  giveTypes(datatype.contents(), array_of_datatypes);
  return MPI_SUCCESS;
}

int Type_get_contents(Datatype &datatype, int max_integers, int max_addresses, int max_datatypes,
                      int *array_of_integers, MPI_Aint *array_of_addresses,
                      MPI_Datatype *array_of_datatypes) {
  if (int error = checkPlain(datatype))
    return error;
  return Type_get_contents_c(datatype, max_integers, max_addresses, 0, max_datatypes,
                             array_of_integers, array_of_addresses, nullptr, array_of_datatypes);
}

} // namespace gnomon::impl
