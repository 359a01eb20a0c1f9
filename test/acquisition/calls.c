// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: calls of many kinds by 4 ranks, whose records do not depend on when anything happens:
// each receive from any source has one possible sender, each poll one possible result.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, ranks, left, right;
static double in[64], out[64];
static MPI_Comm world;

static void messages(void) {
  MPI_Status status;
  MPI_Request requests[4];
  MPI_Datatype vector;
  MPI_Type_vector(4, 2, 3, MPI_DOUBLE, &vector);
  MPI_Type_commit(&vector);
  MPI_Sendrecv(out, 8, MPI_DOUBLE, right, 1, in, 64, MPI_DOUBLE, left, MPI_ANY_TAG, world, &status);
  MPI_Sendrecv_replace(out, 8, MPI_INT, right, 2, left, 2, world, MPI_STATUS_IGNORE);
  for (int round = 0; round < 5; ++round) {
    MPI_Irecv(in, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 3, world, &requests[0]);
    MPI_Irecv(in + 32, 1, vector, left, MPI_ANY_TAG, world, &requests[1]);
    MPI_Isend(out, 16, MPI_DOUBLE, right, 3, world, &requests[2]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Issend(out, 1, vector, right, 4, world, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Type_free(&vector);
  // The same handle may stand for both: a send to nobody is done at once.
  MPI_Isend(out, 1, MPI_INT, MPI_PROC_NULL, 0, world, &requests[0]);
  MPI_Isend(out, 2, MPI_INT, MPI_PROC_NULL, 0, world, &requests[1]);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  if (rank == 0)
    MPI_Ssend(out, 3, MPI_CHAR, 1, 9, world);
  else if (rank == 1)
    MPI_Recv(in, 3, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
}

static void probes(void) {
  MPI_Message message;
  MPI_Request request;
  int flag = 0;
  if (rank % 2 == 0) {
    for (int tag = 11; tag < 15; ++tag)
      MPI_Send(out, tag, MPI_INT, rank + 1, tag, world);
    return;
  }
  MPI_Probe(rank - 1, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
  MPI_Recv(in, 11, MPI_INT, rank - 1, 11, world, MPI_STATUS_IGNORE);
  while (!flag)
    MPI_Iprobe(MPI_ANY_SOURCE, 12, world, &flag, MPI_STATUS_IGNORE);
  MPI_Recv(in, 12, MPI_INT, MPI_ANY_SOURCE, 12, world, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(in, 13, MPI_INT, &message, MPI_STATUS_IGNORE);
  flag = 0;
  while (!flag)
    MPI_Improbe(rank - 1, 14, world, &flag, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(in, 14, MPI_INT, &message, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void polls(void) {
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int flag = 0, indx, count, indices[3];
  for (int i = 0; i < 3; ++i)
    requests[i] = MPI_REQUEST_NULL;
  MPI_Irecv(in, 4, MPI_INT, left, 21, world, &requests[1]);
  MPI_Send(out, 4, MPI_INT, right, 21, world);
  while (!flag)
    MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, &requests[2]);
  MPI_Send(out, 4, MPI_INT, right, 22, world);
  MPI_Waitany(3, requests, &indx, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 4, MPI_INT, left, 23, world, &requests[0]);
  MPI_Send(out, 4, MPI_INT, right, 23, world);
  MPI_Waitsome(3, requests, &count, indices, statuses);
  MPI_Irecv(in, 4, MPI_INT, MPI_ANY_SOURCE, 24, world, &requests[0]);
  MPI_Irecv(in, 4, MPI_INT, left, 25, world, &requests[1]);
  MPI_Send(out, 4, MPI_INT, right, 24, world);
  MPI_Send(out, 4, MPI_INT, right, 25, world);
  flag = 0;
  while (!flag)
    MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
}

static void persistent(void) {
  MPI_Request requests[2];
  MPI_Send_init(out, 5, MPI_DOUBLE, right, 31, world, &requests[0]);
  MPI_Recv_init(in, 5, MPI_DOUBLE, left, MPI_ANY_TAG, world, &requests[1]);
  for (int round = 0; round < 3; ++round) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void add(void *from, void *to, int *length, MPI_Datatype *type) {
  for (int i = 0; i < *length; ++i)
    ((int *)to)[i] += ((int *)from)[i];
}

static void collectives(MPI_Comm comm) {
  int size, own, counts[8], evenly[8], places[8];
  static int a[256], b[256];
  MPI_Op sum;
  MPI_Request request;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &own);
  for (int i = 0; i < size; ++i) {
    counts[i] = i + 1;
    evenly[i] = 2;
    places[i] = 8 * i;
  }
  MPI_Op_create(add, 0, &sum);
  MPI_Barrier(comm);
  MPI_Bcast(a, 7, MPI_INT, size - 1, comm);
  MPI_Reduce(a, b, 7, MPI_INT, MPI_MAX, 0, comm);
  MPI_Reduce(own == 0 ? MPI_IN_PLACE : a, b, 7, MPI_INT, sum, 0, comm);
  MPI_Allreduce(MPI_IN_PLACE, b, 9, MPI_INT, MPI_SUM, comm);
  MPI_Gather(a, 3, MPI_INT, b, 3, MPI_INT, 0, comm);
  MPI_Gatherv(a, own + 1, MPI_INT, b, counts, places, MPI_INT, 0, comm);
  MPI_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, 0, comm);
  MPI_Scatterv(a, counts, places, MPI_INT, b, own + 1, MPI_INT, 0, comm);
  MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, comm);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, b, counts, places, MPI_INT, comm);
  MPI_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, comm);
  MPI_Alltoallv(a, evenly, places, MPI_INT, b, evenly, places, MPI_INT, comm);
  MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, comm);
  MPI_Scan(a, b, 2, MPI_INT, MPI_SUM, comm);
  MPI_Exscan(a, b, 2, MPI_INT, MPI_SUM, comm);
  MPI_Ibarrier(comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Iallreduce(a, b, 4, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Op_free(&sum);
}

static void communicators(void) {
  MPI_Comm half, dup, grid, line, inter, merged, graph;
  MPI_Request request;
  MPI_Group group, few;
  int sizes[2] = {2, 2}, periods[2] = {1, 0}, remain[2] = {1, 0}, first[1] = {0};
  MPI_Comm_split(world, rank % 2, -rank, &half);
  MPI_Barrier(half);
  MPI_Comm_split(world, rank == 0 ? MPI_UNDEFINED : 1, 0, &dup);
  if (dup != MPI_COMM_NULL)
    MPI_Comm_free(&dup);
  MPI_Comm_dup(half, &dup);
  MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, dup);
  MPI_Comm_free(&dup);
  MPI_Comm_idup(half, &dup, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(dup);
  MPI_Comm_free(&dup);
  MPI_Comm_group(world, &group);
  MPI_Group_incl(group, 1, first, &few);
  MPI_Comm_create(world, few, &dup);
  if (dup != MPI_COMM_NULL)
    MPI_Comm_free(&dup);
  MPI_Group_free(&few);
  MPI_Group_free(&group);
  MPI_Cart_create(world, 2, sizes, periods, 0, &grid);
  MPI_Cart_sub(grid, remain, &line);
  MPI_Bcast(in, 3, MPI_DOUBLE, 0, line);
  MPI_Neighbor_alltoall(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, grid);
  MPI_Dist_graph_create_adjacent(world, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_allgather(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, graph);
  MPI_Intercomm_create(half, 0, world, rank % 2 ? 2 : 3, 5, &inter);
  MPI_Barrier(inter);
  MPI_Intercomm_merge(inter, rank % 2, &merged);
  MPI_Barrier(merged);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&line);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&half);
}

static void windows(void) {
  MPI_Win win;
  double *memory, value = 1;
  MPI_Win_allocate(64 * sizeof(double), sizeof(double), MPI_INFO_NULL, world, &memory, &win);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(&value, 1, MPI_DOUBLE, right, 3, 1, MPI_DOUBLE, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(&value, 1, MPI_DOUBLE, left, 4, 1, MPI_DOUBLE, MPI_SUM, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
  MPI_Get(in, 8, MPI_DOUBLE, right, 0, 8, MPI_DOUBLE, win);
  MPI_Win_unlock(right, win);
  MPI_Win_free(&win);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = (rank + ranks - 1) % ranks;
  right = (rank + 1) % ranks;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  const double begin = MPI_Wtime();
  messages();
  probes();
  polls();
  persistent();
  communicators();
  collectives(world);
  collectives(MPI_COMM_SELF);
  windows();
  if (MPI_Wtime() < begin)
    puts("the clock goes backwards");
  MPI_Comm_free(&world);
  MPI_Finalize();
  return 0;
}
