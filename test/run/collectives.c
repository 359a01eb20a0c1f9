/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * collectives COUNT: each collective once, on COUNT integers a rank; rank
 * 0 prints how long each took, and everybody complains about wrong results. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, count, wrong;

static void expect(const char *name, int is, int should) {
  if (is != should && ++wrong)
    printf("WRONG %s on rank %d: %d, not %d\n", name, rank, is, should);
}

/* All together: a collective that waits for others would not be measured alone. */
static double start(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

static void report(const char *name, double begin) {
  if (rank == 0)
    printf("%s %.9f\n", name, MPI_Wtime() - begin);
}

static void reductions(int *one, int *other) {
  const int all = size * (size - 1) / 2;
  double begin = start();
  MPI_Allreduce(one, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  report("allreduce", begin), expect("allreduce", other[count - 1], all);
  begin = start();
  MPI_Reduce(one, other, count, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  report("reduce", begin), expect("reduce", rank ? size - 1 : other[0], size - 1);
  begin = start();
  MPI_Scan(one, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  report("scan", begin), expect("scan", other[0], rank * (rank + 1) / 2);
  begin = start();
  MPI_Request request;
  MPI_Iallreduce(one, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  report("iallreduce", begin), expect("iallreduce", other[count - 1], all);
}

static void movements(int *one, int *other) {
  double begin = start();
  MPI_Barrier(MPI_COMM_WORLD);
  report("barrier", begin);
  other[0] = rank == 1 ? 77 : 0;
  begin = start();
  MPI_Bcast(other, count, MPI_INT, 1, MPI_COMM_WORLD);
  report("bcast", begin), expect("bcast", other[0], 77);
  begin = start();
  MPI_Allgather(one, count, MPI_INT, other, count, MPI_INT, MPI_COMM_WORLD);
  report("allgather", begin), expect("allgather", other[(size - 1) * count], size - 1);
  begin = start();
  MPI_Gather(one, count, MPI_INT, other, count, MPI_INT, 0, MPI_COMM_WORLD);
  report("gather", begin);
  for (int r = 0; r < size; ++r)
    other[r * count] = 100 * rank + r;
  begin = start();
  MPI_Alltoall(MPI_IN_PLACE, count, MPI_INT, other, count, MPI_INT, MPI_COMM_WORLD);
  report("alltoall", begin), expect("alltoall", other[(size - 1) * count], 100 * (size - 1) + rank);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  count = argc > 1 ? atoi(argv[1]) : 1;
  int *one = malloc((size_t)count * sizeof *one);
  int *other = malloc((size_t)count * (size_t)size * sizeof *other);
  for (int i = 0; i < count; ++i)
    one[i] = rank;
  reductions(one, other);
  movements(one, other);
  MPI_Request request;
  int done = 0;
  MPI_Iallreduce(one, other, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  while (!done)
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  if (argc > 2 && rank == 0) /* the others wait for nobody */
    MPI_Barrier(MPI_COMM_SELF);
  else if (argc > 2)
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return wrong != 0;
}
