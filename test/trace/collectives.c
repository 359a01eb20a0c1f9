/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collectives as recordings tell them: at a root and elsewhere, in place, with several operations,
 * nonblocking, and on an intercommunicator, where some ranks look on. */
#include <mpi.h>
#include <stdlib.h>

static int rank, ranks;

static void reduce(MPI_Op user) {
  const MPI_Op ops[] = {MPI_SUM, MPI_MAX, user};
  double mine = 1, sum[2];
  for (int i = 0; i < 6; ++i)
    MPI_Reduce(&mine, sum, 1, MPI_DOUBLE, ops[i % 3], i % 2, MPI_COMM_WORLD);
  MPI_Reduce(rank == 1 ? MPI_IN_PLACE : sum, sum, 2, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Scan(&mine, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
}

static void move(MPI_Comm comm) {
  int mine = rank, *all = calloc((size_t)ranks, 2 * sizeof *all);
  int counts[64], places[64];
  for (int i = 0; i < ranks; ++i)
    counts[i] = 1, places[i] = i;
  MPI_Bcast(&mine, 1, MPI_INT, ranks - 1, comm);
  MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, 1, comm);
  MPI_Gatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, 1, comm);
  MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 0, comm);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
  MPI_Request requests[2];
  MPI_Igather(&mine, 1, MPI_INT, all, 1, MPI_INT, 0, comm, &requests[0]);
  MPI_Ibarrier(comm, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Barrier(comm);
  free(all);
}

/* Rank 0 of the even ones sends to the odd ones. */
static void across(void) {
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);
  int value = rank, got[2];
  const int root = rank % 2 ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  MPI_Bcast(&value, 1, MPI_INT, root, inter);
  MPI_Gather(&value, 1, MPI_INT, got, 1, MPI_INT, root, inter);
  MPI_Allreduce(&value, got, 1, MPI_INT, MPI_SUM, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

static void keepLarger(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *length; ++i)
    if (((double *)in)[i] > ((double *)inout)[i])
      ((double *)inout)[i] = ((double *)in)[i];
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Op user;
  MPI_Op_create(keepLarger, 1, &user);
  for (int i = 0; i < 3; ++i)
    reduce(user);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  for (int i = 0; i < 3; ++i)
    move(copy);
  MPI_Comm_free(&copy);
  across();
  MPI_Op_free(&user);
  MPI_Finalize();
  return 0;
}
