// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Arrays that are parts of structures, as the source's types have them: an index into one stays in it. The optimiser of a
/// compile step makes bytes and elements of these types (`p->rows[i]` of `struct { int n; double rows[3]; }` becomes 8
/// bytes, then i numbers), and the link would not know where the array ends. So the bounds are written into the type of
/// the elements in front of the optimiser (mark/MarkArrays.h): `%gnomon.within.0.24. = type { double }` says that the
/// index leads to a place within 24 bytes from where it starts. Such a type has the size of its element, and all that the
/// optimiser does with an index leaves it as it is.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class DataLayout;
class GEPOperator;
class StructType;
class Type;
} // namespace llvm

namespace gnomon {

/// The first index of an address that is no constant, where it chooses from an array.
struct ArrayIndex {
  unsigned operand;    ///< of the address' computation
  int64_t offset;      ///< of the indices in front of it, in bytes
  llvm::Type *element; ///< what it chooses
  /// The outermost array that it stays in: bytes from where the computation starts.
  int64_t low, high;
};

/// By the types that the computation itself names; none: the index chooses from no array, or from one that has an open end
/// in C (of one or no element).
std::optional<ArrayIndex> arrayIndexOf(const llvm::GEPOperator &gep,
                                       const llvm::DataLayout &layout);

/// The same where what the computation starts from is itself a place in an array, by constant indices, and so part of the
/// outermost one. None also where a variable index has chosen that place: it is bounded already.
std::optional<ArrayIndex> outermostIndexOf(const llvm::GEPOperator &gep,
                                           const llvm::DataLayout &layout);

/// A type of the size of \p element that says: from \p low to \p high.
llvm::StructType *markedType(llvm::Type &element, int64_t low, int64_t high);

/// What the computation's type says; none: it is no such type, or the optimiser could not keep that the address lies in
/// the object (it may start elsewhere then).
struct MarkedBounds {
  int64_t low, high;
};
std::optional<MarkedBounds> markedBounds(const llvm::GEPOperator &gep);

} // namespace gnomon
