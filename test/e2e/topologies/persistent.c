/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: every persistent collective gives, at each start, what the blocking call gives for the
   buffers of that moment; its types, ops and (in the large-count form) arrays may go before it;
   ranks may start several in different orders; MPI_Start refuses an active request. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

enum { Ranks = 16, Block = 2, Room = Block * Ranks, Starts = 3 };
static int sent[Room], got[Room], expected[Room], counts[Ranks], at[Ranks], bytes[Ranks];
static MPI_Datatype types[Ranks];

static void fill(int round) {
  for (int i = 0; i < Room; ++i) {
    sent[i] = rank * 1000 + i * 10 + round;
    got[i] = expected[i] = -i - round - rank;
  }
}

/* The blocking call on `expected`, and the persistent one on `got`, Starts times. */
#define COMPARE(blocking, init)                                                                    \
  do {                                                                                             \
    MPI_Request request = MPI_REQUEST_NULL;                                                        \
    init;                                                                                          \
    CHECK(request != MPI_REQUEST_NULL);                                                            \
    for (int round = 0; round < Starts; ++round) {                                                 \
      fill(round);                                                                                 \
      blocking;                                                                                    \
      if (round == 1)                                                                              \
        MPI_Startall(1, &request);                                                                 \
      else                                                                                         \
        MPI_Start(&request);                                                                       \
      MPI_Wait(&request, MPI_STATUS_IGNORE);                                                       \
      CHECK(request != MPI_REQUEST_NULL);                                                          \
      CHECK(memcmp(got, expected, sizeof got) == 0);                                               \
    }                                                                                              \
    MPI_Request_free(&request);                                                                    \
    CHECK(request == MPI_REQUEST_NULL);                                                            \
  } while (0)
#define LAST MPI_COMM_WORLD, MPI_INFO_NULL, &request

static void moves(void) {
  const int root = size - 1;
  COMPARE(MPI_Bcast(expected, 3, MPI_INT, root, MPI_COMM_WORLD),
          MPI_Bcast_init(got, 3, MPI_INT, root, LAST));
  COMPARE(MPI_Gather(sent, Block, MPI_INT, expected, Block, MPI_INT, root, MPI_COMM_WORLD),
          MPI_Gather_init(sent, Block, MPI_INT, got, Block, MPI_INT, root, LAST));
  COMPARE(
      MPI_Gatherv(sent, counts[rank], MPI_INT, expected, counts, at, MPI_INT, root, MPI_COMM_WORLD),
      MPI_Gatherv_init(sent, counts[rank], MPI_INT, got, counts, at, MPI_INT, root, LAST));
  COMPARE(MPI_Scatter(sent, Block, MPI_INT, expected, Block, MPI_INT, root, MPI_COMM_WORLD),
          MPI_Scatter_init(sent, Block, MPI_INT, got, Block, MPI_INT, root, LAST));
  COMPARE(MPI_Scatterv(sent, counts, at, MPI_INT, expected, counts[rank], MPI_INT, root,
                       MPI_COMM_WORLD),
          PMPI_Scatterv_init(sent, counts, at, MPI_INT, got, counts[rank], MPI_INT, root, LAST));
  COMPARE(MPI_Allgather(sent, Block, MPI_INT, expected, Block, MPI_INT, MPI_COMM_WORLD),
          MPI_Allgather_init(sent, Block, MPI_INT, got, Block, MPI_INT, LAST));
  COMPARE(
      MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, expected, Block, MPI_INT, MPI_COMM_WORLD),
      MPI_Allgather_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, Block, MPI_INT, LAST));
  COMPARE(
      MPI_Allgatherv(sent, counts[rank], MPI_INT, expected, counts, at, MPI_INT, MPI_COMM_WORLD),
      MPI_Allgatherv_init(sent, counts[rank], MPI_INT, got, counts, at, MPI_INT, LAST));
  COMPARE(MPI_Alltoall(sent, Block, MPI_INT, expected, Block, MPI_INT, MPI_COMM_WORLD),
          MPI_Alltoall_init(sent, Block, MPI_INT, got, Block, MPI_INT, LAST));
  COMPARE(
      MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, expected, Block, MPI_INT, MPI_COMM_WORLD),
      MPI_Alltoall_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, got, Block, MPI_INT, LAST));
  /* Each rank sends its own number of elements to all, and expects theirs. */
  int out[Ranks];
  for (int r = 0; r < Ranks; ++r)
    out[r] = counts[rank];
  COMPARE(MPI_Alltoallv(sent, out, at, MPI_INT, expected, counts, at, MPI_INT, MPI_COMM_WORLD),
          MPI_Alltoallv_init(sent, out, at, MPI_INT, got, counts, at, MPI_INT, LAST));
  COMPARE(MPI_Alltoallw(sent, out, bytes, types, expected, counts, bytes, types, MPI_COMM_WORLD),
          MPI_Alltoallw_init(sent, out, bytes, types, got, counts, bytes, types, LAST));
  MPI_Count wide[Ranks], wide_out[Ranks];
  MPI_Aint wide_at[Ranks];
  for (int r = 0; r < Ranks; ++r)
    wide[r] = counts[r], wide_out[r] = out[r], wide_at[r] = at[r];
  COMPARE(
      MPI_Alltoallv(sent, out, at, MPI_INT, expected, counts, at, MPI_INT, MPI_COMM_WORLD),
      MPI_Alltoallv_init_c(sent, wide_out, wide_at, MPI_INT, got, wide, wide_at, MPI_INT, LAST));
  COMPARE(
      MPI_Allgatherv(sent, counts[rank], MPI_INT, expected, counts, at, MPI_INT, MPI_COMM_WORLD),
      MPI_Allgatherv_init_c(sent, counts[rank], MPI_INT, got, wide, wide_at, MPI_INT, LAST));
  MPI_Request request;
  fill(0);
  MPI_Allgatherv(sent, counts[rank], MPI_INT, expected, counts, at, MPI_INT, MPI_COMM_WORLD);
  MPI_Iallgatherv_c(sent, counts[rank], MPI_INT, got, wide, wide_at, MPI_INT, MPI_COMM_WORLD,
                    &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(memcmp(got, expected, sizeof got) == 0);
}

