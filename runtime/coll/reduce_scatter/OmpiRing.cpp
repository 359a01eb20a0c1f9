// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A partial result of each block goes around the ring, collecting every rank's contribution, and
/// ends where it belongs; the receive of the next one is posted while the last one is added and
/// passed on. The op must commute.
/// Cost: n - 1 rounds; n (n - 1) messages of one block: for long vectors.
/// Source: Open MPI 4.1, coll_base_reduce_scatter (ring).
#include "coll/Reduction.h"
#include "coll/reduce_scatter/ReduceScatter.h"

namespace gnomon::coll::reduce_scatter {

int ring(const ReduceScatterArgs &args) {
  Messages messages(args);
  const int n = args.size, left = (args.rank - 1 + n) % n, right = (args.rank + 1) % n;
  const Datatype &type = *args.type;
  const std::vector<int64_t> offsets = blockOffsets(args);
  auto input = [&](int block) {
    return at(args.input(), offsets[static_cast<size_t>(block)], type);
  };
  const Block own{args.recv, args.countOf(args.rank), &type};
  if (n == 1) {
    copyBlock({input(0), own.count, &type}, own);
    return 0;
  }
  // What is being sent, what has come, and what is about to come.
  const int64_t largest = largestBlock(args);
  TypedScratch first(largest, type), second(largest, type);
  void *buffers[] = {first.data(), second.data()};
  auto incoming = [&](int step) {
    return Block{buffers[step % 2], args.countOf((args.rank - step - 1 + n) % n), &type};
  };
  messages.irecv(incoming(1), left);
  messages.send(input(left), args.countOf(left), type, right);
  for (int step = 1; step < n; ++step) {
    if (step + 1 < n)
      messages.irecv(incoming(step + 1), left);
    messages.waitFirst();
    const int block = (args.rank - step - 1 + n) % n;
    const Block partial = incoming(step);
    args.op->apply(input(block), partial.data, partial.count, type);
    if (step + 1 < n)
      messages.send(partial.data, partial.count, type, right);
    else
      copyBlock({partial.data, partial.count, &type}, own);
  }
  return messages.result();
}

} // namespace gnomon::coll::reduce_scatter
