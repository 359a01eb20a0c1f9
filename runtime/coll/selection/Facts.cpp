// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What the rules may know of a call.
#include "coll/Messages.h"
#include "coll/Nodes.h"
#include "coll/selection/Rules.h"

namespace gnomon::coll {

namespace {

struct Size {
  int64_t whole, block; ///< bytes
};

Size sizeOf(const BarrierArgs &) { return {0, 0}; }
Size sizeOf(const NeighborArgs &) { return {0, 0}; }
Size sizeOf(const BcastArgs &args) { return {args.bytes(), args.bytes()}; }
Size sizeOf(const ReductionArgs &args) { return {args.bytes(), args.bytes()}; }
Size sizeOf(const ReduceScatterArgs &args) {
  const int64_t whole = args.total() * args.type->size();
  return {whole, whole / args.size};
}
template <class Args> Size byBlock(const Args &args) {
  return {args.counts ? 0 : args.blockBytes() * args.size, args.counts ? 0 : args.blockBytes()};
}
Size sizeOf(const GatherArgs &args) { return byBlock(args); }
Size sizeOf(const ScatterArgs &args) { return byBlock(args); }
Size sizeOf(const AllgatherBase &args) {
  return {args.totalBytes(), args.totalBytes() / args.size};
}
Size sizeOf(const AlltoallArgs &args) { return {args.blockBytes() * args.size, args.blockBytes()}; }
// The sizes differ between ranks.
Size sizeOf(const AlltoallvArgs &) { return {0, 0}; }
Size sizeOf(const AlltoallwArgs &) { return {0, 0}; }

template <class Args> unsigned opFacts(const Args &args, int64_t count) {
  return (args.op->commutative() ? Commutes : Ordered) |
         (args.op->isPredefined() ? Builtin : Always) |
         (count >= floorPowerOfTwo(args.size) ? Enough : Always);
}
unsigned ofCall(const Call &) { return Always; }
unsigned ofCall(const ReductionArgs &args) { return opFacts(args, args.count); }
unsigned ofCall(const ReduceScatterArgs &args) {
  unsigned facts = opFacts(args, args.total()) | Regular;
  for (int r = 1; r < args.size && facts & Regular; ++r)
    if (args.countOf(r) != args.countOf(0))
      facts &= ~unsigned{Regular};
  return facts;
}
unsigned ofCall(const AlltoallArgs &args) { return args.fromReceived ? FromReceived : Always; }
unsigned ofCall(const AlltoallvArgs &args) { return args.fromReceived ? FromReceived : Always; }
unsigned ofCall(const AlltoallwArgs &args) { return args.fromReceived ? FromReceived : Always; }

unsigned ofHosts(const Call &call) {
  if (call.members) // MPICH knows hosts in the communicators of programs only
    return Always;
  const auto nodes = nodesOf(call);
  if (!nodes->shared())
    return Always;
  return Shared | (nodes->consecutive ? Consecutive : Always);
}

} // namespace

template <class Args> Facts factsOf(const Args &args, bool hosts) {
  const Size size = sizeOf(args);
  unsigned holds = ofCall(args);
  if (isPowerOfTwo(args.size))
    holds |= PowerOfTwo;
  if (hosts)
    holds |= ofHosts(args);
  return {holds, args.size, size.whole, size.block};
}

#define GNOMON_COLLECTIVE(ARGS, NAME) template Facts factsOf<ARGS>(const ARGS &args, bool hosts);
#include "coll/Collectives.def"

} // namespace gnomon::coll
