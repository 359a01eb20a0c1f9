// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// In step i ranks exchange with rank xor i, if there is a power of two of them; else each sends to
/// the rank i after it and receives from the rank i before it.
/// Cost: n - 1 rounds; n (n - 1) messages of b bytes.
/// Source: MPICH, alltoall_intra_pairwise.
#include "coll/Messages.h"
#include "coll/alltoall/Alltoall.h"

namespace gnomon::coll::alltoall {

int pairOrRing(const AlltoallArgs &args) {
  return isPowerOfTwo(args.size) ? pair(args) : ring(args);
}

} // namespace gnomon::coll::alltoall
