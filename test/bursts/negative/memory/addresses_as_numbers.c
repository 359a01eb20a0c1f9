// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: addresses are computed as integers and copied over pointers; counts lie where these lead.
#include <mpi.h>
#include <stdint.h>
#include <string.h>

static int cells[32];
static uint64_t numbers[100];
static int *places[100];

__attribute__((noinline)) static void copy(void *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
}

int main(int argc, char **argv) {
  double out[100] = {0}, in[100];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 32; ++i)
    cells[i] = i + 1;
  for (int step = 0; step < 8; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < 100; ++i)
      numbers[i] = (uint64_t)(uintptr_t)cells + (uint64_t)((i * 7 + i * step) % 31) * sizeof(int);
    copy(places, numbers, sizeof(numbers) / (size_t)ranks * (size_t)ranks);
    MPI_Sendrecv(out, *places[5], MPI_DOUBLE, (rank + 1) % ranks, 0, in, 100, MPI_DOUBLE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
}
