// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/Representation.h"

#include "io/Runtime.h"
#include "mpi.h"
#include "mpi/Error.h"
#include "mpi/UserCall.h"
#include "mpi/datatype/External32.h"
#include "process/ranks/Rank.h"

#include <limits>
#include <span>

namespace gnomon::io {

using mpi::Combiner;
using mpi::Convention;
using mpi::Datatype;
using mpi::DatatypeRef;
using mpi::TypeContents;

int64_t Representation::bytesOf(const Datatype &type) const {
  if (type.parts().empty() || type.permanent())
    return type.size() == 0 ? 0 : basicBytes(type);
  int64_t bytes = 0;
  for (const Datatype::Part &part : type.parts())
    bytes += part.repeat * bytesOf(*part.type);
  return bytes;
}

namespace {

struct Native : Representation {
  bool isNative() const override { return true; }
  int64_t basicBytes(const Datatype &basic) const override { return basic.size(); }
  int encode(const void *buffer, int64_t count, const Datatype &type, char *file) const override {
    mpi::packBytes(buffer, count, type, file, count * type.size());
    return MPI_SUCCESS;
  }
  int decode(const char *file, int64_t count, const Datatype &type, void *buffer) const override {
    mpi::unpackBytes(file, count * type.size(), buffer, count, type);
    return MPI_SUCCESS;
  }
};

class External32 : public Representation {
  int64_t basicBytes(const Datatype &basic) const override { return mpi::external32Size(basic); }
  int encode(const void *buffer, int64_t count, const Datatype &type, char *file) const override {
    std::vector<char> packed(static_cast<size_t>(count * type.size()));
    mpi::packBytes(buffer, count, type, packed.data(), count * type.size());
    mpi::toExternal32(packed.data(), count, type, file);
    return MPI_SUCCESS;
  }
  int decode(const char *file, int64_t count, const Datatype &type, void *buffer) const override {
    std::vector<char> packed(static_cast<size_t>(count * type.size()));
    mpi::fromExternal32(file, count, type, packed.data());
    mpi::unpackBytes(packed.data(), count * type.size(), buffer, count, type);
    return MPI_SUCCESS;
  }
};

class User : public Representation {
public:
  explicit User(const UserFunctions &functions) : functions_(functions) {}

private:
  bool callsProgram() const override { return true; }
  int64_t basicBytes(const Datatype &basic) const override {
    mpi::UserCall user(*process::currentRank());
    int64_t extent = 0;
    const int error = functions_.convention == Convention::C
                          ? extentInC(basic.handle(), &extent)
                          : extentInFortran(basic.handle(), &extent);
    return error || extent < 0 ? 0 : extent; // 0: refused as a type without data
  }
  int encode(const void *buffer, int64_t count, const Datatype &type, char *file) const override {
    if (!functions_.write)
      return native_.encode(buffer, count, type, file);
    return convert(functions_.write, const_cast<void *>(buffer), count, type, file);
  }
  int decode(const char *file, int64_t count, const Datatype &type, void *buffer) const override {
    if (!functions_.read)
      return native_.decode(file, count, type, buffer);
    return convert(functions_.read, buffer, count, type, const_cast<char *>(file));
  }

  int extentInC(MPI_Datatype type, int64_t *extent) const {
    auto *function = reinterpret_cast<int (*)(MPI_Datatype, int64_t *, void *)>(functions_.extent);
    return function(type, extent, reinterpret_cast<void *>(functions_.extraState));
  }
  int extentInFortran(MPI_Datatype handle, int64_t *extent) const {
    auto *function =
        reinterpret_cast<void (*)(int *, int64_t *, int64_t *, int *)>(functions_.extent);
    int type = number(handle), error = MPI_SUCCESS;
    int64_t extraState = functions_.extraState;
    function(&type, extent, &extraState, &error);
    return error;
  }

  int convert(void (*function)(), void *buffer, int64_t count, const Datatype &type,
              char *file) const {
    if (count > std::numeric_limits<int>::max())
      return MPI_ERR_CONVERSION; // its count is an int
    mpi::UserCall user(*process::currentRank());
    const int error = functions_.convention == Convention::C
                          ? convertInC(function, buffer, count, type.handle(), file)
                          : convertInFortran(function, buffer, count, type.handle(), file);
    return error ? MPI_ERR_CONVERSION : MPI_SUCCESS;
  }
  int convertInC(void (*function)(), void *buffer, int64_t count, MPI_Datatype type,
                 char *file) const {
    using Function = int (*)(void *, MPI_Datatype, int, void *, int64_t, void *);
    return reinterpret_cast<Function>(function)(buffer, type, static_cast<int>(count), file, 0,
                                                reinterpret_cast<void *>(functions_.extraState));
  }
  int convertInFortran(void (*function)(), void *buffer, int64_t count, MPI_Datatype handle,
                       char *file) const {
    using Function = void (*)(void *, int *, int *, void *, int64_t *, int64_t *, int *);
    int type = number(handle), elements = static_cast<int>(count), error = MPI_SUCCESS;
    int64_t position = 0, extraState = functions_.extraState;
    reinterpret_cast<Function>(function)(buffer, &type, &elements, file, &position, &extraState,
                                         &error);
    return error;
  }
  /// Fortran's handle.
  static int number(MPI_Datatype handle) {
    return static_cast<int>(reinterpret_cast<uintptr_t>(handle));
  }

