// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes, sends around a ring and reduces: every figure of a platform shows in its time.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Count = 20000, Steps = 3 };

int main(int argc, char **argv) {
  static double mine[Count], theirs[Count], sum[Count];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, before = (rank + size - 1) % size;
  for (int step = 0; step < Steps; ++step) {
    for (int i = 0; i < Count; ++i)
      mine[i] = mine[i] * 0.5 + rank + step;
    MPI_Sendrecv(mine, Count, MPI_DOUBLE, next, 1, theirs, Count, MPI_DOUBLE, before, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(theirs, sum, Count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (argc > 1 && strcmp(argv[1], "fail") == 0) {
    fprintf(stderr, "ring: no way\n");
    return 7;
  }
  if (argc > 1 && strcmp(argv[1], "leave") == 0) {
    execl("/bin/true", "true", (char *)0);
    return 1;
  }
  if (argc > 2 && strcmp(argv[1], "hang") == 0) { // says who it is, and goes on
    if (rank == 0) {
      char name[4096];
      snprintf(name, sizeof name, "%s/%d", argv[2], (int)getpid());
      fclose(fopen(name, "w"));
    }
    for (;;)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  // A run leaves a mark; four ranks and more wait for a file, and three fail where there is another one.
  if (argc > 2 && strcmp(argv[1], "wait") == 0) {
    char name[4096], go[4096], no[4096];
    snprintf(name, sizeof name, "%s/%d-%d", argv[2], size, (int)getpid());
    snprintf(go, sizeof go, "%s/go", argv[2]);
    snprintf(no, sizeof no, "%s/no", argv[2]);
    if (rank == 0)
      fclose(fopen(name, "w"));
    if (size == 3 && access(no, F_OK) == 0)
      return 7;
    while (size > 3 && access(go, F_OK) != 0)
      MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0)
    printf("sum %g\n", sum[0]);
  return MPI_Finalize();
}
