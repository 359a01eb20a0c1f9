// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What accumulates do to memory. Both sides may have derived types, as long as all that they are
/// made of is one predefined type, the element (MPI 4.1, section 12.3.4): then data is a row of
/// elements, wherever they lie.
#pragma once

#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"

#include <cstdint>
#include <vector>

namespace gnomon::rma {

/// The one predefined type that \p type is made of; null when there are several, or none.
const mpi::Datatype *elementOf(const mpi::Datatype &type);

/// Of how many elements \p count of \p type are made.
int64_t elements(int64_t count, const mpi::Datatype &type, const mpi::Datatype &element);

/// The elements of a typed buffer one behind the other, each as long as its extent.
std::vector<char> gather(const void *data, int64_t count, const mpi::Datatype &type,
                         const mpi::Datatype &element);
/// target = operands op target, for as many elements as there are of both. \p operands: as gather()
/// gives them.
void accumulate(const std::vector<char> &operands, void *target, int64_t count,
                const mpi::Datatype &type, const mpi::Datatype &element, const mpi::Op &op);

/// Whether MPI_Compare_and_swap compares such elements: integers, logicals, bytes and characters.
bool isComparable(const mpi::Datatype &type);

} // namespace gnomon::rma