  UserFunctions functions_;
  Native native_;
};

} // namespace

Representations::Representations() {
  all_["native"] = std::make_shared<Native>();
  all_["internal"] = all_["native"];
  all_["external32"] = std::make_shared<External32>();
}

RepresentationRef Representations::find(const std::string &name) const {
  auto found = all_.find(name);
  return found == all_.end() ? nullptr : found->second;
}

bool Representations::add(const std::string &name, RepresentationRef representation) {
  return all_.try_emplace(name, std::move(representation)).second;
}

int registerRepresentation(process::Rank &rank, const std::string &name,
                           const UserFunctions &functions) {
  if (name.empty() || name.size() >= MPI_MAX_DATAREP_STRING)
    return mpi::fail(rank, MPI_ERR_ARG, "invalid datarep: it is empty or too long");
  if (!functions.extent)
    return mpi::fail(rank, MPI_ERR_ARG, "invalid dtype_file_extent_fn: a null address");
  if (!representations(rank).add(name, std::make_shared<User>(functions)))
    return mpi::fail(rank, MPI_ERR_DUP_DATAREP,
                     "a data representation is named '" + name + "' already");
  return MPI_SUCCESS;
}

namespace {

/// Takes over the one reference of a new type.
DatatypeRef own(Datatype *type) {
  DatatypeRef shared(*type);
  type->release();
  return shared;
}

/// Slices of the constructor's integers.
mpi::CountList slice(const TypeContents &contents, int64_t first, int64_t count) {
  return {contents.integers.data() + first, count};
}

Datatype *array(const TypeContents &contents, const Datatype &old) {
  const std::vector<int64_t> &numbers = contents.integers;
  if (contents.combiner == Combiner::Subarray) {
    const int64_t dimensions = numbers[0];
    return Datatype::subarray(
        slice(contents, 1, dimensions), slice(contents, 1 + dimensions, dimensions),
        slice(contents, 1 + 2 * dimensions, dimensions),
        static_cast<mpi::ArrayOrder>(numbers[static_cast<size_t>(1 + 3 * dimensions)]), old);
  }
  const int64_t dimensions = numbers[2];
  return Datatype::darray(
      static_cast<int>(numbers[0]), static_cast<int>(numbers[1]), slice(contents, 3, dimensions),
      slice(contents, 3 + dimensions, dimensions), slice(contents, 3 + 2 * dimensions, dimensions),
      slice(contents, 3 + 3 * dimensions, dimensions),
      static_cast<mpi::ArrayOrder>(numbers[static_cast<size_t>(3 + 4 * dimensions)]), old);
}

/// The constructor of \p contents, called again over other types.
Datatype *construct(const TypeContents &contents, std::span<const DatatypeRef> types) {
  const std::vector<int64_t> &numbers = contents.integers;
  const std::vector<int64_t> &addresses = contents.addresses;
  const Datatype &old = *types[0];
  switch (contents.combiner) {
  case Combiner::Contiguous:
    return Datatype::contiguous(numbers[0], old);
  case Combiner::Vector:
    return Datatype::vector(numbers[0], numbers[1], numbers[2], old);
  case Combiner::Hvector:
    return Datatype::hvector(numbers[0], numbers[1], addresses[0], old);
  case Combiner::Indexed:
    return Datatype::indexed(slice(contents, 1, numbers[0]),
                             slice(contents, 1 + numbers[0], numbers[0]), old);
  case Combiner::Hindexed:
    return Datatype::hindexed(slice(contents, 1, numbers[0]), addresses, old);
  case Combiner::IndexedBlock:
    return Datatype::indexedBlock(numbers[1], slice(contents, 2, numbers[0]), old);
  case Combiner::HindexedBlock:
    return Datatype::hindexedBlock(numbers[1], addresses, old);
  case Combiner::Struct: {
    std::vector<const Datatype *> parts;
    for (const DatatypeRef &type : types)
      parts.push_back(type.get());
    return Datatype::structure(slice(contents, 1, numbers[0]), addresses, parts);
  }
  case Combiner::Subarray:
  case Combiner::Darray:
    return array(contents, old);
  case Combiner::Resized:
    return Datatype::resized(old, addresses[0], addresses[1]);
  default:
    return Datatype::duplicate(old);
  }
}

} // namespace

DatatypeRef typeInFile(const Representation &representation, const Datatype &type) {
  if (representation.isNative())
    return DatatypeRef(type);
  const TypeContents &contents = type.contents();
  if (type.permanent() || contents.types.empty())
    return own(Datatype::contiguous(representation.bytesOf(type), Datatype::predefined(MPI_BYTE)));
  std::vector<DatatypeRef> types;
  for (const DatatypeRef &part : contents.types)
    types.push_back(typeInFile(representation, *part));
  return own(construct(contents, types));
}

} // namespace gnomon::io
