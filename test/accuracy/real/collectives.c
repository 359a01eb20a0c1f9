/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * collectives NAME COUNT ROOT OP: one call of one collective, COUNT bytes (reductions: integers)
 * from or to each rank; OP is sum or ordered (an operation that does not commute). MPI_Pcontrol
 * marks the call for whoever counts messages. Nothing else communicates. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void first(void *in, void *inout, int *count, MPI_Datatype *type) {
  memcpy(inout, in, (size_t)*count * 4);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 5)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const char *name = argv[1];
  int rank, size, count = atoi(argv[2]), root = atoi(argv[3]);
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  char *out = calloc((size_t)count * (size_t)size + 1, 4),
       *in = calloc((size_t)count * (size_t)size + 1, 4);
  int *counts = malloc(3 * (size_t)size * sizeof *counts), *starts = counts + size;
  MPI_Datatype *types = malloc((size_t)size * sizeof *types);
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    starts[i] = i * count;
    types[i] = MPI_BYTE;
  }
  MPI_Op op = MPI_SUM;
  if (strcmp(argv[4], "ordered") == 0)
    MPI_Op_create(first, 0, &op);

  MPI_Pcontrol(1);
  if (strcmp(name, "barrier") == 0)
    MPI_Barrier(world);
  else if (strcmp(name, "bcast") == 0)
    MPI_Bcast(out, count, MPI_BYTE, root, world);
  else if (strcmp(name, "reduce") == 0)
    MPI_Reduce(out, in, count, MPI_INT, op, root, world);
  else if (strcmp(name, "allreduce") == 0)
    MPI_Allreduce(out, in, count, MPI_INT, op, world);
  else if (strcmp(name, "reduce_scatter") == 0)
    MPI_Reduce_scatter(out, in, counts, MPI_INT, op, world);
  else if (strcmp(name, "reduce_scatter_block") == 0)
    MPI_Reduce_scatter_block(out, in, count, MPI_INT, op, world);
  else if (strcmp(name, "scan") == 0)
    MPI_Scan(out, in, count, MPI_INT, op, world);
  else if (strcmp(name, "exscan") == 0)
    MPI_Exscan(out, in, count, MPI_INT, op, world);
  else if (strcmp(name, "gather") == 0)
    MPI_Gather(out, count, MPI_BYTE, in, count, MPI_BYTE, root, world);
  else if (strcmp(name, "gatherv") == 0)
    MPI_Gatherv(out, count, MPI_BYTE, in, counts, starts, MPI_BYTE, root, world);
  else if (strcmp(name, "scatter") == 0)
    MPI_Scatter(out, count, MPI_BYTE, in, count, MPI_BYTE, root, world);
  else if (strcmp(name, "scatterv") == 0)
    MPI_Scatterv(out, counts, starts, MPI_BYTE, in, count, MPI_BYTE, root, world);
  else if (strcmp(name, "allgather") == 0)
    MPI_Allgather(out, count, MPI_BYTE, in, count, MPI_BYTE, world);
  else if (strcmp(name, "allgatherv") == 0)
    MPI_Allgatherv(out, count, MPI_BYTE, in, counts, starts, MPI_BYTE, world);
  else if (strcmp(name, "alltoall") == 0)
    MPI_Alltoall(out, count, MPI_BYTE, in, count, MPI_BYTE, world);
  else if (strcmp(name, "alltoall_inplace") == 0)
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_BYTE, in, count, MPI_BYTE, world);
  else if (strcmp(name, "alltoallv") == 0)
    MPI_Alltoallv(out, counts, starts, MPI_BYTE, in, counts, starts, MPI_BYTE, world);
  else if (strcmp(name, "alltoallw") == 0)
    MPI_Alltoallw(out, counts, starts, types, in, counts, starts, types, world);
  else if (strcmp(name, "each") == 0) /* tells a tracer which endpoint is which rank */
    for (int i = 0; i < size; ++i)
      MPI_Sendrecv(out, i + 1, MPI_BYTE, i, 0, in, rank + 1, MPI_BYTE, i, 0, world,
                   MPI_STATUS_IGNORE);
  else
    MPI_Abort(world, 2);
  MPI_Pcontrol(0);

  MPI_Finalize();
  free(out);
  free(in);
  free(counts);
  free(types);
  return 0;
}
