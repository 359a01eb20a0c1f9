// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By host, where the ranks of each host follow one another: a scan within each host; its last rank
/// gives the host's sum to the leader; a scan among the leaders, each of which passes its result to
/// the next host's; that is spread within the host and added in front.
/// Cost: the scans, which the selector chooses, two more messages of B bytes in a row, a broadcast
/// of a flag and one of B bytes within each host.
/// Source: MPICH, scan_intra_smp.
#include "coll/Messages.h"
#include "coll/Nodes.h"
#include "coll/Scratch.h"
#include "coll/Selection.h"
#include "coll/scan/Scan.h"

namespace gnomon::coll::scan {

int smp(const ScanArgs &args) {
  const auto nodes = nodesOf(args);
  const int node = nodes->node[static_cast<size_t>(args.rank)];
  const std::vector<int> &near = nodes->members[static_cast<size_t>(node)];
  const int place = nodes->within(args.rank), last = static_cast<int>(near.size()) - 1;
  const int hosts = static_cast<int>(nodes->leaders.size());
  const ScanArgs here = among(args, near, place);
  const Datatype &type = *args.type;
  Messages messages(args);
  TypedScratch sum(args.count, type), prefix(args.count, type), before(args.count, type);
  int error = 0;
  auto keep = [&](int next) { error = error ? error : next; };

  if (last > 0)
    keep(run(here));
  else if (!inPlace(args.send))
    mpi::copyTyped(args.send, args.count, type, args.recv, args.count, type);
  if (place == last && last > 0)
    messages.send(args.recv, args.count, type, near.front());
  if (place == 0) {
    if (last > 0)
      messages.recv(sum.data(), args.count, type, near.back());
    ScanArgs across = among(args, nodes->leaders, node);
    across.send = last > 0 ? sum.data() : args.recv;
    across.recv = prefix.data();
    keep(hosts > 1 ? run(across) : 0);
    if (node + 1 < hosts)
      messages.send(prefix.data(), args.count, type, nodes->leaders[static_cast<size_t>(node) + 1]);
    if (node > 0)
      messages.recv(before.data(), args.count, type, nodes->leaders[static_cast<size_t>(node) - 1]);
  }
  if (last > 0) { // whether there is anything to add
    int flag = node == 0;
    keep(run(BcastArgs{here, &flag, sizeof flag, &Messages::byte(), 0}));
  }
  if (node > 0) {
    if (last > 0)
      keep(run(BcastArgs{here, before.data(), args.count, args.type, 0}));
    args.op->apply(before.data(), args.recv, args.count, type);
  }
  return error ? error : messages.result();
}

} // namespace gnomon::coll::scan
