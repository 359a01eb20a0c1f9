// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A binary tree in which every subtree is a range of ranks with its root at the upper end, so the
/// op need not commute. The result is at the last rank, which sends it to the root.
/// Cost: 2 ceil(log2 n) messages deep; n - 1 messages of B bytes (one more when the root is not the
/// last rank), or segments, if asked for.
/// Source: Open MPI 4.1, coll_base_reduce (in-order binary tree).
#include "coll/Messages.h"
#include "coll/Scratch.h"
#include "coll/reduce/Reduce.h"
#include "coll/reduce/Segmented.h"

namespace gnomon::coll::reduce {

int inOrderBinary(const ReduceArgs &args) {
  const int last = args.size - 1;
  const Tree tree = Tree::inOrderBinary(args);
  const int64_t segment = segmentOf(args, 0);
  if (args.root == last)
    return segmented(args, tree, segment);
  const Datatype &type = *args.type;
  Messages messages(args);
  int error = 0;
  if (args.rank == last) {
    TypedScratch result(args.count, type);
    error = segmented(args, tree, segment, result.data());
    messages.send(result.data(), args.count, type, args.root);
  } else {
    error = segmented(args, tree, segment);
    if (args.rank == args.root)
      messages.recv(args.recv, args.count, type, last);
  }
  return error ? error : messages.result();
}

} // namespace gnomon::coll::reduce
