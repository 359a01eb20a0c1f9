/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Intent: nonblocking collectives, ops that do not fit, persistent neighbourhoods, modes of sending
 * and attached buffers do in C what they say. */
#include "Check.h"

#include <stdlib.h>

static int next, previous;
static int *everyone, *ones, *bytes_at, *own, *got; /* arrays with an element for each rank */
static MPI_Datatype *types;

static int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}

static void done(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

static void clear(void) {
  for (int i = 0; i < size; ++i)
    got[i] = -1;
}

static int is_everyone(const int *values, int factor, int plus) {
  for (int i = 0; i < size; ++i)
    if (values[i] != factor * i + plus)
      return 0;
  return 1;
}

static void rooted(void) {
  MPI_Request request;
  int value = rank == 0 ? 42 : -1;
  MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(value == 42);
  clear();
  MPI_Igather(&rank, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(rank != 0 || is_everyone(got, 1, 0));
  clear();
  MPI_Igatherv(&rank, 1, MPI_INT, got, ones, everyone, MPI_INT, 0, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(rank != 0 || is_everyone(got, 1, 0));
  MPI_Iscatter(everyone, 1, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(value == rank);
  MPI_Iscatterv(bytes_at, ones, everyone, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(value == rank * (int)sizeof(int));
}

static void exchanged(void) {
  MPI_Request request;
  for (int i = 0; i < size; ++i)
    own[i] = 100 * rank + i;
  clear();
  MPI_Iallgather(&rank, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(is_everyone(got, 1, 0));
  clear();
  MPI_Ialltoall(own, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(is_everyone(got, 100, rank));
  clear();
  MPI_Ialltoallv(own, ones, everyone, MPI_INT, got, ones, everyone, MPI_INT, MPI_COMM_WORLD,
                 &request);
  done(&request);
  CHECK(is_everyone(got, 100, rank));
  clear();
  MPI_Ialltoallw(own, ones, bytes_at, types, got, ones, bytes_at, types, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(is_everyone(got, 100, rank));
  /* Sent as a pair, received as two integers. */
  int *pairs = malloc(2 * (size_t)size * sizeof *pairs),
      *from = malloc(2 * (size_t)size * sizeof *from);
  int *places = malloc((size_t)size * sizeof *places), *twos = malloc((size_t)size * sizeof *twos);
  MPI_Datatype *pair = malloc((size_t)size * sizeof *pair);
  for (int i = 0; i < size; ++i) {
    pairs[2 * i] = 100 * rank + i, pairs[2 * i + 1] = -1;
    places[i] = 2 * i * (int)sizeof(int), twos[i] = 2, pair[i] = MPI_2INT;
  }
  MPI_Alltoallw(pairs, ones, places, pair, from, twos, places, types, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    CHECK(from[2 * i] == 100 * i + rank && from[2 * i + 1] == -1);
  free(pairs), free(from), free(places), free(twos), free(pair);
}

static void reduced(void) {
  MPI_Request request;
  int total = size * (size - 1) / 2, value = 0, in[2] = {1, 2}, inout[2] = {10, 20}, commutes = 0;
  MPI_Ireduce(&rank, &value, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(rank != 0 || value == total);
  for (int i = 0; i < size; ++i)
    own[i] = rank + i;
  MPI_Ireduce_scatter(own, &value, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(value == total + size * rank);
  value = 0;
  MPI_Ireduce_scatter_block(own, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(value == total + size * rank);
  value = 0;
  MPI_Iexscan(&rank, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  done(&request);
  CHECK(value == rank * (rank - 1) / 2);
  MPI_Reduce_local(in, inout, 2, MPI_INT, MPI_SUM);
  CHECK(inout[0] == 11 && inout[1] == 22);
  MPI_Op_commutative(MPI_SUM, &commutes);
  CHECK(commutes);
}

/* Every reduction, however it is started, refuses an op that its type has no meaning for. */
static void refused(void) {
  double mine[64] = {0}, all[64];
  MPI_Request request;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
#define REFUSED(call) CHECK(class_of(call) == MPI_ERR_OP)
#define PERSISTENT(name, ...)                                                                      \
  REFUSED(MPI_##name##_init(mine, all, __VA_ARGS__, comm, MPI_INFO_NULL, &request))
  REFUSED(MPI_Reduce(mine, all, 1, MPI_DOUBLE, MPI_BAND, 0, comm));
  REFUSED(MPI_Ireduce(mine, all, 1, MPI_DOUBLE, MPI_BAND, 0, comm, &request));
  PERSISTENT(Reduce, 1, MPI_DOUBLE, MPI_BAND, 0);
  REFUSED(MPI_Allreduce(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm));
  REFUSED(MPI_Iallreduce(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm, &request));
  PERSISTENT(Allreduce, 1, MPI_DOUBLE, MPI_BAND);
  REFUSED(MPI_Scan(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm));
  REFUSED(MPI_Iscan(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm, &request));
  PERSISTENT(Scan, 1, MPI_DOUBLE, MPI_BAND);
  REFUSED(MPI_Exscan(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm));
  REFUSED(MPI_Iexscan(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm, &request));
  PERSISTENT(Exscan, 1, MPI_DOUBLE, MPI_BAND);
  REFUSED(MPI_Reduce_scatter(mine, all, ones, MPI_DOUBLE, MPI_BAND, comm));
  REFUSED(MPI_Ireduce_scatter(mine, all, ones, MPI_DOUBLE, MPI_BAND, comm, &request));
  PERSISTENT(Reduce_scatter, ones, MPI_DOUBLE, MPI_BAND);
  REFUSED(MPI_Reduce_scatter_block(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm));
  REFUSED(MPI_Ireduce_scatter_block(mine, all, 1, MPI_DOUBLE, MPI_BAND, comm, &request));
  PERSISTENT(Reduce_scatter_block, 1, MPI_DOUBLE, MPI_BAND);
  /* A type without a name is not for MPI's own ops. */
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  REFUSED(MPI_Allreduce(mine, all, 1, pair, MPI_SUM, comm));
  MPI_Type_free(&pair);
  MPI_Comm_free(&comm);
}

/* Once more for each way to start it: nonblocking, and persistent. */
static void around(MPI_Comm ring, int left, int right) {
  int sent[2] = {10 * rank, 10 * rank + 1}, from[2], at[2] = {0, 1}, swapped[2] = {1, 0},
      one[2] = {1, 1};
  MPI_Aint where[2] = {0, sizeof(int)};
  MPI_Request request;
  for (int persistent = 0; persistent < 2; ++persistent)
    for (int call = 0; call < 5; ++call) {
      from[0] = from[1] = -1;
      switch (2 * call + persistent) {
      case 0:
        MPI_Ineighbor_allgather(sent, 1, MPI_INT, from, 1, MPI_INT, ring, &request);
        break;
      case 1:
        MPI_Neighbor_allgather_init(sent, 1, MPI_INT, from, 1, MPI_INT, ring, MPI_INFO_NULL,
                                    &request);
        break;
      case 2:
        MPI_Ineighbor_allgatherv(sent, 1, MPI_INT, from, one, swapped, MPI_INT, ring, &request);
        break;
      case 3:
        MPI_Neighbor_allgatherv_init(sent, 1, MPI_INT, from, one, swapped, MPI_INT, ring,
                                     MPI_INFO_NULL, &request);
        break;
      case 4:
        MPI_Ineighbor_alltoall(sent, 1, MPI_INT, from, 1, MPI_INT, ring, &request);
        break;
      case 5:
        MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, from, 1, MPI_INT, ring, MPI_INFO_NULL,
                                   &request);
        break;
      case 6:
        MPI_Ineighbor_alltoallv(sent, one, at, MPI_INT, from, one, at, MPI_INT, ring, &request);
        break;
      case 7:
        MPI_Neighbor_alltoallv_init(sent, one, at, MPI_INT, from, one, at, MPI_INT, ring,
                                    MPI_INFO_NULL, &request);
        break;
      case 8:
        MPI_Ineighbor_alltoallw(sent, one, where, types, from, one, where, types, ring, &request);
        break;
      case 9:
        MPI_Neighbor_alltoallw_init(sent, one, where, types, from, one, where, types, ring,
                                    MPI_INFO_NULL, &request);
        break;
      }
      if (persistent)
        MPI_Start(&request);
      done(&request);
      if (persistent)
        MPI_Request_free(&request);
      if (call == 0)
        CHECK(from[0] == 10 * left && from[1] == 10 * right);
      else if (call == 1)
        CHECK(from[1] == 10 * left && from[0] == 10 * right);
      else
        CHECK(from[0] == 10 * left + 1 && from[1] == 10 * right);
    }
  from[0] = from[1] = -1;
  MPI_Neighbor_allgatherv(sent, 1, MPI_INT, from, one, swapped, MPI_INT, ring);
  CHECK(from[1] == 10 * left && from[0] == 10 * right);
  MPI_Neighbor_alltoallw(sent, one, where, types, from, one, where, types, ring);
  CHECK(from[0] == 10 * left + 1 && from[1] == 10 * right);
}

static void grids(void) {
  MPI_Comm grid, row;
  int dims[2] = {size, 1}, periods[2] = {1, 0}, coordinates[2], kept[2] = {1, 0}, ndims, left,
      right, number;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cartdim_get(grid, &ndims);
  dims[0] = periods[0] = coordinates[0] = -1;
  MPI_Cart_get(grid, 2, dims, periods, coordinates);
  CHECK(ndims == 2 && dims[0] == size && periods[0] == 1 && coordinates[0] == rank);
  MPI_Cart_map(MPI_COMM_WORLD, 2, dims, periods, &number);
  CHECK(number == rank);
  MPI_Cart_sub(grid, kept, &row);
  MPI_Cartdim_get(row, &ndims);
  CHECK(ndims == 1);
  MPI_Cart_shift(row, 0, 1, &left, &right);
  if (size >= 3)
    around(row, left, right);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
}

static void modes(void) {
  int from[3] = {-1, -1, -1};
  MPI_Request requests[6];
  for (int i = 0; i < 3; ++i)
    MPI_Irecv(&from[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &requests[i]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irsend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[3]);
  MPI_Issend(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[4]);
  MPI_Rsend(&rank, 1, MPI_INT, next, 2, MPI_COMM_WORLD);
  MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  CHECK(from[0] == previous && from[1] == previous && from[2] == previous);
  MPI_Recv_init(&from[0], 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(&from[1], 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Ssend_init(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Rsend_init(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[3]);
  for (int round = 0; round < 2; ++round) {
    from[0] = from[1] = -1;
    MPI_Startall(2, requests);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Startall(2, requests + 2);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(from[0] == previous && from[1] == previous);
  }
  for (int i = 0; i < 4; ++i)
    MPI_Request_free(&requests[i]);
}

static void buffers(void) {
  char space[4000];
  void *address;
  int bytes, from;
  MPI_Request request;
  MPI_Session session;
  MPI_Buffer_attach(space, sizeof space);
  MPI_Ibsend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
  done(&request);
  MPI_Recv(&from, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(from == previous);
  MPI_Bsend_init(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  done(&request);
  from = -1;
  MPI_Recv(&from, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(from == previous);
  MPI_Request_free(&request);
  CHECK(MPI_Buffer_flush() == MPI_SUCCESS);
  MPI_Buffer_iflush(&request);
  done(&request);
  CHECK(MPI_Comm_flush_buffer(MPI_COMM_WORLD) == MPI_SUCCESS);
  MPI_Buffer_detach(&address, &bytes);
  CHECK(address == space && bytes == (int)sizeof space);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  CHECK(MPI_Session_flush_buffer(session) == MPI_SUCCESS);
  MPI_Session_iflush_buffer(session, &request);
  done(&request);
  MPI_Session_finalize(&session);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  int **arrays[] = {&everyone, &ones, &bytes_at, &own, &got};
  for (int i = 0; i < 5; ++i)
    *arrays[i] = malloc((size_t)size * sizeof(int));
  types = malloc((size_t)(size + 2) * sizeof *types);
  for (int i = 0; i < size + 2; ++i)
    types[i] = MPI_INT;
  for (int i = 0; i < size; ++i) {
    everyone[i] = i;
    ones[i] = 1;
    bytes_at[i] = i * (int)sizeof(int);
  }
  rooted();
  exchanged();
  reduced();
  refused();
  grids();
  modes();
  buffers();
  return finish("operations");
}
