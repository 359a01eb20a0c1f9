// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: wrong calls on windows give the error classes of the standard, raised on the window where
// there is one and else on the communicator.
#include "../topologies/check.h"
#include <stdlib.h>

static int data[8];
static MPI_Win win;

static void arguments(void) {
  int value = 0;
  MPI_Datatype mixed, lengths[2] = {MPI_INT, MPI_DOUBLE};
  const int ones[2] = {1, 1};
  const MPI_Aint places[2] = {0, 8};
  MPI_Type_create_struct(2, ones, places, lengths, &mixed);
  CHECK_CLASS(MPI_Put(&value, 1, mixed, 0, 0, 1, mixed, win), MPI_ERR_TYPE); // not committed
  MPI_Type_commit(&mixed);
  MPI_Win_fence(0, win);
  CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, size, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, 0, 0, -1, MPI_INT, win), MPI_ERR_COUNT);
  CHECK_CLASS(MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, 0, -1, 1, MPI_INT, win), MPI_ERR_DISP);
  CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, 0, 8, 1, MPI_INT, win), MPI_ERR_RMA_RANGE);
  CHECK_CLASS(MPI_Get(&value, 1, MPI_INT, 0, 7, 2, MPI_INT, win), MPI_ERR_RMA_RANGE);
  CHECK_CLASS(MPI_Get(&value, 1, MPI_INT, 0, 0, 2, MPI_INT, win), MPI_ERR_TRUNCATE);
  CHECK_CLASS(MPI_Put(NULL, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_BUFFER);
  CHECK_CLASS(MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win), MPI_ERR_OP);
  CHECK_CLASS(MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_MINLOC, win), MPI_ERR_OP);
  CHECK_CLASS(MPI_Accumulate(&data, 1, mixed, 0, 0, 1, mixed, MPI_SUM, win), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Fetch_and_op(&value, &value, mixed, 0, 0, MPI_SUM, win), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Compare_and_swap(&value, &value, &value, MPI_FLOAT, 0, 0, win), MPI_ERR_TYPE);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Type_free(&mixed);
  CHECK_CLASS(MPI_Win_fence(3, win), MPI_ERR_ASSERT);
  CHECK_CLASS(MPI_Win_lock(5, 0, 0, win), MPI_ERR_LOCKTYPE);
  CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, -9, 0, win), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Win_start(MPI_GROUP_NULL, 0, win), MPI_ERR_GROUP);
  CHECK_CLASS(MPI_Win_set_attr(win, MPI_WIN_SIZE, NULL), MPI_ERR_KEYVAL);
}

// Which bytes a derived type touches, at the window's ends.
static void ranges(void) {
  int value[4] = {0};
  MPI_Datatype apart, behind, before, backwards;
  const int two = 2;
  const MPI_Aint minus = -8;
  MPI_Type_create_resized(MPI_INT, 0, 8, &apart);
  MPI_Type_create_indexed_block(1, 1, &two, MPI_INT, &behind);
  MPI_Type_create_hindexed_block(1, 1, &minus, MPI_INT, &before);
  MPI_Type_create_resized(MPI_INT, 0, -4, &backwards);
  MPI_Datatype *const all[] = {&apart, &behind, &before, &backwards};
  for (int i = 0; i < 4; ++i)
    MPI_Type_commit(all[i]);
  MPI_Win_fence(0, win);
  CHECK_CLASS(MPI_Get(value, 1, MPI_INT, 0, 7, 1, apart, win), MPI_SUCCESS);
  CHECK_CLASS(MPI_Get(value, 2, MPI_INT, 0, 5, 2, apart, win), MPI_SUCCESS);
  CHECK_CLASS(MPI_Get(value, 2, MPI_INT, 0, 6, 2, apart, win), MPI_ERR_RMA_RANGE);
  CHECK_CLASS(MPI_Get(value, 1, MPI_INT, 0, 5, 1, behind, win), MPI_SUCCESS);
  CHECK_CLASS(MPI_Get(value, 1, MPI_INT, 0, 6, 1, behind, win), MPI_ERR_RMA_RANGE);
  CHECK_CLASS(MPI_Get(value, 1, MPI_INT, 0, 2, 1, before, win), MPI_SUCCESS);
  CHECK_CLASS(MPI_Get(value, 1, MPI_INT, 0, 9, 1, before, win), MPI_SUCCESS);
  CHECK_CLASS(MPI_Get(value, 1, MPI_INT, 0, 1, 1, before, win), MPI_ERR_RMA_RANGE);
  CHECK_CLASS(MPI_Get(value, 2, MPI_INT, 0, 1, 2, backwards, win), MPI_SUCCESS);
  CHECK_CLASS(MPI_Get(value, 2, MPI_INT, 0, 7, 2, backwards, win), MPI_SUCCESS);
  CHECK_CLASS(MPI_Get(value, 2, MPI_INT, 0, 0, 2, backwards, win), MPI_ERR_RMA_RANGE);
  // Where nothing moves it does not matter where.
  CHECK_CLASS(MPI_Get(value, 1, MPI_INT, 0, 100, 0, MPI_INT, win), MPI_SUCCESS);
  CHECK_CLASS(
      MPI_Get_accumulate(value, 1, MPI_INT, value, 0, MPI_INT, 0, 100, 1, MPI_INT, MPI_NO_OP, win),
      MPI_SUCCESS);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; i < 4; ++i)
    MPI_Type_free(all[i]);
}

