// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By host: the data reaches the leaders of all hosts (the lowest rank of each), then spreads
/// within the hosts. A short message goes from the root to its host's leader first; a medium one is
/// broadcast within the root's host first; a long one, on any ranks but a power of two from 12 KiB
/// on, does not go by host.
/// Cost: that of the broadcasts within a host and among the leaders, which the selector chooses.
/// Source: MPICH, bcast_intra_smp.
#include "coll/Messages.h"
#include "coll/Nodes.h"
#include "coll/Selection.h"
#include "coll/bcast/Bcast.h"

namespace gnomon::coll::bcast {

int smp(const BcastArgs &args) {
  constexpr int64_t Short = 12288, Long = 524288;
  constexpr int FewRanks = 8;
  const int64_t bytes = args.bytes();
  const bool brief = bytes < Short || args.size < FewRanks;
  if (!brief && (bytes >= Long || !isPowerOfTwo(args.size)))
    return scatterRingAllgather(args);
  const auto nodes = nodesOf(args);
  const auto node = static_cast<size_t>(nodes->node[static_cast<size_t>(args.rank)]);
  const auto rootNode = static_cast<size_t>(nodes->node[static_cast<size_t>(args.root)]);
  const std::vector<int> &near = nodes->members[node];
  const int place = nodes->within(args.rank), rootPlace = nodes->within(args.root);
  auto within = [&](int from) {
    if (near.size() == 1)
      return 0;
    BcastArgs part = among(args, near, place);
    part.root = from;
    return run(part);
  };
  Messages messages(args);
  int error = 0;
  if (rootPlace > 0 && node == rootNode) {
    if (!brief)
      error = within(rootPlace);
    else if (args.rank == args.root)
      messages.send(args.buffer, args.count, *args.type, near.front());
    else if (place == 0)
      messages.recv(args.buffer, args.count, *args.type, args.root);
  }
  if (place == 0 && nodes->leaders.size() > 1) {
    BcastArgs part = among(args, nodes->leaders, static_cast<int>(node));
    part.root = static_cast<int>(rootNode);
    const int spread = run(part);
    error = error ? error : spread;
  }
  if (brief || node != rootNode || rootPlace == 0) {
    const int spread = within(0);
    error = error ? error : spread;
  }
  return messages.result() ? messages.result() : error;
}

} // namespace gnomon::coll::bcast
