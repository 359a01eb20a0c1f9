// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binary tree in which every subtree is a range of ranks [low, high] with its root at high: left
/// child, right child and the node itself are in the order of ranks, so the op need not commute.
/// The result is at the last rank, which sends it to the root. Cost: 2 ceil(log2 n) messages deep;
/// n - 1 messages of B bytes (one more when the root is not the last rank). Source: Open MPI 4.1,
/// coll_base_reduce (in-order binary tree), unsegmented.
#include "coll/Reduction.h"
#include "coll/reduce/Reduce.h"

namespace gnomon::coll::reduce {

int inOrderBinary(const ReduceArgs &args) {
  Messages messages(args);
  int low = 0, high = args.size - 1, parent = -1;
  while (high != args.rank) { // descend to the subtree whose root this rank is
    parent = high;
    const int right =
        low + (high - low) / 2; // left subtree [low, right), right subtree [right, high)
    if (args.rank < right) {
      high = right - 1;
    } else {
      low = right;
      high = high - 1;
    }
  }
  const int last = args.size - 1;
  if (low == high && parent >= 0) {
    messages.send(args.input(), args.count, *args.type, parent);
  } else {
    const bool keeps = args.rank == args.root && args.root == last;
    Accumulator value(args, keeps ? args.recv : nullptr);
    const int right = low + (high - low) / 2;
    for (int child : {high - 1, right - 1}) {
      if (child < low)
        continue;
      messages.recv(value.in(), child);
      value.fromLower();
    }
    if (parent >= 0)
      messages.send(value.out(), parent);
    else if (args.root != last)
      messages.send(value.out(), args.root);
    value.finish();
  }
  if (args.rank == args.root && args.root != last)
    messages.recv(args.recv, args.count, *args.type, last);
  return messages.result();
}

} // namespace gnomon::coll::reduce
