// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As input.c: how fast the sum shrinks is read by a stream of C++.
#include <fstream>
#include <mpi.h>

static double u[2000];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double factor = 0, sum = 1;
  std::ifstream("in.dat") >> factor;
  for (double &value : u)
    value = 1;
  while (sum > 0.02) {
    double mine = 0;
    for (double &value : u)
      mine += (value *= factor) / 2000;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
