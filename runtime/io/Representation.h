// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Data representations of files (MPI 4.1, section 14.5): native (internal is the same),
/// external32, and those that the program registers. Each says how many bytes a basic type has in
/// the file, and turns the elements of a user's buffer into the file's bytes and back.
#pragma once

#include "io/FileSystem.h"
#include "mpi/Attribute.h"
#include "mpi/datatype/Datatype.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::process {
class Rank;
}

namespace gnomon::io {

class Representation {
public:
  virtual ~Representation() = default;

  /// Whether files hold what memory holds, so that nothing is ever converted.
  virtual bool isNative() const { return false; }
  /// Whether the program's functions convert: they run on the rank's own stack only.
  virtual bool callsProgram() const { return false; }
  /// Bytes in the file of a basic type.
  virtual int64_t basicBytes(const mpi::Datatype &basic) const = 0;
  /// Of one element of any type: the sum over its signature.
  int64_t bytesOf(const mpi::Datatype &type) const;
  /// Both give an MPI error class.
  virtual int encode(const void *buffer, int64_t count, const mpi::Datatype &type,
                     char *file) const = 0;
  virtual int decode(const char *file, int64_t count, const mpi::Datatype &type,
                     void *buffer) const = 0;
};

using RepresentationRef = std::shared_ptr<const Representation>;

/// A rank's, by name.
class Representations {
public:
  Representations();
  /// Null: no such representation.
  RepresentationRef find(const std::string &name) const;
  /// False: the name is taken.
  bool add(const std::string &name, RepresentationRef representation);

private:
  std::map<std::string, RepresentationRef> all_;
};

/// What MPI_Register_datarep gives, as C or as Fortran calls it; a null conversion says that files
/// hold what memory holds.
struct UserFunctions {
  void (*read)();
  void (*write)();
  void (*extent)();
  int64_t extraState;
  mpi::Convention convention;
};
/// MPI_Register_datarep on \p rank; gives an MPI error class.
int registerRepresentation(process::Rank &rank, const std::string &name,
                           const UserFunctions &functions);
/// \p type as it lies in a file of \p representation: the same construction over its basic types'
/// sizes there. Distances that the user gave in bytes stay.
mpi::DatatypeRef typeInFile(const Representation &representation, const mpi::Datatype &type);

} // namespace gnomon::io
