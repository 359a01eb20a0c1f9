// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A rank's end of a communicator.
#include "mpi/comm/Comm.h"

#include "mpi/Error.h"
#include "mpi/Info.h"
#include "mpi/RankState.h"
#include "mpi/comm/CollectiveLedger.h"

#include <fmt/format.h>

namespace gnomon::mpi {

Comm::Comm(process::Rank &owner, std::shared_ptr<const CommShared> shared, int rank)
    : owner_(owner), peers_(shared->remote ? shared->remote.get() : shared->members.get()),
      id_(shared->id), rank_(rank), size_(shared->members->size()), shared_(std::move(shared)),
      local_(shared_->local ? std::make_unique<Comm>(owner, shared_->local, rank) : nullptr),
      errhandler(&predefinedErrhandler(Errhandler::Action::Fatal)) {}

Comm::~Comm() { mpi::release(owner_, *errhandler); }

CollectiveLedger &Comm::ledger() {
  if (!shared_->ledger)
    shared_->ledger = std::make_shared<CollectiveLedger>();
  return *shared_->ledger;
}

void Comm::release() {
  if (--references_ == 0)
    delete this;
}

MPI_Comm expose(Comm &comm) {
  comm.handle = insert<Comm>(comm.owner(), &comm);
  return comm.handle;
}

std::string describe(const Comm &comm) {
  return comm.name.empty() ? fmt::format("communicator {}", comm.id()) : comm.name;
}

/// Apart from the other one's way, which calls nothing.
[[gnu::noinline]] static Comm *selfOf(process::Rank &rank) { return &state(rank).self(); }

template <> Comm *findPredefined<Comm>(process::Rank &rank, MPI_Comm handle) {
  switch (reinterpret_cast<uintptr_t>(handle)) {
  case 0x101:
    return &*state(rank).world;
  case 0x102:
    return selfOf(rank);
  default:
    return nullptr;
  }
}

} // namespace gnomon::mpi
