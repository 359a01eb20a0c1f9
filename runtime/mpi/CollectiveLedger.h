// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks that the ranks of a communicator call its collectives in the same order with the
/// arguments that must agree: function, root, predefined operation, bytes. All ranks live in one
/// process, so that the first of them to make the n-th call writes down what it is, and the others
/// compare: no message, some tens of nanoseconds a call.
#pragma once

#include "mpi/Op.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace gnomon::mpi {

class Comm;

struct CollectiveCall {
  const char *function; ///< one address for each name
  const void *site;     ///< the return address in the program's code
  int root = -1;        ///< -1: it has none
  const Op *op = nullptr;
  int64_t bytes = -1; ///< of the data that all ranks must give or take alike; -1: not known
};

/// The calls that not all ranks have made yet; of one communicator, of one group of an
/// intercommunicator.
class CollectiveLedger {
public:
  struct Entry {
    CollectiveCall call;
    int rank; ///< that came first
    int arrived;
  };
  /// What the n-th call was written down as, at first \p call.
  Entry &attend(uint64_t number, const CollectiveCall &call, int rank);
  /// Forgets what everybody has made.
  void forget(int size);

private:
  std::deque<Entry> entries_;
  uint64_t first_ = 0; ///< number of the call at the front
};

/// Null when the call agrees with the other ranks'; else what differs, naming both ranks and where
/// the other one calls.
std::unique_ptr<std::string> enterCollective(Comm &comm, const CollectiveCall &call);
/// Whether the communicator's error handler ends the run: then a call that disagrees is not made.
bool errorsEndRun(const Comm &comm);

} // namespace gnomon::mpi
