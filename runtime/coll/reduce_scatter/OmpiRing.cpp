// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A partial result of each block goes around the ring, collecting every rank's contribution, and
/// ends where it belongs. The op must commute. Cost: n - 1 rounds; n (n - 1) messages of one block:
/// for long vectors. Source: Open MPI 4.1, coll_base_reduce_scatter (ring).
#include "coll/Reduction.h"
#include "coll/reduce_scatter/ReduceScatter.h"

namespace gnomon::coll::reduce_scatter {

int ring(const ReduceScatterArgs &args) {
  Messages messages(args);
  const int n = args.size, left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  const Datatype &type = *args.type;
  const std::vector<int64_t> offsets = blockOffsets(args);
  const int64_t largest = largestBlock(args);
  TypedScratch first(largest, type), second(largest, type);
  auto input = [&](int block) {
    return at(args.input(), offsets[static_cast<size_t>(block)], type);
  };
  const void *partial = input(left);
  void *incoming = first.data(), *other = second.data();
  for (int step = 1; step < n; ++step) {
    const int out = (args.rank - step + n) % n, in = (args.rank - step - 1 + n) % n;
    messages.sendrecv({partial, args.countOf(out), &type}, right,
                      {incoming, args.countOf(in), &type}, left);
    args.op->apply(input(in), incoming, args.countOf(in), type);
    partial = incoming;
    std::swap(incoming, other);
  }
  copyBlock({n == 1 ? input(0) : partial, args.countOf(args.rank), &type},
            {args.recv, args.countOf(args.rank), &type});
  return messages.result();
}

} // namespace gnomon::coll::reduce_scatter
