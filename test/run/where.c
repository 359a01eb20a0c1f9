// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says where each rank is and what it got: the options of `gnomon run` show in what this prints.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int rank, length, sum;
  char host[MPI_MAX_PROCESSOR_NAME], name[256] = "", directory[4096] = "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(host, &length);
  gethostname(name, sizeof name);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  const char *variable = getenv("WHERE_VARIABLE");
  printf("rank %d on %s variable %s directory %s%s\n", rank, host, variable ? variable : "-",
         getcwd(directory, sizeof directory), strcmp(host, name) ? " NAMES DIFFER" : "");
  if (rank == 0)
    printf("time %.17g\n", MPI_Wtime());
  MPI_Finalize();
  return argc > 1 && rank == 0 ? atoi(argv[1]) : 0;
}
