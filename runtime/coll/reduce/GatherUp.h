// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The second half of Rabenseifner's reduce: the pieces that the halving left go to the root up a
/// binomial tree. A root that has dropped out of the power of two takes the place of place 0, whose
/// piece it gets first.
/// Source: MPICH, reduce_intra_reduce_scatter_gather.
#pragma once

#include "coll/Reduction.h"

namespace gnomon::coll::reduce {

/// \p Windows has steps(), place(), placeOf(rank), rankAt(place) and window(place, steps).
template <class Windows>
void gatherUp(Messages &messages, const ReduceArgs &args, const Windows &windows, void *value) {
  const Datatype &type = *args.type;
  const int rootPlace = windows.placeOf(args.root);
  const bool stepsIn = rootPlace < 0;
  int place = windows.place();
  const auto first = windows.window(0, windows.steps());
  if (stepsIn && args.rank == args.root) {
    messages.recv(at(value, first.first, type), first.count, type, windows.rankAt(0));
    place = 0;
  } else if (stepsIn && place == 0) {
    messages.send(at(value, first.first, type), first.count, type, args.root);
    place = -1;
  }
  const int collector = stepsIn ? 0 : rootPlace;
  for (int k = windows.steps() - 1; place >= 0 && k >= 0; --k) {
    const int partner = place ^ (1 << k);
    const int peer = stepsIn && partner == 0 ? args.root : windows.rankAt(partner);
    if (partner >> k == collector >> k) {
      const auto mine = windows.window(place, k + 1);
      messages.send(at(value, mine.first, type), mine.count, type, peer);
      return;
    }
    const auto theirs = windows.window(partner, k + 1);
    messages.recv(at(value, theirs.first, type), theirs.count, type, peer);
  }
}

} // namespace gnomon::coll::reduce
