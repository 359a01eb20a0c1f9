// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signatures of datatypes, for the check that a receive names what was sent.
#include "mpi/Checks.h"
#include "mpi/Datatype.h"

#include <optional>
#include <string>
#include <vector>

namespace gnomon::mpi {

namespace {

// A signature of one kind of data is Kind << 16 | bytes of an element; of a mixture Mixture | 15
// bits of an element's size | 16 bits of hash.
constexpr uint32_t Mixture = 0x80000000, KindShift = 16;
enum Kind : uint32_t { Integers = 1, Floats = 2, Complexes = 3 };

uint32_t basicSignature(const Datatype &type) {
  uint32_t kind = Integers;
  switch (type.typeClass()) {
  case TypeClass::Floating:
    kind = Floats;
    break;
  case TypeClass::Complex:
    kind = Complexes;
    break;
  case TypeClass::None:
  case TypeClass::Byte:
  case TypeClass::Opaque:
  case TypeClass::Pair:
    return 0;
  default:
    break;
  }
  return kind << KindShift | static_cast<uint32_t>(type.size());
}

/// The signature of parts of several kinds; none when one of them matches everything.
std::optional<uint32_t> mixtureOf(const std::vector<Datatype::Part> &parts, int64_t size) {
  uint32_t hash = 2166136261U;
  auto mix = [&](uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      hash = (hash ^ static_cast<uint32_t>(value >> shift & 0xff)) * 16777619U;
  };
  uint32_t last = 0;
  bool several = false;
  int64_t repeat = 0;
  for (const Datatype::Part &part : parts) {
    if (part.type->size() == 0)
      continue;
    const uint32_t signature = signatureOf(*part.type);
    if (signature == 0)
      return std::nullopt;
    several |= last != 0 && signature != last;
    if (signature != last && repeat > 0)
      mix(static_cast<uint64_t>(last) << 32 | static_cast<uint32_t>(repeat));
    repeat = (signature == last ? repeat : 0) + part.repeat;
    last = signature;
  }
  mix(static_cast<uint64_t>(last) << 32 | static_cast<uint32_t>(repeat));
  if (!several)
    return last;
  return Mixture | static_cast<uint32_t>(size & 0x7fff) << 16 | (hash >> 16 ^ (hash & 0xffff));
}

} // namespace

uint32_t signatureOf(const Datatype &type) {
  if (type.size() == 0)
    return 0;
  if (type.parts().empty())
    return basicSignature(type);
  return mixtureOf(type.parts(), type.size()).value_or(0);
}

bool signaturesDiffer(uint32_t sent, uint32_t received) {
  if (sent == received || sent == 0 || received == 0)
    return false;
  const bool bothMixed = (sent & received & Mixture) != 0;
  // Mixtures of other sizes may be the same sequence, cut into other elements.
  return !bothMixed || ((sent ^ received) & 0x7fff0000) == 0;
}

std::string signatureText(uint32_t signature) {
  if (signature & Mixture)
    return "data of several kinds";
  const uint32_t kind = signature >> KindShift;
  return std::to_string(signature & 0xffff) + "-byte " +
         (kind == Floats      ? "floating-point numbers"
          : kind == Complexes ? "complex numbers"
                              : "integers");
}

} // namespace gnomon::mpi
