// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Datatypes: sizes and extents in bytes (MPI 4.1, chapter 5), where their bytes lie
/// (Layout.h), and copies between typed buffers. Objects are reference counted, for a
/// request or another type may outlive MPI_Type_free. Predefined types are shared by all ranks and
/// immortal; a derived type belongs to the rank that made it.
#pragma once

#include "mpi/datatype/Counts.h"
#include "mpi/datatype/Layout.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

// The ABI's handle type, as the generated mpi.h declares it (a repeated typedef is legal).
typedef struct MPI_ABI_Datatype *MPI_Datatype;

namespace gnomon::mpi {

class Datatype;

/// Shares ownership of a datatype.
class DatatypeRef {
public:
  DatatypeRef() = default;
  DatatypeRef(const Datatype &type);
  DatatypeRef(const DatatypeRef &other);
  DatatypeRef(DatatypeRef &&other) noexcept : type_(std::exchange(other.type_, nullptr)) {}
  DatatypeRef &operator=(DatatypeRef other) noexcept {
    std::swap(type_, other.type_);
    return *this;
  }
  ~DatatypeRef();

  const Datatype *get() const { return type_; }
  const Datatype &operator*() const { return *type_; }
  const Datatype *operator->() const { return type_; }
  explicit operator bool() const { return type_ != nullptr; }

private:
  const Datatype *type_ = nullptr;
};

/// Which reductions are legal on a predefined type (Op.h).
enum class TypeClass : uint8_t {
  None,
  Integer,
  Floating,
  Complex,
  Logical,
  Byte,
  Character,
  Pair,
  Opaque
};

/// How a type was made; the numbers are the ABI's MPI_COMBINER_*.
enum class Combiner : int {
  Named = 101,
  Dup = 102,
  Contiguous = 103,
  Vector = 104,
  Hvector = 105,
  Indexed = 106,
  Hindexed = 107,
  IndexedBlock = 108,
  HindexedBlock = 109,
  Struct = 110,
  Subarray = 111,
  Darray = 112,
  F90Real = 113,
  F90Complex = 114,
  F90Integer = 115,
  Resized = 116
};

/// The arguments of the constructor, for MPI_Type_get_contents.
struct TypeContents {
  Combiner combiner = Combiner::Named;
  std::vector<int64_t> integers;
  std::vector<int64_t> addresses;
  std::vector<DatatypeRef> types;
  CountForm form = CountForm::Plain; ///< of the constructor
};

/// MPI-1's bound markers, removed from the standard: our numbers, unused in the ABI, for old
/// programs.
inline constexpr uintptr_t LowerBoundMarkerCode = 0x204;
inline constexpr uintptr_t UpperBoundMarkerCode = 0x205;

enum class ArrayOrder : int { C = 0xC, Fortran = 0xF };

class Datatype {
public:
  /// \p repeat elements of \p type, in type map order: what a type's signature is a sequence of.
  struct Part {
    int64_t repeat;
    DatatypeRef type;
  };

  int64_t size() const { return size_; } ///< bytes of data in one element
  int64_t lowerBound() const { return lowerBound_; }
  int64_t extent() const { return upperBound_ - lowerBound_; }
  int64_t trueLowerBound() const { return trueLowerBound_; }
  int64_t trueExtent() const { return trueUpperBound_ - trueLowerBound_; }
  /// Basic elements in one element (MPI_Get_elements).
  int64_t basicCount() const { return basicCount_; }
  /// Whether any number of elements is one block that starts at the buffer's address.
  bool contiguous() const { return contiguous_; }
  /// The same for \p count elements: one element may have a longer extent than its block.
  bool contiguous(int64_t count) const { return contiguous_ || (count <= 1 && oneBlock_); }
  const Layout &layout() const { return *layout_; }

  bool isPredefined() const { return contents_.combiner == Combiner::Named; }
  /// Types that MPI_Type_free may not free: the predefined ones and MPI_Type_create_f90_*'s.
  bool permanent() const {
    return isPredefined() ||
           (contents_.combiner >= Combiner::F90Real && contents_.combiner <= Combiner::F90Integer);
  }
  bool committed() const { return committed_; }
  void commit() { committed_ = true; }
  /// The predefined type whose reductions apply (a duplicate keeps its original's);
  /// TypeClass::None: none.
  TypeClass typeClass() const { return typeClass_; }
  /// Signature.h; computed once.
  uint32_t signature() const { return signature_; }
  /// The ABI's number of the predefined type that typeClass() is about; 0: none.
  uint16_t predefinedCode() const { return predefinedCode_; }
  const TypeContents &contents() const { return contents_; }
  const std::vector<Part> &parts() const { return parts_; }

  const std::string &name() const { return name_; }
  void setName(std::string name) { name_ = std::move(name); }
  void setForm(CountForm form) { contents_.form = form; }
  /// The user's handle of this type, in C and Fortran. Set by whoever enters a derived type into a
  /// handle table; null from when the user frees it, while operations under way go on with it.
  MPI_Datatype handle() const { return handle_; }
  void setHandle(MPI_Datatype handle) { handle_ = handle; }

