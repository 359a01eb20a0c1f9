// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the fields of a function are for an extrapolation: which of them depend on the rank, or on
/// how many ranks there are.
#pragma once

#include "slices/Effect.h"
#include "trace/Record.h"

#include <string>

namespace gnomon::patterns {

enum class Role : uint8_t {
  Same,    ///< the same on all ranks of a class
  Peer,    ///< a rank of the record's communicator that depends on the rank
  Root,    ///< one that does not, as a rule
  Comm,    ///< a communicator
  Members, ///< a list with an element for each process of the communicator
  Extents, ///< of a Cartesian grid of ranks
  Split,   ///< colour or key of MPI_Comm_split: a property of the rank
  Set,     ///< a set of processes
};

struct Plan {
  std::string refusal; ///< why a record of this function cannot be extrapolated; empty: it can
  bool isVolume = false;
  slices::Effect effect = slices::Effect::None;
  static constexpr size_t None = static_cast<size_t>(-1);
  size_t comm = None;      ///< the field in whose communicator peers are ranks
  std::vector<Role> roles; ///< of the fields
};

/// Plans of all functions, by number.
std::vector<Plan> plansOf(const trace::Source &source);

} // namespace gnomon::patterns
