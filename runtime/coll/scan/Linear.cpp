// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Each rank waits for the prefix of the one below, adds its own, passes it on.
/// Cost: n - 1 rounds; n - 1 messages of B bytes.
/// Source: Open MPI 4.1, coll_base_scan and coll_base_exscan (linear).
#include "coll/Reduction.h"
#include "coll/scan/Scan.h"

namespace gnomon::coll::scan {

int linear(const ScanArgs &args) {
  Messages messages(args);
  Accumulator value(args, args.recv);
  if (args.rank > 0) {
    messages.recv(value.in(), args.rank - 1);
    value.fromLower();
  }
  if (args.rank + 1 < args.size)
    messages.send(value.out(), args.rank + 1);
  return messages.result();
}

int exclusiveLinear(const ExscanArgs &args) {
  Messages messages(args);
  Accumulator value(args, nullptr);
  if (args.rank > 0) {
    messages.recv(value.in(), args.rank - 1);
    copyBlock({value.incoming(), args.count, args.type}, {args.recv, args.count, args.type});
    value.fromLower();
  }
  if (args.rank + 1 < args.size)
    messages.send(value.out(), args.rank + 1);
  return messages.result();
}

} // namespace gnomon::coll::scan
