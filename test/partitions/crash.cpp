// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank that crashes in a static function of a static function's.
#include <mpi.h>

namespace {
[[gnu::noinline]] void writeTo(volatile int *where, int value) { *where = value; }
[[gnu::noinline]] void choose(int rank) {
  int place = 0;
  writeTo(rank == 1 ? reinterpret_cast<int *>(16) : &place, rank);
}
} // namespace

extern "C" {
[[gnu::noinline]] static void callChoose(int rank) { choose(rank); }
}

int main(int argc, char **argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  callChoose(rank);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
