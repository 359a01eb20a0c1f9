// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a type's data is made of, for comparison at the price of a number: 0 for what matches
/// everything (MPI_BYTE, MPI_PACKED, nothing, mixtures of thousands of runs); a kind and a size for
/// data of one kind; for a mixture the number of its sequence, so that types that spell the same
/// one otherwise have the same number. Signed and unsigned integers, logicals and characters of one
/// size are one kind: programs mix them, and nothing is lost.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace gnomon::mpi {

enum class ElementKind : uint8_t { Integer = 1, Floating = 2, Complex = 3 };

/// So many pieces of data of one signature, each of \p bytes.
struct SignedPart {
  int64_t repeat;
  int64_t bytes;
  uint32_t signature;
};

/// The signature of elements of one kind.
uint32_t signatureOf(ElementKind kind, int64_t elementBytes);
/// The signature of these parts, one after the other.
uint32_t signatureOf(std::span<const SignedPart> parts);
/// Whether the first \p bytes of data of these signatures differ, element by element.
bool signaturesDiffer(uint32_t sent, uint32_t received, int64_t bytes);
/// "8-byte floating-point numbers"
std::string signatureText(uint32_t signature);

} // namespace gnomon::mpi
