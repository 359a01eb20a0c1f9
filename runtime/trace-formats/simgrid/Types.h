// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The numbers that SimGrid's traces have for datatypes, and how large these are.
#pragma once

#include <cstdint>
#include <optional>

namespace gnomon::trace::simgrid {

inline constexpr int64_t DoubleType = 0, ByteType = 6;

/// Bytes of an element of the type; nothing where there is no such type, or it has no elements.
std::optional<int64_t> sizeOfType(int64_t type);

/// A type with elements of so many bytes; nothing where there is none.
std::optional<int64_t> typeOfSize(int64_t bytes);

/// What stands for MPI_ANY_SOURCE, MPI_PROC_NULL and MPI_ANY_TAG in the text.
inline constexpr int64_t AnySource = -555, ProcNull = -666, AnyTagText = -444;

} // namespace gnomon::trace::simgrid
