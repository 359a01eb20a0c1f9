// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reduce the whole vector to rank 0 (in order of ranks when the op does not commute), then scatter
/// it. Cost: a reduce of B bytes and a scatter. Source: Open MPI 4.1, coll_base_reduce_scatter
/// (non-overlapping).
#include "coll/Reduction.h"
#include "coll/reduce/Reduce.h"
#include "coll/reduce_scatter/ReduceScatter.h"
#include "coll/scatter/Scatter.h"

namespace gnomon::coll::reduce_scatter {

int nonoverlapping(const ReduceScatterArgs &args) {
  const Call call{args.comm, args.rank, args.size, args.tag};
  const int64_t total = args.total(), own = args.countOf(args.rank);
  TypedScratch whole(args.rank == 0 ? total : 0, *args.type);
  const ReduceArgs reduction{{call, args.input(), whole.data(), total, args.type, args.op}, 0};
  const int error =
      args.op->commutative() ? reduce::binomial(reduction) : reduce::inOrderBinary(reduction);
  ScatterArgs scattering{call,      whole.data(), args.count, nullptr,   nullptr,
                         args.type, args.recv,    own,        args.type, 0};
  if (!args.counts) {
    const int scatterError = scatter::binomial(scattering);
    return error ? error : scatterError;
  }
  std::vector<int> displacements(static_cast<size_t>(args.size));
  for (size_t r = 1; r < displacements.size(); ++r)
    displacements[r] = displacements[r - 1] + args.counts[r - 1];
  scattering.counts = args.counts;
  scattering.displacements = displacements.data();
  const int scatterError = scatter::basicLinear(scattering);
  return error ? error : scatterError;
}

} // namespace gnomon::coll::reduce_scatter
