// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The predefined datatypes: one immortal object for each line of Predefined.def, and the
/// MPI-1 bound markers, which old programs put into MPI_Type_struct.
#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Signature.h"
#include "support/Check.h"

#include <array>
#include <complex>
#include <cstddef>

namespace gnomon::mpi {

namespace {

template <class Value, class Index> struct Pair {
  Value value;
  Index index;
};

struct Shape {
  uintptr_t code;
  const char *name;
  TypeClass typeClass;
  size_t size, alignment;
};

uint32_t basicSignature(const Datatype &type) {
  switch (type.typeClass()) {
  case TypeClass::Floating:
    return signatureOf(ElementKind::Floating, type.size());
  case TypeClass::Complex:
    return signatureOf(ElementKind::Complex, type.size());
  case TypeClass::None:
  case TypeClass::Byte:
  case TypeClass::Opaque:
  case TypeClass::Pair:
    return 0;
  default:
    return signatureOf(ElementKind::Integer, type.size());
  }
}

} // namespace

/// Builds the table of predefined types.
class PredefinedDatatypes {
public:
  using Table = decltype(Datatype::predefined_);

  static Table build();

private:
  static Datatype *make(Table &table, const Shape &shape, Layout layout, size_t extent);
  static void basic(Table &table, const Shape &shape) {
    Datatype *type = make(table, shape, runLayout(0, static_cast<int64_t>(shape.size)), shape.size);
    type->basicCount_ = 1;
    type->signature_ = basicSignature(*type);
  }
  template <class Value, class Index>
  static void pair(Table &table, uintptr_t code, const char *name, uintptr_t value,
                   uintptr_t index);
  static void marker(Table &table, uintptr_t code, const char *name, bool upper);
  static Datatype *&at(Table &table, uintptr_t code) {
    return table[code - Datatype::FirstPredefined];
  }
};

Datatype *PredefinedDatatypes::make(Table &table, const Shape &shape, Layout layout,
                                    size_t extent) {
  auto *type = new Datatype;
  const LayoutBounds bytes = boundsOf(layout);
  type->size_ = static_cast<int64_t>(shape.size);
  type->upperBound_ = static_cast<int64_t>(extent);
  type->trueUpperBound_ = bytes.high;
  type->alignment_ = static_cast<int64_t>(shape.alignment);
  type->oneBlock_ = layout.size() <= 1;
  type->contiguous_ = type->oneBlock_ && shape.size == extent;
  type->committed_ = true;
  type->typeClass_ = shape.typeClass;
  type->predefinedCode_ = static_cast<uint16_t>(shape.code);
  type->handle_ = reinterpret_cast<MPI_Datatype>(shape.code);
  type->name_ = shape.name;
  type->layout_ = std::make_shared<const Layout>(std::move(layout));
  at(table, shape.code) = type;
  return type;
}

template <class Value, class Index>
void PredefinedDatatypes::pair(Table &table, uintptr_t code, const char *name, uintptr_t value,
                               uintptr_t index) {
  using P = Pair<Value, Index>;
  Layout layout = runLayout(0, sizeof(Value));
  appendLayout(layout, runLayout(offsetof(P, index), sizeof(Index)));
  Datatype *type =
      make(table, {code, name, TypeClass::Pair, sizeof(Value) + sizeof(Index), alignof(P)}, layout,
           sizeof(P));
  type->basicCount_ = 2;
  type->parts_.push_back({1, *at(table, value)});
  type->parts_.push_back({1, *at(table, index)});
  type->sign();
}

void PredefinedDatatypes::marker(Table &table, uintptr_t code, const char *name, bool upper) {
  Datatype *type = make(table, {code, name, TypeClass::None, 0, 1}, {}, 0);
  (upper ? type->stickyUpperBound_ : type->stickyLowerBound_) = true;
}

namespace {
/// The predefined type with the value's C++ type, for the signature of a pair.
template <class T> constexpr uintptr_t codeOf();
template <> constexpr uintptr_t codeOf<float>() { return 0x210; }
template <> constexpr uintptr_t codeOf<double>() { return 0x214; }
template <> constexpr uintptr_t codeOf<long>() { return 0x20a; }
template <> constexpr uintptr_t codeOf<int>() { return 0x209; }
template <> constexpr uintptr_t codeOf<short>() { return 0x208; }
template <> constexpr uintptr_t codeOf<long double>() { return 0x220; }
} // namespace

PredefinedDatatypes::Table PredefinedDatatypes::build() {
  Table table{};
#define GNOMON_TYPE(NAME, CODE, TYPE, CLASS)                                                       \
  basic(table, {CODE, "MPI_" #NAME, TypeClass::CLASS, sizeof(TYPE), alignof(TYPE)});
#define GNOMON_PAIR(NAME, CODE, VALUE, INDEX)
#define GNOMON_ALIAS(NAME, SAME)
#include "mpi/datatype/Predefined.def"
#define GNOMON_TYPE(NAME, CODE, TYPE, CLASS)
#define GNOMON_PAIR(NAME, CODE, VALUE, INDEX)                                                      \
  pair<VALUE, INDEX>(table, CODE, "MPI_" #NAME, codeOf<VALUE>(), codeOf<INDEX>());
#define GNOMON_ALIAS(NAME, SAME)
#include "mpi/datatype/Predefined.def"
  marker(table, LowerBoundMarkerCode, "MPI_LB", false);
  marker(table, UpperBoundMarkerCode, "MPI_UB", true);
  return table;
}

/// Apart: the table would be 2 KiB of the frame of each call of MPI, on each rank's stack.
[[gnu::noinline]] Datatype *Datatype::findAtFirst(uintptr_t place) {
  if (!predefined_[codeOf<int>() - FirstPredefined]) // they are made together
    predefined_ = PredefinedDatatypes::build();
  return predefined_[place];
}

Datatype &Datatype::predefined(MPI_Datatype handle) {
  Datatype *type = findPredefined(handle);
  CHECK(type, "a predefined datatype's handle");
  return *type;
}

Datatype &Datatype::predefined(uintptr_t code) {
  return predefined(reinterpret_cast<MPI_Datatype>(code));
}

} // namespace gnomon::mpi
