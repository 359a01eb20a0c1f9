/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * collectives NAME COUNT…: one collective; COUNT integers from or to each rank. For each count
 * every rank prints how long the call took it. */
#include "patterns.h"

int rank, size;
char *out, *in;

static void run(const char *name, int count) {
  MPI_Comm world = MPI_COMM_WORLD;
  int *counts = malloc(2 * (size_t)size * sizeof *counts), *starts = counts + size;
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    starts[i] = i * count;
  }
  if (strcmp(name, "barrier") == 0)
    MPI_Barrier(world);
  else if (strcmp(name, "bcast") == 0)
    MPI_Bcast(out, count, MPI_INT, 0, world);
  else if (strcmp(name, "reduce") == 0)
    MPI_Reduce(out, in, count, MPI_INT, MPI_SUM, 0, world);
  else if (strcmp(name, "allreduce") == 0)
    MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, world);
  else if (strcmp(name, "reduce_scatter") == 0)
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, world);
  else if (strcmp(name, "gather") == 0)
    MPI_Gather(out, count, MPI_INT, in, count, MPI_INT, 0, world);
  else if (strcmp(name, "scatter") == 0)
    MPI_Scatter(out, count, MPI_INT, in, count, MPI_INT, 0, world);
  else if (strcmp(name, "allgather") == 0)
    MPI_Allgather(out, count, MPI_INT, in, count, MPI_INT, world);
  else if (strcmp(name, "allgatherv") == 0)
    MPI_Allgatherv(out, count, MPI_INT, in, counts, starts, MPI_INT, world);
  else if (strcmp(name, "alltoall") == 0)
    MPI_Alltoall(out, count, MPI_INT, in, count, MPI_INT, world);
  else if (strcmp(name, "alltoallv") == 0)
    MPI_Alltoallv(out, counts, starts, MPI_INT, in, counts, starts, MPI_INT, world);
  else
    MPI_Abort(world, 2);
  free(counts);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long most = 0;
  for (int i = 2; i < argc; ++i)
    most = atol(argv[i]) > most ? atol(argv[i]) : most;
  out = calloc((size_t)most * (size_t)size + 1, sizeof(int));
  in = calloc((size_t)most * (size_t)size + 1, sizeof(int));
  for (int i = 2; i < argc; ++i) {
    assemble();
    double start = MPI_Wtime();
    run(argv[1], atoi(argv[i]));
    report(argv[1], atol(argv[i]), MPI_Wtime() - start);
  }
  MPI_Finalize();
  return 0;
}
