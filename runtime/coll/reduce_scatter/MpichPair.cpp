// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In step i each rank sends its contribution to the block of the rank i after it and gets one to
/// its own from the rank i before it. The op must commute.
/// Cost: n - 1 rounds; n (n - 1) messages of one block.
/// Source: MPICH, reduce_scatter_intra_pairwise.
#include "coll/Reduction.h"
#include "coll/reduce_scatter/ReduceScatter.h"

namespace gnomon::coll::reduce_scatter {

int pairwise(const ReduceScatterArgs &args) {
  Messages messages(args);
  const int n = args.size;
  const Datatype &type = *args.type;
  const std::vector<int64_t> offsets = blockOffsets(args);
  const int64_t own = args.countOf(args.rank);
  auto input = [&](int block) {
    return at(args.input(), offsets[static_cast<size_t>(block)], type);
  };
  TypedScratch value(own, type), incoming(own, type);
  copyBlock({input(args.rank), own, &type}, {value.data(), own, &type});
  for (int step = 1; step < n; ++step) {
    const int dest = (args.rank + step) % n, source = (args.rank - step + n) % n;
    messages.sendrecv({input(dest), args.countOf(dest), &type}, dest, {incoming.data(), own, &type},
                      source);
    args.op->apply(incoming.data(), value.data(), own, type);
  }
  copyBlock({value.data(), own, &type}, {args.recv, own, &type});
  return messages.result();
}

} // namespace gnomon::coll::reduce_scatter
