// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reduce the whole vector to rank 0, then scatter it, with the algorithms that the selector
/// chooses.
/// Cost: that of the two.
/// Source: Open MPI 4.1, coll_base_reduce_scatter (non-overlapping) and
/// coll_base_reduce_scatter_block (basic linear).
#include "coll/Algorithm.h"
#include "coll/Reduction.h"
#include "coll/Selection.h"
#include "coll/reduce_scatter/ReduceScatter.h"

namespace gnomon::coll::reduce_scatter {

int nonoverlapping(const ReduceScatterArgs &args) {
  const int64_t total = args.total(), own = args.countOf(args.rank);
  TypedScratch whole(args.rank == 0 ? total : 0, *args.type);
  const int error =
      run(ReduceArgs{{args, args.input(), whole.data(), total, args.type, args.op}, 0});
  ScatterArgs scattering{args,      whole.data(), args.count, nullptr,   nullptr,
                         args.type, args.recv,    own,        args.type, 0};
  if (!args.counts) {
    const int scatterError = run(scattering);
    return error ? error : scatterError;
  }
  std::vector<int64_t> displacements(static_cast<size_t>(args.size));
  for (size_t r = 1; r < displacements.size(); ++r)
    displacements[r] = displacements[r - 1] + args.counts[r - 1];
  scattering.counts = args.counts;
  scattering.displacements = displacements.data();
  const int scatterError = run(ScattervArgs{scattering});
  return error ? error : scatterError;
}

} // namespace gnomon::coll::reduce_scatter
