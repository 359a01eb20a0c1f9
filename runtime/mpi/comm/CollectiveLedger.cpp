// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The comparison of collective calls.
#include "mpi/comm/CollectiveLedger.h"

#include "mpi.h"
#include "mpi/Error.h"
#include "mpi/RankState.h"
#include "mpi/comm/Comm.h"
#include "mpi/request/Request.h"
#include "process/image/Symbolizer.h"

#include <fmt/format.h>
#include <utility>

namespace gnomon::mpi {

namespace {

/// The call as it is compared, when its rank may be far ahead. User operations are other objects on
/// each rank, and gone when it has freed them: only predefined ones are kept.
CollectiveCall lasting(CollectiveCall call) {
  if (call.op && !call.op->isPredefined())
    call.op = nullptr;
  return call;
}

std::string describe(const CollectiveCall &call, const CollectiveCall &other) {
  std::string text = call.function;
  if (call.root >= 0 && call.root != other.root)
    text += fmt::format(" with root {}", call.root);
  else if (call.function == other.function && call.op != other.op)
    text += std::string(" with ") + (call.op ? call.op->name() : "a user's operation");
  else if (call.bytes >= 0 && call.bytes != other.bytes)
    text += fmt::format(" of {} bytes", call.bytes);
  return text;
}

bool agree(const CollectiveCall &a, const CollectiveCall &b) {
  return a.function == b.function && a.root == b.root && a.op == b.op && a.bytes == b.bytes;
}

} // namespace

CollectiveRecord &CollectiveLedger::attend(uint64_t number, const CollectiveCall &call, int rank) {
  const uint64_t place = number - first_;
  if (place == entries_.size())
    entries_.push_back({call, rank, 0, {}});
  return entries_[place];
}

void CollectiveLedger::forget(int size) {
  while (!entries_.empty() && entries_.front().left == size) {
    entries_.pop_front();
    ++first_;
  }
}

bool CollectiveAgreement::isChecked(const Comm &comm) {
  return comm.size() > 1 && state(comm.owner()).runtime.settings.checks.collectives;
}

void CollectiveAgreement::enter(Comm &comm, const CollectiveCall &made) {
  const CollectiveCall call = lasting(made);
  comm_ = &comm;
  comm.retain(); // a callback in the call may free it
  entry_ = &comm.ledger().attend(comm.nextCollectiveCall(), call, comm.rank());
  if (!agree(entry_->call, call)) [[unlikely]]
    entry_->difference =
        fmt::format("{} on rank {} of {}, where rank {} calls {} [{}]",
                    describe(call, entry_->call), comm.rank(), mpi::describe(comm), entry_->rank,
                    describe(entry_->call, call), process::describe(entry_->call.site));
}

void CollectiveAgreement::leave() {
  ++entry_->left;
  comm_->ledger().forget(comm_->size());
  comm_->release();
}

void CollectiveAgreement::handOver(Request &request) {
  if (!entry_)
    return;
  request.as<Collective>()->agreement = std::exchange(entry_, nullptr);
  comm_->release(); // the request keeps it
}

int endAgreement(Request &request, int error) {
  CollectiveRecord &record = *std::exchange(request.as<Collective>()->agreement, nullptr);
  Comm &comm = *request.comm;
  if (!record.difference.empty())
    error = fail(comm.owner(), MPI_ERR_NOT_SAME, record.difference, &comm);
  ++record.left;
  comm.ledger().forget(comm.size());
  return error;
}

bool CollectiveAgreement::errorsEndRun() const {
  return comm_->errhandler->action == Errhandler::Action::Fatal ||
         comm_->errhandler->action == Errhandler::Action::Abort;
}

} // namespace gnomon::mpi
