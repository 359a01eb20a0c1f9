// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The checks of collectives and what an exchange by types keeps.
#include "coll/calls/Collectives.h"

#include "mpi/Error.h"

#include <fmt/format.h>

#include <vector>

namespace gnomon::coll {

int refuseOp(const Op &op, const Datatype &type, Comm &comm) {
  const std::string name = type.name().empty() ? "a derived datatype" : type.name();
  return mpi::fail(comm.owner(), MPI_ERR_OP,
                   fmt::format("{} cannot be applied to {}", op.name(), name));
}

static std::vector<const Datatype *> typesOf(Comm &comm, const MPI_Datatype *handles) {
  std::vector<const Datatype *> types(static_cast<size_t>(comm.peers()));
  for (size_t r = 0; r < types.size(); ++r)
    types[r] = mpi::find<Datatype>(comm.owner(), handles[r]);
  return types;
}

Kept keptTypes(Comm &comm, const void *send, const MPI_Datatype *sendTypes,
               const MPI_Datatype *recvTypes) {
  Kept kept;
  kept.recvTypes = typesOf(comm, recvTypes);
  kept.sendTypes = inPlace(send) ? kept.recvTypes : typesOf(comm, sendTypes);
  for (const auto *list : {&kept.sendTypes, &kept.recvTypes})
    for (const Datatype *type : *list)
      kept.types.emplace_back(*type);
  return kept;
}

} // namespace gnomon::coll
