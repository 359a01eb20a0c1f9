// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <iostream>
#include <mpi.h>
#include <vector>

static std::vector<int> ranks;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ranks.resize(size);
  MPI_Allgather(&rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, MPI_COMM_WORLD);
  int sum = 0;
  for (const int value : ranks)
    sum += value;
  if (rank == 0)
    std::cout << "c++: " << size << " ranks, sum " << sum << std::endl;
  MPI_Finalize();
}
