// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The comparison of collective calls.
#include "mpi/CollectiveLedger.h"

#include "mpi/Comm.h"
#include "mpi/Error.h"
#include "process/Symbolizer.h"

namespace gnomon::mpi {

namespace {

/// User operations are other objects on each rank: only predefined ones can be compared.
const Op *comparable(const Op *op) { return op && op->isPredefined() ? op : nullptr; }

std::string describe(const CollectiveCall &call, const CollectiveCall &other) {
  std::string text = call.function;
  if (call.root != other.root)
    text += " with root " + std::to_string(call.root);
  else if (comparable(call.op) != comparable(other.op))
    text += std::string(" with ") + (comparable(call.op) ? call.op->name() : "a user's operation");
  else if (call.bytes != other.bytes)
    text += " of " + std::to_string(call.bytes) + " bytes";
  return text;
}

bool agree(const CollectiveCall &a, const CollectiveCall &b) {
  return a.function == b.function && a.root == b.root && comparable(a.op) == comparable(b.op) &&
         a.bytes == b.bytes;
}

} // namespace

CollectiveLedger::Entry &CollectiveLedger::attend(uint64_t number, const CollectiveCall &call,
                                                  int rank) {
  const uint64_t place = number - first_;
  if (place == entries_.size())
    entries_.push_back({call, rank, 0});
  return entries_[place];
}

void CollectiveLedger::forget(int size) {
  while (!entries_.empty() && entries_.front().arrived == size) {
    entries_.pop_front();
    ++first_;
  }
}

std::unique_ptr<std::string> enterCollective(Comm &comm, const CollectiveCall &call) {
  if (comm.size() < 2)
    return nullptr;
  CollectiveLedger &ledger = comm.ledger();
  CollectiveLedger::Entry &first = ledger.attend(comm.nextCollectiveCall(), call, comm.rank());
  ++first.arrived;
  std::unique_ptr<std::string> difference;
  if (!agree(first.call, call)) [[unlikely]]
    difference = std::make_unique<std::string>(
        describe(call, first.call) + " on rank " + std::to_string(comm.rank()) + " of " +
        mpi::describe(comm) + ", where rank " + std::to_string(first.rank) + " calls " +
        describe(first.call, call) + " [" + process::describe(first.call.site) + "]");
  ledger.forget(comm.size());
  return difference;
}

bool errorsEndRun(const Comm &comm) {
  return comm.errhandler->action == Errhandler::Action::Fatal ||
         comm.errhandler->action == Errhandler::Action::Abort;
}

} // namespace gnomon::mpi
