// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace-formats/simgrid/Types.h"

#include <iterator>

namespace gnomon::trace::simgrid {
namespace {

/// By number, as SMPI has them: its INTEGER1 has four bytes, its COMPLEX32 sixteen. 0: no elements.
constexpr uint8_t Sizes[] = {8,  4,  1,  2,  8,  4,  1, // double int char short long float byte
                             8,  1,  1,  2,  4,  8,  8,  16,
                             4,  1, // long long, chars, unsigned ones, long double, wchar, bool
                             1,  2,  4,  8,  1,  2,  4,  8,  // int8_t … uint64_t
                             8,  16, 32, 8,  8,              // complex, MPI_Aint, MPI_Offset
                             8,  16, 16, 8,  8,  8,  16, 16, // pairs
                             4,  4,  8,  16, 8,  16, 16,     // Fortran's real and complex
                             4,  2,  4,  8,  16,             // Fortran's integer
                             32, 1,  8,  16, 32,             // long double and int, C++
                             0,  0,  1,  8,  8};             // UB, LB, packed, pointer, MPI_Count
static_assert(std::size(Sizes) == 60);

} // namespace

std::optional<int64_t> sizeOfType(int64_t type) {
  if (type < 0 || type >= static_cast<int64_t>(std::size(Sizes)) || Sizes[type] == 0)
    return std::nullopt;
  return Sizes[type];
}

std::optional<int64_t> typeOfSize(int64_t bytes) {
  switch (bytes) {
  case 1:
    return ByteType;
  case 2:
    return 3; // short
  case 4:
    return 1; // int
  case 8:
    return DoubleType;
  case 16:
    return 26; // double _Complex
  case 32:
    return 27; // long double _Complex
  default:
    return std::nullopt;
  }
}

} // namespace gnomon::trace::simgrid
