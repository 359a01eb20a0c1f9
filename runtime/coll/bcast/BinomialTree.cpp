// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binomial tree rooted at the root: each rank that has the data sends it to the roots of its
/// subtrees, the largest subtree first.
/// Cost: ceil(log2 n) rounds; n - 1 messages of B bytes.
/// Source: MPICH, bcast_intra_binomial.
#include "coll/Messages.h"
#include "coll/bcast/Bcast.h"

namespace gnomon::coll::bcast {

int binomialTree(const BcastArgs &args) {
  Messages messages(args);
  const int n = args.size, relative = (args.rank - args.root + n) % n;
  int mask = 1;
  while (mask < n && !(relative & mask))
    mask *= 2;
  if (relative != 0)
    messages.recv(args.buffer, args.count, *args.type, (args.rank - mask + n) % n);
  for (mask /= 2; mask > 0; mask /= 2)
    if (relative + mask < n)
      messages.send(args.buffer, args.count, *args.type, (args.rank + mask) % n);
  return messages.result();
}

} // namespace gnomon::coll::bcast
