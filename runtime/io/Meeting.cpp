// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "io/Meeting.h"

#include "coll/Timed.h"
#include "mpi.h"

namespace gnomon::io {

void synchronise(mpi::Comm &comm, int tag) {
  if (comm.size() == 1)
    return;
  int64_t sent = 0, received = 0;
  coll::AllreduceArgs args{{{comm, comm.rank(), comm.size(), tag},
                            &sent,
                            &received,
                            1,
                            &mpi::Datatype::predefined(MPI_INT64_T),
                            &mpi::Op::predefined(MPI_MAX)}};
  coll::perform(args);
}

} // namespace gnomon::io
