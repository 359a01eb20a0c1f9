// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Open MPI's recursive halving of a vector among the greatest power of two p of ranks. Of the
/// first 2 (n - p) ranks each odd one adds the upper half of the vector for itself and the even one
/// below it, hands the result over and drops out. In step k a place and its partner, 2^k away, keep
/// a half each of the window that they share; the lower rank has the lower half, which is shorter
/// where the window is odd.
/// Source: Open MPI 4.1, coll_base_allreduce (redscat_allgather) and coll_base_reduce
/// (redscat_gather).
#pragma once

#include "coll/Reduction.h"

namespace gnomon::coll {

class Windows {
public:
  struct Window {
    int64_t first, count; ///< elements
  };
  Windows(const Call &call, int64_t count)
      : count_(count), p_(floorPowerOfTwo(call.size)), extra_(call.size - p_), rank_(call.rank) {
    while ((1 << steps_) < p_)
      ++steps_;
  }
  int steps() const { return steps_; }
  /// The rank's place among the p; -1 if it has dropped out.
  int place() const { return placeOf(rank_); }
  int placeOf(int rank) const {
    return rank >= 2 * extra_ ? rank - extra_ : rank % 2 ? -1 : rank / 2;
  }
  int rankAt(int place) const { return place < extra_ ? 2 * place : place + extra_; }
  bool isPaired() const { return rank_ < 2 * extra_; }

  /// What \p place has after \p steps steps.
  Window window(int place, int steps) const {
    Window window{0, count_};
    for (int k = 0; k < steps; ++k) {
      const int64_t lower = window.count / 2;
      if (place >> k & 1) {
        window.first += lower;
        window.count -= lower;
      } else {
        window.count = lower;
      }
    }
    return window;
  }

  /// The additions of the ranks that drop out; the op commutes.
  void enter(Messages &messages, const ReductionArgs &args, Accumulator &value) const {
    if (!isPaired())
      return;
    const Datatype &type = *args.type;
    const int64_t lower = count_ / 2, upper = count_ - lower;
    char *rest = at(value.value(), lower, type), *incomingRest = at(value.incoming(), lower, type);
    if (place() < 0) {
      messages.sendrecv({value.value(), lower, &type}, rank_ - 1, {incomingRest, upper, &type},
                        rank_ - 1);
      args.op->apply(incomingRest, rest, upper, type);
      messages.send(rest, upper, type, rank_ - 1);
    } else {
      messages.sendrecv({rest, upper, &type}, rank_ + 1, {value.incoming(), lower, &type},
                        rank_ + 1);
      args.op->apply(value.incoming(), value.value(), lower, type);
      messages.recv(rest, upper, type, rank_ + 1);
    }
  }

  /// Reduce-scatter: leaves the result of its window at each place.
  void halve(Messages &messages, const ReductionArgs &args, Accumulator &value) const {
    const Datatype &type = *args.type;
    if (place() < 0)
      return;
    for (int k = 0; k < steps_; ++k) {
      const int partner = place() ^ (1 << k);
      const Window mine = window(place(), k + 1), theirs = window(partner, k + 1);
      char *incoming = at(value.incoming(), mine.first, type);
      messages.sendrecv({at(value.value(), theirs.first, type), theirs.count, &type},
                        rankAt(partner), {incoming, mine.count, &type}, rankAt(partner));
      args.op->apply(incoming, at(value.value(), mine.first, type), mine.count, type);
    }
  }

private:
  int64_t count_;
  int p_, extra_, rank_, steps_ = 0;
};

} // namespace gnomon::coll
