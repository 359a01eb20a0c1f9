// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What a call of MPI costs by itself: MPI_Comm_rank through its C and Fortran entries, and a
/// checked call with four arguments that sends nothing. Two readings of the burst clock are part of
/// each.
#include "mpi/test/MpiWorld.h"

#include <benchmark/benchmark.h>

extern "C" void mpi_comm_rank_(int *, int *, int *);

namespace {

template <class Call> void onOneRank(benchmark::State &state, Call call) {
  gnomon::test::MpiWorld world(1);
  world.run([&](gnomon::mpi::Comm &) {
    for (auto _ : state)
      call();
  });
}

void commRank(benchmark::State &state) {
  onOneRank(state, [] {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    benchmark::DoNotOptimize(rank);
  });
}
BENCHMARK(commRank);

void commRankFortran(benchmark::State &state) {
  onOneRank(state, [] {
    int world = 0x101, rank, error;
    mpi_comm_rank_(&world, &rank, &error);
    benchmark::DoNotOptimize(rank);
  });
}
BENCHMARK(commRankFortran);

void sendToNobody(benchmark::State &state) {
  onOneRank(state, [] {
    int value = 0;
    PMPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  });
}
BENCHMARK(sendToNobody);

} // namespace
