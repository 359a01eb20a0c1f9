// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What memory each instruction of the whole program may touch: an inclusion-based (Andersen),
/// flow-insensitive points-to analysis, which tells apart fields of structures, allocation sites,
/// and, for small functions that allocate, the callers of those.
///
/// Memory is numbered in cells. Two accesses of the program may overlap only if their sets of cells
/// share one. Cell 0 stands for all memory that unknown code can reach.
#pragma once

#include "points-to/AccessClass.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace gnomon {

class Externals;
enum class EffectKind : uint8_t;

/// A piece of memory: (object, bytes of it, class of data). Dense, numbered in the order of the
/// module.
using Cell = uint32_t;

/// Strict aliasing keeps integers, floating-point numbers and pointers of one object apart. An
/// access without type information (none, char, memcpy) is of all classes.
enum class DataClass : uint8_t { Integer, Floating, Pointer, Any };

class PointsTo {
public:
  /// The module must stay unchanged as long as this is asked about its instructions.
  PointsTo(const llvm::Module &module, const Externals &externals);
  ~PointsTo();
  PointsTo(const PointsTo &) = delete;
  PointsTo &operator=(const PointsTo &) = delete;

  /// Sorted, without repetition; equal ones are one array, which lives as long as this. Of a load, an atomic, a memory intrinsic, a call of an external
  /// function (by its model) or of unknown code; empty for a call of functions that are defined.
  llvm::ArrayRef<Cell> reads(const llvm::Instruction &instruction) const;
  llvm::ArrayRef<Cell> writes(const llvm::Instruction &instruction) const;
  /// The array of these among them.
  llvm::ArrayRef<Cell> setOf(llvm::ArrayRef<Cell> cells) const;
  /// Of a function that assigns arrays with all that their elements refer to, the cells that it reads, or writes, as
  /// part of that (behind), or of the arrays and their descriptors (not behind).
  llvm::SmallVector<Cell> touches(const llvm::Instruction &instruction, bool written,
                                  bool behind) const;
  /// All cells of the objects that it may point to: what a callee could touch one level deep.
  llvm::SmallVector<Cell> cellsOf(const llvm::Value *pointer) const;
  /// The cells of `bytes` bytes from where it points, as far as they hold data of \p classes; a
  /// negative number: to the end of the objects.
  llvm::SmallVector<Cell> cellsFrom(const llvm::Value *pointer, int64_t bytes = -1,
                                    uint8_t classes = pointsto::AnyBits) const;
  /// Texts that the program has made parts of the environment.
  llvm::SmallVector<Cell> environment() const;
  /// The same as cellsOf, and what pointers in those lead to, transitively.
  llvm::SmallVector<Cell> reachableFrom(const llvm::Value *pointer) const;

  /// The variables, allocas, calls and functions that made the objects which it may point to, in order of the module;
  /// nothing where memory that unknown code can reach, or a library's, may be among them.
  std::optional<llvm::SmallVector<const llvm::Value *, 2>>
  originsOf(const llvm::Value *pointer) const;

  /// All cells of the objects that the pointer which is stored where it points leads to: the array
  /// behind a descriptor of Fortran.
  llvm::SmallVector<Cell> cellsBehind(const llvm::Value *pointer) const;

  /// Functions of the module, declarations included, in the module's order. Of an indirect call:
  /// by what the pointer may be, and if that is unknown also all escaped functions of its type.
  /// Of calls with the same ones it may be the same array.
  llvm::ArrayRef<const llvm::Function *> callees(const llvm::CallBase &call) const;
  /// Whether one of them has no body in the module.
  bool mayCallDeclaration(const llvm::CallBase &call) const;
  /// The callee may be code that is not in the module and not in the table of externals.
  bool mayCallUnknown(const llvm::CallBase &call) const;
  /// Nothing but functions of the module and virtual ones of a library's own objects (a stream's
  /// facets), which work on what they are given.
  bool mayCallOnlyLibrary(const llvm::CallBase &call) const;

  /// The kind in the table of externals, made sharper by what the arguments are: what is printed to
  /// a stream of C++ is output only if the stream is the library's own or a file's; otherwise it
  /// fills memory of the program (a string).
  EffectKind kindOf(const llvm::CallBase &call) const;

  /// False when the program is too large to be analysed: then nothing of what this says may be
  /// relied on.
  bool complete() const;
  /// Variables, allocations and functions that are taken for unknown memory because the program is
  /// large (Solver.h), of how many.
  unsigned pooledObjects() const;
  unsigned objectCount() const;
  unsigned cellCount() const;
  /// "'u' (solver.c:12)", "memory allocated at main.c:30", "COMMON /work/".
  std::string describe(Cell cell) const;
  DataClass classOf(Cell cell) const;
  /// The classes that may lie there, as ClassBits.
  uint8_t classesOf(Cell cell) const;
  /// The global variable, the alloca, the allocating call; null for cell 0.
  const llvm::Value *originOf(Cell cell) const;
  /// Of a cell of such an object, the bytes [first, second) of the object that it lies in; all cells that have bytes there
  /// have the same ones. Of an object whose size is not known, far beyond its ends.
  std::pair<int64_t, int64_t> intervalOf(Cell cell) const;
  /// Memory that unknown code can read, write and keep.
  static constexpr Cell Unknown = 0;
  /// Memory that belongs to known libraries: handles, streams, static buffers.
  bool isOfLibrary(Cell cell) const;
  /// Of a variable of a library (Externals::isLibraryVariable): std::cout.
  bool isOfLibraryVariable(Cell cell) const;
  /// The number of the cell's object; all of memory that unknown code can reach is one.
  uint32_t objectOf(Cell cell) const;
  /// Of the object that holds the variable arguments of a function.
  bool isOfVariables(Cell cell) const;
  /// Of errno, of the flags of floating-point exceptions, or of which files there are (State.cpp).
  bool isState(Cell cell) const;
  /// Whether the object of this origin (see originOf) is part of cell Unknown; and why: the call
  /// that let it escape, null when it has not or when it is visible outside the program.
  bool hasEscaped(const llvm::Value *origin) const;
  const llvm::Instruction *escapeOf(const llvm::Value *origin) const;

private:
  struct Result;
  std::unique_ptr<Result> result_;
};

} // namespace gnomon
