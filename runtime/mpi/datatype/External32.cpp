// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Conversions to and from external32, number by number in the order of a type's signature.
#include "mpi/datatype/External32.h"

#include "support/Check.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <type_traits>

namespace gnomon::mpi {

namespace {

/// How the numbers of a basic type look on both sides; a complex number is two of them.
struct Form {
  int8_t numbers = 0; ///< 0: no basic type
  int8_t nativeBytes = 0, externalBytes = 0;
  bool isSigned = false;
  bool extended = false; ///< x87's 80-bit format, binary128 outside
};

template <class T> constexpr bool isComplex = false;
template <class T> constexpr bool isComplex<std::complex<T>> = true;

template <class T> constexpr Form formOf() {
  if constexpr (isComplex<T>) {
    Form form = formOf<typename T::value_type>();
    form.numbers = 2;
    return form;
  } else {
    constexpr bool extended = std::is_same_v<T, long double>;
    return {1, sizeof(T), extended ? 16 : sizeof(T), static_cast<T>(-1) < static_cast<T>(0),
            extended};
  }
}

using Forms = std::array<Form, 0x100>;

constexpr uintptr_t FirstCode = 0x200, LongCode = 0x20a, UnsignedLongCode = 0x20e,
                    WcharCode = 0x23c;

Forms makeForms() {
  Forms forms{};
#define GNOMON_TYPE(NAME, CODE, TYPE, CLASS) forms[(CODE) - FirstCode] = formOf<TYPE>();
#define GNOMON_PAIR(NAME, CODE, VALUE, INDEX)
#define GNOMON_ALIAS(NAME, SAME)
#include "mpi/datatype/Predefined.def"
  forms[LongCode - FirstCode].externalBytes = 4;
  forms[UnsignedLongCode - FirstCode].externalBytes = 4;
  forms[WcharCode - FirstCode].externalBytes = 2;
  return forms;
}

const Form &formOf(const Datatype &basic) {
  static const Forms forms = makeForms();
  const Form &form = forms[basic.predefinedCode() - FirstCode];
  CHECK(form.numbers > 0, "a basic type has a form in external32");
  return form;
}

/// Calls visit(basic type, count) for the runs of equal basic types in \p count elements.
template <class Visit> void forEachBasic(const Datatype &type, int64_t count, const Visit &visit) {
  const auto &parts = type.parts();
  if (type.size() == 0 || count == 0)
    return;
  if (parts.empty())
    return visit(type, count);
  if (parts.size() == 1)
    return forEachBasic(*parts[0].type, parts[0].repeat * count, visit);
  for (int64_t i = 0; i < count; ++i)
    for (const Datatype::Part &part : parts)
      forEachBasic(*part.type, part.repeat, visit);
}

void reverse(const char *from, char *to, int64_t bytes) {
  std::reverse_copy(from, from + bytes, to);
}

void writeNumber(const Form &form, const char *native, char *external) {
  if (form.extended) {
    long double value;
    std::memcpy(&value, native, sizeof value);
    const auto wide = static_cast<__float128>(value);
    return reverse(reinterpret_cast<const char *>(&wide), external, form.externalBytes);
  }
  reverse(native, external, form.externalBytes); // little-endian: the low bytes come first
}

void readNumber(const Form &form, const char *external, char *native) {
  if (form.extended) {
    __float128 wide;
    reverse(external, reinterpret_cast<char *>(&wide), form.externalBytes);
    const auto value = static_cast<long double>(wide);
    std::memcpy(native, &value, sizeof value);
    return;
  }
  reverse(external, native, form.externalBytes);
  const bool negative = form.isSigned && (external[0] & 0x80);
  std::memset(native + form.externalBytes, negative ? 0xff : 0,
              static_cast<size_t>(form.nativeBytes - form.externalBytes));
}

} // namespace

int64_t external32Size(const Datatype &type) {
  if (type.size() == 0)
    return 0;
  if (type.parts().empty()) {
    const Form &form = formOf(type);
    return int64_t{form.numbers} * form.externalBytes;
  }
  int64_t bytes = 0;
  for (const Datatype::Part &part : type.parts())
    bytes += part.repeat * external32Size(*part.type);
  return bytes;
}

char *toExternal32(const char *native, int64_t count, const Datatype &type, char *external) {
  forEachBasic(type, count, [&](const Datatype &basic, int64_t elements) {
    const Form &form = formOf(basic);
    for (int64_t i = 0; i < elements * form.numbers; ++i) {
      writeNumber(form, native, external);
      native += form.nativeBytes;
      external += form.externalBytes;
    }
  });
  return external;
}

char *fromExternal32(const char *external, int64_t count, const Datatype &type, char *native) {
  forEachBasic(type, count, [&](const Datatype &basic, int64_t elements) {
    const Form &form = formOf(basic);
    for (int64_t i = 0; i < elements * form.numbers; ++i) {
      readNumber(form, external, native);
      native += form.nativeBytes;
      external += form.externalBytes;
    }
  });
  return native;
}

} // namespace gnomon::mpi
