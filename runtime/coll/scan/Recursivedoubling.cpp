// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ranks exchange partial sums with rank xor 2^k; what comes from below also goes into the result.
/// Keeps the order of ranks.
/// Cost: ceil(log2 n) rounds; at most n ceil(log2 n) messages of B bytes.
/// Source: MPICH, scan_intra_recursive_doubling and exscan_intra_recursive_doubling.
#include "coll/Reduction.h"
#include "coll/scan/Scan.h"

namespace gnomon::coll::scan {

/// The sum of the rank's aligned range of ranks grows in `value`; \p below gets what comes from
/// lower ranks.
template <class Below> static int doubling(const ReductionArgs &args, Below below) {
  Messages messages(args);
  Accumulator value(args, nullptr);
  for (int mask = 1; mask < args.size; mask *= 2) {
    const int peer = args.rank ^ mask;
    if (peer >= args.size)
      continue;
    messages.sendrecv(value.out(), peer, value.in(), peer);
    if (peer < args.rank) {
      below(value.incoming());
      value.fromLower();
    } else {
      value.fromHigher();
    }
  }
  return messages.result();
}

int recursiveDoubling(const ScanArgs &args) {
  copyBlock({args.input(), args.count, args.type}, {args.recv, args.count, args.type});
  return doubling(args, [&](const void *partial) {
    args.op->apply(partial, args.recv, args.count, *args.type);
  });
}

int exclusiveRecursiveDoubling(const ExscanArgs &args) {
  bool first = true;
  return doubling(args, [&](const void *partial) {
    if (first)
      copyBlock({partial, args.count, args.type}, {args.recv, args.count, args.type});
    else
      args.op->apply(partial, args.recv, args.count, *args.type);
    first = false;
  });
}

} // namespace gnomon::coll::scan
