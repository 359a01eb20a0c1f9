// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations of one-sided communication, from their call until they are complete. An operation is
/// made of events, without a fiber: the target's rank takes no part.
///
///                         to the target              there, at the date of arrival   back
///     put, accumulate     the data                   the memory changes              -
///     get                 an envelope                the memory is read              the data
///     get_accumulate…     the data (none for NO_OP)  the memory is read and changes  the old data
///     compare_and_swap    both operands              the same                        the old value
///
/// The call costs its rank what a nonblocking send of as many bytes costs (smpi/ois). Less data
/// than what a send detaches (smpi/send-is-detached-thresh) is copied by the call, so that the
/// origin's buffer is free again; more is read when it arrives.
///
/// The answer of a plain get of as much is read when it arrives back, not before: nobody may change
/// what a get reads until the get is complete, so that a copy in between would only cost memory.
///
/// An origin has at most Depth operations under way to one target; further ones follow as these
/// end, as through the queue of a network interface.
///
/// Accumulates of one origin on one target take effect in the order of their calls
/// (accumulate_ordering: rar,raw,war,waw), each as a whole. Other operations in the order in which
/// they arrive.
#pragma once

#include "mpi/datatype/Datatype.h"
#include "mpi/datatype/Op.h"
#include "mpi/request/Request.h"
#include "rma/Window.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gnomon::rma {

inline constexpr uint64_t Depth = 128;

/// Elements of a user's buffer.
struct Data {
  void *address = nullptr;
  int64_t count = 0;
  mpi::DatatypeRef type;
  int64_t bytes() const { return type.get() ? count * type.get()->size() : 0; }
};

struct Operation {
  enum class Kind : uint8_t { Put, Get, Accumulate, CompareAndSwap };

  Kind kind;
  std::shared_ptr<Shared> window;
  int origin, target;
  uint64_t number = 0; ///< among the origin's on the target
  Data source;         ///< at the origin: what goes; empty for a get
  Data result;         ///< at the origin: where the old content goes; empty for put and accumulate
  Data place;          ///< at the target
  const void *comparand = nullptr;
  const mpi::Op *op = nullptr;
  const mpi::Datatype *element = nullptr; ///< of accumulates
  mpi::Request *request = nullptr;        ///< of the forms that have one

  bool direct = false;          ///< the answer is read when it arrives
  bool kept = false;            ///< `sent` has the data: the origin's buffer is free
  bool arrived = false;         ///< at the target
  std::vector<char> sent, back; ///< data on its way

  bool answers() const { return result.type.get() != nullptr; }
  bool ordered() const { return kind == Kind::Accumulate || kind == Kind::CompareAndSwap; }
};

/// Sends it on its way from the calling rank, which is its origin. May park for the time that the
/// call costs.
void issue(std::unique_ptr<Operation> operation);

/// Carries a word without payload between two ranks of a window; \p heard runs when it arrives.
void signal(const std::shared_ptr<Shared> &window, int from, int to, std::function<void()> heard);

} // namespace gnomon::rma