  /// The shared object of a predefined handle; a broken invariant if \p handle is none.
  static Datatype &predefined(MPI_Datatype handle);
  /// The same by the ABI's number, such as 0x209 for MPI_INT.
  static Datatype &predefined(uintptr_t code);
  /// Null when \p handle is not that of a predefined type. Asked for each message.
  static Datatype *findPredefined(MPI_Datatype handle) {
    const uintptr_t place = reinterpret_cast<uintptr_t>(handle) - FirstPredefined;
    if (place >= predefined_.size()) [[unlikely]]
      return nullptr;
    Datatype *const type = predefined_[place];
    return type ? type : findAtFirst(place);
  }

  // Constructors. Arguments must have been checked; the new type has one reference, which the
  // caller owns, and is not committed. Counts are in elements, displacements and strides of the h
  // forms in bytes.
  static Datatype *contiguous(int64_t count, const Datatype &old);
  static Datatype *vector(int64_t count, int64_t blockLength, int64_t stride, const Datatype &old);
  static Datatype *hvector(int64_t count, int64_t blockLength, int64_t strideBytes,
                           const Datatype &old);
  static Datatype *indexed(CountList blockLengths, CountList displacements, const Datatype &old);
  static Datatype *hindexed(CountList blockLengths, std::span<const int64_t> displacementBytes,
                            const Datatype &old);
  static Datatype *indexedBlock(int64_t blockLength, CountList displacements, const Datatype &old);
  static Datatype *hindexedBlock(int64_t blockLength, std::span<const int64_t> displacementBytes,
                                 const Datatype &old);
  static Datatype *structure(CountList blockLengths, std::span<const int64_t> displacementBytes,
                             std::span<const Datatype *const> types);
  static Datatype *resized(const Datatype &old, int64_t lowerBound, int64_t extent);
  static Datatype *subarray(CountList sizes, CountList subsizes, CountList starts, ArrayOrder order,
                            const Datatype &old);
  /// The part of a distributed array that process \p rank of \p processes holds (MPI_DISTRIBUTE_*).
  static Datatype *darray(int processes, int rank, CountList sizes, CountList distributions,
                          CountList arguments, CountList grid, ArrayOrder order,
                          const Datatype &old);
  static Datatype *duplicate(const Datatype &old);
  /// An object equal to \p old, made as it was, but for the handle and the references.
  static Datatype *copy(const Datatype &old);
  /// \p old as the type of a Fortran kind that was asked for by \p precisionAndRange; committed.
  static Datatype *fortranKind(Combiner combiner, CountList precisionAndRange, const Datatype &old);

  void retain() const { ++references_; }
  /// Gives back one reference; the last one destroys a derived type.
  void release() const;

  Datatype &operator=(const Datatype &) = delete;

private:
  friend class DatatypeBuilder;
  friend class PredefinedDatatypes;
  Datatype() = default;
  Datatype(const Datatype &) = default; ///< for copy alone
  ~Datatype() = default;
  /// Computes the signature from the parts.
  void sign();

  /// The ABI's numbers of predefined types begin with it.
  static constexpr uintptr_t FirstPredefined = 0x200;
  /// By number - FirstPredefined; all null before the first of them is asked for.
  static inline constinit std::array<Datatype *, 0x100> predefined_{};
  /// What is there once all are made.
  static Datatype *findAtFirst(uintptr_t place);

  int64_t size_ = 0, lowerBound_ = 0, upperBound_ = 0, trueLowerBound_ = 0, trueUpperBound_ = 0;
  int64_t basicCount_ = 0;
  int64_t alignment_ = 1;
  bool contiguous_ = false, oneBlock_ = false, committed_ = false;
  bool stickyLowerBound_ = false,
       stickyUpperBound_ = false; ///< set by resized, kept by what contains it
  TypeClass typeClass_ = TypeClass::None;
  uint16_t predefinedCode_ = 0;
  uint32_t signature_ = 0;
  mutable uint32_t references_ = 1;
  MPI_Datatype handle_ = nullptr;
  std::shared_ptr<const Layout> layout_;
  std::vector<Part> parts_; ///< empty for a basic type
  TypeContents contents_;
  std::string name_;
};

inline DatatypeRef::DatatypeRef(const Datatype &type) : type_(&type) { type.retain(); }
inline DatatypeRef::DatatypeRef(const DatatypeRef &other) : type_(other.type_) {
  if (type_)
    type_->retain();
}
inline DatatypeRef::~DatatypeRef() {
  if (type_)
    type_->release();
}

/// Copies from one typed buffer to another until either is exhausted. Returns the bytes copied. One
/// memcpy when both are contiguous. The buffers must not overlap (equal addresses of equal
/// contiguous data are skipped).
int64_t copyTyped(const void *source, int64_t sourceCount, const Datatype &sourceType,
                  void *destination, int64_t destinationCount, const Datatype &destinationType);
/// The first \p limitBytes bytes of the data of \p count elements, made contiguous. Returns the
/// bytes written.
int64_t packBytes(const void *source, int64_t count, const Datatype &type, void *bytes,
                  int64_t limitBytes);
/// The reverse of packBytes: spreads \p byteCount bytes over at most \p count elements.
int64_t unpackBytes(const void *bytes, int64_t byteCount, void *destination, int64_t count,
                    const Datatype &type);
/// Basic elements in the first \p bytes bytes of data of this type; -1 when the bytes end within
/// one.
int64_t basicElements(const Datatype &type, int64_t bytes);

} // namespace gnomon::mpi
