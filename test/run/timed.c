/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives timed as wholes on 5 ranks, with blocks of different sizes: rank 0 prints how long
 * each took, and everybody complains about wrong results. */
#include <mpi.h>
#include <stdio.h>

enum { Ranks = 5, Room = 128 };
static int rank, sent[Room], got[Room];
static const MPI_Comm *world;

static void expect(const char *name, int is, int should) {
  if (is != should)
    printf("WRONG %s on rank %d: %d, not %d\n", name, rank, is, should);
}

/* How long what stands behind it takes, after all have come. */
#define TIME(name, ...)                                                                            \
  do {                                                                                             \
    for (int i = 0; i < Room; ++i)                                                                 \
      sent[i] = rank + 1, got[i] = 0;                                                              \
    MPI_Barrier(*world);                                                                           \
    const double begin = MPI_Wtime();                                                              \
    __VA_ARGS__;                                                                                   \
    if (rank == 0)                                                                                 \
      printf("%s %.9f\n", name, MPI_Wtime() - begin);                                              \
  } while (0)

static const int counts[Ranks] = {1, 3, 5, 2, 4}, places[Ranks] = {0, 5, 10, 15, 20};

static void rooted(void) {
  TIME("bcast", MPI_Bcast(got, 10, MPI_INT, 0, *world));
  TIME("reduce", MPI_Reduce(sent, got, 9, MPI_INT, MPI_SUM, 0, *world));
  TIME("gather", MPI_Gather(sent, 3, MPI_INT, got, 3, MPI_INT, 1, *world));
  TIME("scatter", MPI_Scatter(sent, 5, MPI_INT, got, 5, MPI_INT, 1, *world));
  TIME("gatherv",
       MPI_Gatherv(sent, counts[rank], MPI_INT, got, counts, places, MPI_INT, 2, *world));
  expect("gatherv", got[23], rank == 2 ? 5 : 0);
  TIME("scatterv",
       MPI_Scatterv(sent, counts, places, MPI_INT, got, counts[rank], MPI_INT, 2, *world));
  expect("scatterv", got[counts[rank] - 1], 3);
  /* Elsewhere than at the root there are no counts, and one rank has nothing to do. */
  int few[Ranks] = {1, 1, 1, 1, 0};
  TIME("gatherv", MPI_Gatherv(sent, few[rank], MPI_INT, got, rank ? NULL : few,
                              rank ? NULL : places, MPI_INT, 0, *world));
  TIME("scatterv", MPI_Scatterv(sent, rank ? NULL : few, rank ? NULL : places, MPI_INT, got,
                                few[rank], MPI_INT, 0, *world));
}

static void everywhere(void) {
  TIME("allgather", MPI_Allgather(sent, 3, MPI_INT, got, 3, MPI_INT, *world));
  TIME("allgatherv",
       MPI_Allgatherv(sent, counts[rank], MPI_INT, got, counts, places, MPI_INT, *world));
  expect("allgatherv", got[14], 3);
  TIME("allreduce", MPI_Allreduce(sent, got, 8, MPI_INT, MPI_SUM, *world));
  expect("allreduce", got[7], 15);
  TIME("scan", MPI_Scan(sent, got, 7, MPI_INT, MPI_SUM, *world));
  TIME("exscan", MPI_Exscan(sent, got, 6, MPI_INT, MPI_SUM, *world));
  TIME("reduce_scatter", MPI_Reduce_scatter(sent, got, counts, MPI_INT, MPI_SUM, *world));
  TIME("reduce_scatter", MPI_Reduce_scatter_block(sent, got, 3, MPI_INT, MPI_SUM, *world));
}

/* Ranks r and s exchange (r + s) % 3 + 1 elements; what a rank keeps for itself is more. */
static void exchanged(void) {
  int numbers[Ranks], at[Ranks], bytes[Ranks];
  MPI_Datatype pairs[Ranks];
  for (int r = 0; r < Ranks; ++r) {
    numbers[r] = r == rank ? 9 : (r + rank) % 3 + 1;
    at[r] = 10 * r;
    bytes[r] = 4 * at[r];
    pairs[r] = MPI_2INT;
  }
  TIME("alltoall", MPI_Alltoall(sent, 4, MPI_INT, got, 4, MPI_INT, *world));
  TIME("alltoallv", MPI_Alltoallv(sent, numbers, at, MPI_INT, got, numbers, at, MPI_INT, *world));
  expect("alltoallv", got[10 * (Ranks - 1)], Ranks);
  TIME("alltoallv", MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, got, numbers, at,
                                  MPI_INT, *world));
  numbers[rank] = 4;
  TIME("alltoallw", MPI_Alltoallw(sent, numbers, bytes, pairs, got, numbers, bytes, pairs, *world));
}

/* On a line nobody is beside its ends: what would go there counts for nothing. Nor does what goes
 * from a rank to itself. */
static void neighbours(void) {
  const int size = Ranks, open = 0, around[2] = {1, 1}, dims[2] = {Ranks, 1};
  int numbers[4] = {2, 4, 30, 30}, at[4] = {0, 30, 60, 90};
  MPI_Comm line, torus;
  MPI_Cart_create(*world, 1, &size, &open, 0, &line);
  MPI_Cart_create(*world, 2, dims, around, 0, &torus);
  if (rank == 0)
    numbers[0] = 20;
  if (rank == Ranks - 1)
    numbers[1] = 20;
  int from[2] = {4, 2};
  TIME("neighbor",
       MPI_Neighbor_alltoallv(sent, numbers, at, MPI_INT, got, from, at, MPI_INT, line));
  int even[4] = {3, 3, 30, 30};
  TIME("neighbor", MPI_Neighbor_alltoallv(sent, even, at, MPI_INT, got, even, at, MPI_INT, torus));
  MPI_Comm_free(&line), MPI_Comm_free(&torus);
}

static void nothing(void) {
  TIME("nothing", MPI_Bcast(got, 0, MPI_INT, 0, *world));
  TIME("alone", MPI_Allreduce(sent, got, 8, MPI_INT, MPI_SUM, MPI_COMM_SELF));
}

/* Operations under way at the same time keep apart. */
static void together(void) {
  MPI_Comm part;
  MPI_Request requests[2];
  const int low = rank < 3;
  MPI_Comm_split(*world, low, 0, &part);
  TIME("one of two",
       for (int i = 0; i < (low ? 1 : 3); ++i) MPI_Allreduce(sent, got, 8, MPI_INT, MPI_SUM, part));
  expect("part", got[0], low ? 6 : 9);
  int sum = 0, most = 0;
  TIME("late", {
    if (!low)
      MPI_Allreduce(sent, got, 8, MPI_INT, MPI_SUM, part);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, *world, &requests[0]);
    MPI_Iallreduce(&rank, &most, 1, MPI_INT, MPI_MAX, *world, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  });
  expect("sum", sum, 10), expect("most", most, 4);
  MPI_Allreduce_init(sent, got, 8, MPI_INT, MPI_SUM, *world, MPI_INFO_NULL, &requests[0]);
  for (int i = 0; i < 3; ++i)
    TIME("again", {
      MPI_Start(&requests[0]);
      MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    });
  MPI_Request_free(&requests[0]), MPI_Comm_free(&part);
}

int main(int argc, char **argv) {
  MPI_Comm all;
  MPI_Init(&argc, &argv);
  MPI_Comm_dup(MPI_COMM_WORLD, &all);
  MPI_Comm_rank(all, &rank);
  world = &all;
  rooted(), everywhere(), exchanged(), neighbours(), nothing(), together();
  MPI_Comm_free(&all);
  MPI_Finalize();
  return 0;
}