static void reductions(void) {
  COMPARE(MPI_Reduce(sent, expected, 5, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD),
          MPI_Reduce_init(sent, got, 5, MPI_INT, MPI_SUM, 0, LAST));
  COMPARE(MPI_Allreduce(sent, expected, Room, MPI_INT, MPI_MAX, MPI_COMM_WORLD),
          MPI_Allreduce_init(sent, got, Room, MPI_INT, MPI_MAX, LAST));
  COMPARE(MPI_Allreduce(MPI_IN_PLACE, expected, Room, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
          MPI_Allreduce_init(MPI_IN_PLACE, got, Room, MPI_INT, MPI_SUM, LAST));
  COMPARE(MPI_Reduce_scatter(sent, expected, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
          MPI_Reduce_scatter_init(sent, got, counts, MPI_INT, MPI_SUM, LAST));
  COMPARE(MPI_Reduce_scatter_block(sent, expected, Block, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
          MPI_Reduce_scatter_block_init(sent, got, Block, MPI_INT, MPI_SUM, LAST));
  COMPARE(MPI_Scan(sent, expected, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
          MPI_Scan_init(sent, got, 4, MPI_INT, MPI_SUM, LAST));
  COMPARE(MPI_Exscan(sent, expected, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
          MPI_Exscan_init(sent, got, 4, MPI_INT, MPI_SUM, LAST));
}

static void last_one(void *in, void *inout, int *length, MPI_Datatype *type) {
  (void)in, (void)inout, (void)length, (void)type; /* what comes from the higher ranks wins */
}

/* The op and the type live as long as the request that uses them. */
static void freed(void) {
  MPI_Op op;
  MPI_Datatype pair;
  MPI_Request request;
  MPI_Op_create(last_one, 0, &op);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Allreduce_init(sent, got, 2, pair, op, LAST);
  MPI_Op_free(&op);
  MPI_Type_free(&pair);
  for (int round = 0; round < Starts; ++round) {
    fill(round);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; ++i)
      CHECK(got[i] == (size - 1) * 1000 + i * 10 + round);
  }
  MPI_Request_free(&request);
}

/* Even ranks start the first request first, odd ranks the second; and nobody waits before all are
 * started. */
static void orders(void) {
  MPI_Request requests[3];
  int one = 1, sum = 0, number = rank, most = -1;
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Allreduce_init(&number, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL,
                     &requests[1]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
  for (int round = 0; round < Starts; ++round) {
    one = round + 1;
    number = rank + round;
    for (int k = 0; k < 3; ++k)
      MPI_Start(&requests[(rank % 2 ? 2 - k : k)]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == size * (round + 1) && most == size - 1 + round);
  }
  for (int k = 0; k < 3; ++k)
    MPI_Request_free(&requests[k]);
}

/* Nobody leaves a barrier's request before the last one has started it. */
static void barrier(void) {
  MPI_Request request;
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int round = 0; round < Starts; ++round) {
    const int late = round % size;
    double before = 0, after;
    MPI_Bcast(&before, 1, MPI_DOUBLE, late, MPI_COMM_WORLD);
    int token = 0;
    if (rank == late)
      for (int i = 0; i < 1000 && size > 1; ++i) /* takes simulated time */
        MPI_Sendrecv(&token, 1, MPI_INT, rank, 1, &token, 1, MPI_INT, rank, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    before = MPI_Wtime();
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    after = MPI_Wtime();
    MPI_Bcast(&before, 1, MPI_DOUBLE, late, MPI_COMM_WORLD);
    CHECK(after >= before);
  }
  MPI_Request_free(&request);
}

static void errors(void) {
  MPI_Request request = MPI_REQUEST_NULL;
  CHECK(class_of(MPI_Start(&request)) == MPI_ERR_REQUEST);
  CHECK(class_of(MPI_Bcast_init(got, -1, MPI_INT, 0, LAST)) == MPI_ERR_COUNT);
  CHECK(class_of(MPI_Bcast_init(got, 1, MPI_INT, size, LAST)) == MPI_ERR_ROOT);
  CHECK(class_of(MPI_Allreduce_init(sent, got, 1, MPI_DOUBLE, MPI_BAND, LAST)) == MPI_ERR_OP);
  CHECK(class_of(MPI_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request)) == MPI_ERR_COMM);
  CHECK(class_of(MPI_Allgather_init(sent, 1, MPI_DATATYPE_NULL, got, 1, MPI_INT, LAST)) ==
        MPI_ERR_TYPE);
  int flag = 0;
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE); /* not started: done */
  CHECK(flag && request != MPI_REQUEST_NULL);
  MPI_Start(&request);
  CHECK(class_of(MPI_Start(&request)) == MPI_ERR_REQUEST);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int r = 0; r < Ranks; ++r) {
    counts[r] = r % 3;
    at[r] = Block * r;
    bytes[r] = at[r] * (int)sizeof(int);
    types[r] = MPI_INT;
  }
  moves();
  reductions();
  freed();
  orders();
  barrier();
  errors();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    puts("persistent: PASSED");
  MPI_Finalize();
  return 0;
}
