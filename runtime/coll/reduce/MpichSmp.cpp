// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// By host: the operands are added within each host but the root's, at its leader; the leaders, and
/// the ranks of the root's host for theirs, reduce to the leader of the root's host; that host's
/// ranks reduce to the root. The op must commute.
/// Cost: that of the reductions within a host and among the leaders, which the selector chooses.
/// Source: MPICH, reduce_intra_smp, and, with the leader of the first host in the place of the root
/// and a last message to it, ch4's composition alpha.
#include "coll/Messages.h"
#include "coll/Nodes.h"
#include "coll/Scratch.h"
#include "coll/Selection.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::reduce {

namespace {

int part(const ReduceArgs &args, const std::vector<int> &members, int place, int root,
         const void *send, void *recv) {
  ReduceArgs some = among(args, members, place);
  some.root = root;
  some.send = send;
  some.recv = recv;
  return run(some);
}

} // namespace

int smp(const ReduceArgs &args) {
  const auto nodes = nodesOf(args);
  const auto node = static_cast<size_t>(nodes->node[static_cast<size_t>(args.rank)]);
  const int rootNode = nodes->node[static_cast<size_t>(args.root)];
  const std::vector<int> &near = nodes->members[node];
  const int place = nodes->within(args.rank);
  const bool rootIsHere = static_cast<int>(node) == rootNode, isRoot = args.rank == args.root;
  TypedScratch partial(place == 0 && !isRoot ? args.count : 0, *args.type);
  const void *send = args.send;
  int error = 0;
  if (near.size() > 1 && !rootIsHere) {
    error = part(args, near, place, 0, send, partial.data());
    send = partial.data();
  }
  if (place == 0 && nodes->leaders.size() > 1) {
    void *result = isRoot ? args.recv : partial.data();
    const void *own = isRoot ? args.send : send;
    const int joined = part(args, nodes->leaders, static_cast<int>(node), rootNode, own,
                            rootIsHere ? result : nullptr);
    error = error ? error : joined;
    send = isRoot ? reinterpret_cast<const void *>(uintptr_t{1}) : result; // in place now
  }
  if (near.size() > 1 && rootIsHere) {
    const int joined = part(args, near, place, nodes->within(args.root), send, args.recv);
    error = error ? error : joined;
  }
  return error;
}

int compositionAlpha(const ReduceArgs &args) {
  const auto nodes = nodesOf(args);
  const auto node = static_cast<size_t>(nodes->node[static_cast<size_t>(args.rank)]);
  const std::vector<int> &near = nodes->members[node];
  const int place = nodes->within(args.rank);
  const bool keeps = args.rank == 0 && args.root == 0;
  TypedScratch within(place == 0 && !keeps ? args.count : 0, *args.type);
  TypedScratch all(args.rank == 0 && !keeps ? args.count : 0, *args.type);
  void *partial = keeps ? args.recv : within.data();
  const void *send = args.input();
  int error = 0;
  if (near.size() > 1) {
    const bool stays = keeps && inPlace(args.send);
    error = part(args, near, place, 0, stays ? args.send : send, partial);
    send = partial;
  }
  void *result = keeps ? args.recv : all.data();
  if (place == 0 && nodes->leaders.size() > 1) {
    const void *own = send == result ? reinterpret_cast<const void *>(uintptr_t{1}) : send;
    const int joined = part(args, nodes->leaders, static_cast<int>(node), 0, own, result);
    error = error ? error : joined;
  } else if (args.rank == 0) {
    result = partial;
  }
  Messages messages(args);
  if (args.root != 0 && args.rank == 0)
    messages.send(result, args.count, *args.type, args.root);
  else if (args.root != 0 && args.rank == args.root)
    messages.recv(args.recv, args.count, *args.type, 0);
  return error ? error : messages.result();
}

} // namespace gnomon::coll::reduce
