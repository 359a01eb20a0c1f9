// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/Wire.h"

#include <fmt/format.h>

namespace gnomon::trace {

uint64_t Bytes::longVarint() {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const uint64_t byte = static_cast<unsigned char>(take(1)[0]);
    if (shift == 63 && byte > 1)
      break;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
  throw Damage("a number has more than 64 bits");
}

uint64_t Bytes::varint(uint64_t most, const char *what) {
  const uint64_t value = varint();
  if (value > most)
    throw Damage(fmt::format("{} is {}, and at most {} is possible", what, value, most));
  return value;
}

} // namespace gnomon::trace
