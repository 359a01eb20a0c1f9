// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Logical ring: a reduce-scatter goes around the ring, then an allgather; ranks send and receive
/// at once. The op must commute.
/// Cost: 2 (n - 1) rounds; 2 n (n - 1) messages of about B / n bytes: the least bytes per rank, for
/// very long vectors.
/// Source: Patarasuk, Yuan 2009; STAR-MPI, allreduce lr.
#include "coll/Reduction.h"
#include "coll/allreduce/Allreduce.h"

namespace gnomon::coll::allreduce {

int logicalRing(const AllreduceArgs &args) {
  Messages messages(args);
  Accumulator value(args, args.recv);
  const Datatype &type = *args.type;
  const int n = args.size, left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  auto first = [&](int block) { return args.count * block / n; };
  auto blockOf = [&](void *data, int block) {
    return Block{at(data, first(block), type), first(block + 1) - first(block), &type};
  };
  for (int step = 0; step < n - 1; ++step) {
    const Block out = blockOf(value.value(), (args.rank - step + n) % n);
    const int arriving = (args.rank - step - 1 + n) % n;
    const Block in = blockOf(value.incoming(), arriving);
    messages.sendrecv({out.data, out.count, &type}, right, in, left);
    args.op->apply(in.data, blockOf(value.value(), arriving).data, in.count, type);
  }
  for (int step = 0; step < n - 1; ++step) {
    const Block out = blockOf(value.value(), (args.rank + 1 - step + n) % n);
    const Block in = blockOf(value.value(), (args.rank - step + n) % n);
    messages.sendrecv({out.data, out.count, &type}, right, in, left);
  }
  return messages.result();
}

} // namespace gnomon::coll::allreduce