// Accumulates take types of one predefined type, fetches and swaps the predefined types alone.
static void elements(void) {
  struct {
    int a;
    double b;
  } both = {0, 0};
  int value = 0, result = 0;
  MPI_Request request;
  MPI_Datatype mixed, nested, one, copy, of_mixed[2] = {MPI_INT, MPI_DOUBLE}, of_nested[2];
  const int ones[2] = {1, 1};
  const MPI_Aint places[2] = {0, 8}, apart[2] = {0, 16};
  MPI_Type_create_struct(2, ones, places, of_mixed, &mixed);
  of_nested[0] = mixed;
  of_nested[1] = MPI_INT;
  MPI_Type_create_struct(2, ones, apart, of_nested, &nested);
  MPI_Type_contiguous(1, MPI_INT, &one);
  MPI_Type_dup(MPI_INT, &copy);
  MPI_Datatype *const all[] = {&mixed, &nested, &one, &copy};
  for (int i = 0; i < 4; ++i)
    MPI_Type_commit(all[i]);
  MPI_Win_fence(0, win);
  CHECK_CLASS(MPI_Accumulate(data, 1, nested, 0, 0, 1, nested, MPI_SUM, win), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Accumulate(&both, 1, mixed, 0, 0, 3, MPI_INT, MPI_SUM, win), MPI_ERR_TYPE);
  CHECK_CLASS(
      MPI_Get_accumulate(&both, 1, mixed, &result, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win),
      MPI_SUCCESS);
  CHECK_CLASS(MPI_Fetch_and_op(&value, &result, one, 0, 0, MPI_SUM, win), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Compare_and_swap(&value, &value, &result, copy, 0, 0, win), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, -9, 0, 1, MPI_INT, win), MPI_ERR_RANK);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock_all(0, win);
  CHECK_CLASS(MPI_Raccumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win, &request),
              MPI_ERR_OP);
  MPI_Win_unlock_all(win);
  for (int i = 0; i < 4; ++i)
    MPI_Type_free(all[i]);
}

static void user_op(void *in, void *inout, int *length, MPI_Datatype *type) {}

static void operations(void) {
  MPI_Op op;
  int value = 0;
  MPI_Op_create(user_op, 1, &op);
  MPI_Win_fence(0, win);
  CHECK_CLASS(MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win), MPI_ERR_OP);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Op_free(&op);
}

static void epochs(void) {
  int value = 0, flag;
  MPI_Request request;
  MPI_Win same = win;
  CHECK_CLASS(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_unlock(0, win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_test(win, &flag), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_flush(0, win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_flush_local(0, win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_flush_all(win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_flush_local_all(win), MPI_ERR_RMA_SYNC);
  MPI_Win_fence(0, win);
  CHECK_CLASS(MPI_Rput(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request), MPI_ERR_RMA_SYNC);
  MPI_Put(&value, 1, MPI_INT, 0, 7, 1, MPI_INT, win);
  CHECK_CLASS(MPI_Win_free(&same), MPI_ERR_RMA_SYNC);
  CHECK(same == win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_free(&same), MPI_ERR_RMA_SYNC);
  CHECK(same == win);
  MPI_Win_unlock(0, win);
}

static void windows(void) {
  MPI_Win made;
  MPI_Aint bytes;
  int unit;
  void *base;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK_CLASS(MPI_Win_create(data, -1, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_SIZE);
  CHECK_CLASS(MPI_Win_create(data, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_DISP);
  CHECK_CLASS(MPI_Win_create(NULL, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &made), MPI_ERR_BASE);
  CHECK_CLASS(MPI_Win_create(data, 4, 4, MPI_INFO_NULL, MPI_COMM_NULL, &made), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
  made = MPI_WIN_NULL;
  CHECK_CLASS(MPI_Win_free(&made), MPI_ERR_WIN);
  // One rank a host.
  CHECK_CLASS(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &made),
              MPI_ERR_RMA_SHARED);
  CHECK_CLASS(MPI_Win_shared_query(win, 0, &bytes, &unit, &base), MPI_ERR_RMA_FLAVOR);
  CHECK_CLASS(MPI_Win_attach(win, data, 4), MPI_ERR_RMA_FLAVOR);
  CHECK_CLASS(MPI_Win_detach(win, data), MPI_ERR_RMA_FLAVOR);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &made);
  MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
  MPI_Win_attach(made, data, 8);
  CHECK_CLASS(MPI_Win_attach(made, data + 1, 8), MPI_ERR_RMA_ATTACH);
  CHECK_CLASS(MPI_Win_detach(made, data + 1), MPI_ERR_RMA_ATTACH);
  MPI_Win_detach(made, data);
  MPI_Win_free(&made);
}

// Where the next large block would lie.
static char *next_block(size_t bytes) {
  char *block = malloc(bytes);
  CHECK(block != NULL);
  free(block);
  return block;
}

// One rank has no memory: the window fails on all of them, and what the others had is free again.
static void memory(void) {
  const MPI_Aint many = 1L << 60, some = 1L << 24;
  MPI_Win made;
  void *base;
  char *const before = next_block(some);
  for (int round = 0; round < 32; ++round)
    CHECK_CLASS(MPI_Win_allocate(rank == round % 2 ? many : some, 1, MPI_INFO_NULL, MPI_COMM_WORLD,
                                 &base, &made),
                MPI_ERR_NO_MEM);
  CHECK(labs(next_block(some) - before) < 16 * some);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_create(data, sizeof data, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  arguments();
  ranges();
  elements();
  operations();
  epochs();
  windows();
  memory();
  MPI_Win_free(&win);
  if (rank == 0)
    printf("errors: PASSED\n");
  MPI_Finalize();
  return 0;
}
