/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * As many reductions as the argument says. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  double mine = 1, sum = 0;
  for (int i = atoi(argv[1]); i > 0; --i)
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
