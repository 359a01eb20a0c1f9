// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the type information of an access (!tbaa) says: which classes of data it may touch, and, of
/// Fortran's COMMON blocks, which bytes of which block.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace llvm {
class Instruction;
class MDNode;
class Type;
} // namespace llvm

namespace gnomon {
struct MpiArgument;
struct MpiFunction;
enum class MpiData : uint8_t;
} // namespace gnomon

namespace gnomon::pointsto {

/// A set of classes, one bit each.
enum ClassBits : uint8_t {
  IntegerBit = 1,
  FloatingBit = 2,
  PointerBit = 4,
  /// Of Fortran's descriptors, the bounds and sizes; flang says that none of its data lies there.
  BoundsBit = 8,
  /// The address of its class's table with which an object of C++ may begin. A call by a pointer to a member looks at it,
  /// wherever in the object that pointer says, if the member is virtual.
  TableBit = 16,
  AnyBits = 31
};

struct AccessClass {
  uint8_t classes = AnyBits;
  /// Not empty: if the access is to this variable, it lies in [low, high).
  llvm::StringRef variable;
  int64_t low = 0, high = 0;
};

AccessClass accessClass(const llvm::Instruction &access, const llvm::Type &type);

/// The same of a call that copies or fills memory, by what its elements are (!tbaa) or a structure's fields (!tbaa.struct).
AccessClass transferClass(const llvm::Instruction &transfer);

/// Whether it reads an entry of a class's table: the table's address, tagged so, was read from an object before. Tables are
/// constants: what is read rests on which table it is, and on no memory.
bool readsClassTable(const llvm::Instruction &access);

/// Whether it accesses the pointer with which a std::string begins, to its characters.
bool isTextOfString(const llvm::Instruction &access);

/// Which data an argument's memory may hold as MPI uses it; \p data: what its payload is made of. Flang does not tell
/// numbers from numbers, so neither does a payload of Fortran's.
uint8_t classesOf(const MpiFunction &mpi, const MpiArgument &argument, MpiData data);

} // namespace gnomon::pointsto
