// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rabenseifner's allreduce as Open MPI cuts it (coll/tree/Windows.h): halving of windows, then
/// doubling; ranks that dropped out get the whole result from their partner. The op must commute;
/// needs an element for each of a power of two of ranks.
/// Cost: 2 log2 p (+3) rounds; about 2 B bytes through each rank.
/// Source: Open MPI 4.1, coll_base_allreduce (redscat_allgather).
#include "coll/Reduction.h"
#include "coll/allreduce/Allreduce.h"
#include "coll/tree/Windows.h"

namespace gnomon::coll::allreduce {

int ompiRabenseifner(const AllreduceArgs &args) {
  Messages messages(args);
  const Datatype &type = *args.type;
  Accumulator value(args, args.recv);
  const Windows windows(args, args.count);
  windows.enter(messages, args, value);
  windows.halve(messages, args, value);
  const int place = windows.place();
  for (int k = windows.steps() - 1; place >= 0 && k >= 0; --k) {
    const int partner = place ^ (1 << k), peer = windows.rankAt(partner);
    const auto mine = windows.window(place, k + 1), theirs = windows.window(partner, k + 1);
    messages.sendrecv({at(value.value(), mine.first, type), mine.count, &type}, peer,
                      {at(value.value(), theirs.first, type), theirs.count, &type}, peer);
  }
  if (windows.isPaired() && place < 0)
    messages.recv(value.value(), args.count, type, args.rank - 1);
  else if (windows.isPaired())
    messages.send(value.out(), args.rank + 1);
  return messages.result();
}

} // namespace gnomon::coll::allreduce
