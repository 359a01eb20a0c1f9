/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A call of each sort that a trace of communication holds, on 4 ranks. The first argument changes
 * one thing: "peer", "size", "order", "tag", "root", "colour", "op", "counts" change the
 * communication; "poll", "late" and "value" do not. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static const char *change = "";
static int changed(const char *what) { return strcmp(change, what) == 0; }

static void work(double seconds) {
  double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) {
  }
}

static void pointToPoint(int rank) {
  double buffer[8] = {changed("value") ? 5 : 4};
  int count = changed("size") && rank == 0 ? 3 : 4;
  MPI_Request requests[2];
  int to = changed("peer") ? rank ^ 2 : rank ^ 1;
  MPI_Irecv(buffer + 4, 4, MPI_DOUBLE, to, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(buffer, count, MPI_DOUBLE, to, 7, MPI_COMM_WORLD, &requests[1]);
  int flag = 0;
  while (changed("poll") && !flag)
    MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(buffer, 1, MPI_DOUBLE, (rank + 1) % 4, 1, buffer + 4, 2, MPI_DOUBLE, (rank + 3) % 4,
               MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 1 sends to a wildcard of rank 0, which asks for it in one way or another. */
static void wildcards(int rank) {
  int data = rank, tag = changed("tag") ? 12 : 11;
  if (rank == 1) {
    work(changed("late") ? 0.01 : 0);
    MPI_Send(&data, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
  }
  if (rank != 0)
    return;
  MPI_Request request;
  MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  int flag = 0;
  while (!flag)
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

/* A window of memory and a dynamic one, whose displacements are addresses. */
static void windows(int rank) {
  static int box[4];
  MPI_Aint place;
  MPI_Win win, dynamic;
  MPI_Win_create(box, sizeof box, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &dynamic);
  MPI_Win_attach(dynamic, box, sizeof box);
  MPI_Get_address(&box[1], &place);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, (rank + 1) % 4, changed("displacement") ? 3 : 2, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, dynamic);
  MPI_Accumulate(&rank, 1, MPI_INT, rank, place, 1, MPI_INT, MPI_SUM, dynamic);
  MPI_Win_unlock(rank, dynamic);
  for (int i = 0; i < (changed("poll") ? 3 : 1); ++i)
    MPI_Win_sync(win);
  MPI_Win_detach(dynamic, box);
  MPI_Win_free(&dynamic);
  MPI_Win_free(&win);
}

static void persistent(int rank) {
  int in = 0, out = rank;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, (rank + 1) % 4, 3, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void collectives(int rank) {
  MPI_Comm half, grid;
  MPI_Comm_split(MPI_COMM_WORLD, changed("colour") ? rank / 2 : rank % 2, rank, &half);
  double in[4] = {1, 2, 3, 4}, out[16];
  MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_DOUBLE, changed("op") ? MPI_MAX : MPI_SUM, half);
  MPI_Gather(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, changed("root") ? 1 : 0, half);
  int counts[4] = {1, 1, 1, 2}, displacements[4] = {0, 1, 2, 3};
  if (changed("counts"))
    counts[1] = 0;
  MPI_Allgatherv(in, counts[rank], MPI_DOUBLE, out, counts, displacements, MPI_DOUBLE,
                 MPI_COMM_WORLD);
  int dims[2] = {2, 2}, periods[2] = {0, 1};
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  if (changed("order"))
    MPI_Barrier(grid);
  MPI_Bcast(out, 3, MPI_FLOAT, 0, grid);
  if (!changed("order"))
    MPI_Barrier(grid);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&half);
}

static void betweenGroups(int rank) {
  MPI_Comm half, inter;
  int told = rank, low = rank < 2;
  MPI_Comm_split(MPI_COMM_WORLD, low, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, low ? 2 : 0, 6, &inter);
  MPI_Bcast(&told, 1, MPI_INT, low ? rank == 0 ? MPI_ROOT : MPI_PROC_NULL : 0, inter);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  change = argc > 1 ? argv[1] : "";
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pointToPoint(rank);
  MPI_Barrier(MPI_COMM_WORLD);
  wildcards(rank);
  MPI_Barrier(MPI_COMM_WORLD); /* nothing else for the wildcard of any tag */
  persistent(rank);
  collectives(rank);
  betweenGroups(rank);
  windows(rank);
  if (changed("abort") && rank == 2)
    MPI_Abort(MPI_COMM_WORLD, 9);
  MPI_Finalize();
  return 0;
}
