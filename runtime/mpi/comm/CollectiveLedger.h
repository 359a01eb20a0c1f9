// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks that the ranks of a communicator call its collectives in the same order with the
/// arguments that must agree: function, root, predefined operation, bytes. All ranks live in one
/// process, so that the first of them to make the n-th call writes down what it is, and the others
/// compare: no message, some tens of nanoseconds a call.
#pragma once

#include "mpi/datatype/Op.h"

#include <cstdint>
#include <deque>
#include <string>

namespace gnomon::mpi {

class Comm;
class Request;

struct CollectiveCall {
  const char *function;   ///< one address for each name
  const void *site;       ///< the return address in the program's code
  int root = -1;          ///< -1: it has none
  const Op *op = nullptr; ///< in a ledger a predefined one or null
  int64_t bytes = -1;     ///< of the data that all ranks must give or take alike; -1: not known
};

/// What the n-th call was written down as.
struct CollectiveRecord {
  CollectiveCall call;
  int rank; ///< that came first
  int left = 0;
  std::string difference; ///< empty: all that have come agree
};

/// The calls that not all ranks have left yet; of one communicator, of one group of an
/// intercommunicator.
class CollectiveLedger {
public:
  /// What the n-th call was written down as, at first \p call. It stays where it is.
  CollectiveRecord &attend(uint64_t number, const CollectiveCall &call, int rank);
  /// Forgets what all \p size ranks have left.
  void forget(int size);
  /// Calls that are kept.
  size_t length() const { return entries_.size(); }

private:
  std::deque<CollectiveRecord> entries_;
  uint64_t first_ = 0; ///< number of the call at the front
};

/// A rank's part in a comparison, from before its call to after it, or to the end of the request
/// that the call made: who was there first may hear only at the end that another rank's call
/// differs.
class CollectiveAgreement {
public:
  CollectiveAgreement(Comm &comm, const CollectiveCall &call) {
    if (isChecked(comm))
      enter(comm, call);
  }
  ~CollectiveAgreement() {
    if (entry_)
      leave();
  }
  CollectiveAgreement(const CollectiveAgreement &) = delete;
  CollectiveAgreement &operator=(const CollectiveAgreement &) = delete;

  bool differs() const { return entry_ && !entry_->difference.empty(); }
  /// What differs, naming both ranks and where one of them calls.
  const std::string &difference() const { return entry_->difference; }
  /// Whether the call must not be made: the ranks disagree, and errors end the run.
  bool stops() const { return differs() && errorsEndRun(); }
  /// Leaves the rest to the request of a nonblocking call.
  void handOver(Request &request);

private:
  static bool isChecked(const Comm &comm);
  bool errorsEndRun() const;
  void enter(Comm &comm, const CollectiveCall &call);
  void leave();

  Comm *comm_ = nullptr;
  CollectiveRecord *entry_ = nullptr;
};

/// The rank's part ends with its request: MPI_ERR_NOT_SAME when the calls differ, else \p error.
[[gnu::cold]] int endAgreement(Request &request, int error);

} // namespace gnomon::mpi
