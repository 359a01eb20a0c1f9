// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks that the program starts decide otherwise than the first ones.
#include <math.h>
#include <mpi.h>

static double field[5000];

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm parent, children;
  MPI_Comm_get_parent(&parent);
  int isChild = parent != MPI_COMM_NULL, steps = 0;
  double sum, all;
  do {
    sum = 0;
    for (int i = 1; i < 5000; ++i)
      sum += field[i] = 0.5 * (field[i - 1] + field[i]) + 1;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } while (isfinite(all) && ++steps < 30 + 10 * isChild);
  if (!isChild)
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
  MPI_Barrier(isChild ? parent : children);
  MPI_Comm_disconnect(isChild ? &parent : &children);
  MPI_Finalize();
}
