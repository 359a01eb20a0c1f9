// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a program's code says of a descriptor that it hands to flang's runtime: of which type the
/// elements are, whether it is an allocatable's. Descriptors are CFI_cdesc_t of Fortran 2018 (18.5.3),
/// as flang lays them out (flang/ISO_Fortran_binding.h):
///
///     0 address   8 bytes of an element   16 version   20 rank   21 type   22 attribute
///     24 + 24 k   lower bound, extent and stride in bytes of dimension k
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class DataLayout;
class MDNode;
class Value;
} // namespace llvm

namespace gnomon {

namespace descriptor {
inline constexpr int64_t Rank = 20, Type = 21, Attribute = 22, Dimensions = 24;
inline constexpr int64_t DimensionBytes = 24, ExtentInDimension = 8;
inline constexpr uint8_t Allocatable = 2; ///< an attribute
inline constexpr uint8_t MostDimensions = 15;
} // namespace descriptor

/// What all code that writes there agrees on.
struct Descriptor {
  std::optional<uint8_t> rank, type, attribute;
  int64_t elementBytes = 0;          ///< 0: not known
  const llvm::MDNode *tag = nullptr; ///< of the type information of an access to it

  /// The elements are numbers or truth values, of a type that the compiler knows.
  bool holdsNumbers() const;
  /// They are such, and too small for an address, or floating-point.
  bool holdsNoAddresses() const;
};

/// Of a descriptor that is a local variable, which nothing but the function itself and flang's
/// runtime (that changes neither rank nor type of it, where the compiler knows them) can reach.
Descriptor describeDescriptor(const llvm::Value &pointer, const llvm::DataLayout &layout);

/// Of the elements of both arrays, of a function that copies from one to the other: they are of one
/// type.
Descriptor describeElements(const llvm::CallBase &copy);

} // namespace gnomon
