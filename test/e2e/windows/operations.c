// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: every operation of one-sided communication moves the right data, with every kind of
// synchronisation, with derived datatypes, small and large.
#include "../topologies/check.h"
#include <stdlib.h>
#include <string.h>

enum { LARGE = 200000 };
static int left, right;
static MPI_Win win;
static int *base; // size + 8 ints each

// Nobody looks at it any more, nor before all have done it.
static void clear(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < size + 8; ++i)
    base[i] = 0;
  MPI_Barrier(MPI_COMM_WORLD);
}

static void fences(void) {
  int mine = 100 + rank, theirs = -1;
  clear();
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  MPI_Put(&mine, 1, MPI_INT, right, 2, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(base[2] == 100 + left);
  MPI_Get(&theirs, 1, MPI_INT, right, 2, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  CHECK(theirs == mine);
  int one = rank + 1;
  MPI_Accumulate(&one, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  if (rank == 0)
    CHECK(base[3] == size * (size + 1) / 2);
}

static void groups(void) {
  MPI_Group world, before, after;
  int mine = 7 * rank, flag = 0;
  clear();
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &left, &before);
  MPI_Group_incl(world, 1, &right, &after);
  for (int round = 0; round < 3; ++round) {
    MPI_Win_post(before, 0, win);
    MPI_Win_start(after, 0, win);
    int value = mine + round;
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    if (round == 1)
      for (flag = 0; !flag;)
        MPI_Win_test(win, &flag);
    else
      MPI_Win_wait(win);
    CHECK(base[0] == 7 * left + round);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&before);
  MPI_Group_free(&after);
}

static void locks(void) {
  clear();
  // A counter that is read and written within one exclusive lock loses nothing.
  for (int turn = 0; turn < 5; ++turn) {
    int count;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    ++count;
    MPI_Put(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  int count = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Get(&count, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
  CHECK(count == 5 * size);
  // Several targets at a time, one without a check.
  int mine = rank + 1;
  MPI_Win_lock(MPI_LOCK_SHARED, left, 0, win);
  if (left != right)
    MPI_Win_lock(MPI_LOCK_SHARED, right, MPI_MODE_NOCHECK, win);
  MPI_Put(&mine, 1, MPI_INT, right, 5, 1, MPI_INT, win);
  MPI_Put(&mine, 1, MPI_INT, left, 6, 1, MPI_INT, win);
  if (left != right)
    MPI_Win_unlock(right, win);
  MPI_Win_unlock(left, win);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(base[5] == left + 1 && base[6] == right + 1);
}

static void lockAll(void) {
  clear();
  MPI_Win_lock_all(0, win);
  for (int target = 0; target < size; ++target)
    MPI_Put(&rank, 1, MPI_INT, target, rank + 8, 1, MPI_INT, win);
  MPI_Win_flush_local_all(win);
  MPI_Win_flush_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(win);
  for (int r = 0; r < size; ++r)
    CHECK(base[8 + r] == r);
  int value = -1;
  MPI_Get(&value, 1, MPI_INT, left, right + 8, 1, MPI_INT, win);
  MPI_Win_flush_local(left, win);
  CHECK(value == right);
  MPI_Win_unlock_all(win);
}

static void atomics(void) {
  clear();
  int one = 1, seen = -1, zero = 0, expected = 0, old = -1;
  MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
  MPI_Fetch_and_op(&one, &seen, MPI_INT, 0, 0, MPI_SUM, win);
  MPI_Win_flush(0, win);
  CHECK(seen >= 0 && seen < size);
  // Each ticket once.
  MPI_Put(&rank, 1, MPI_INT, 0, 8 + seen, 1, MPI_INT, win);
  MPI_Win_flush(0, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Fetch_and_op(&zero, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
  MPI_Win_flush(0, win);
  CHECK(seen == size);
  if (rank == 0) {
    long sum = 0;
    for (int r = 0; r < size; ++r)
      sum += base[8 + r];
    CHECK(sum == (long)size * (size - 1) / 2);
  }
  // Who swaps first wins; the others see whose it is.
  int mine = rank + 1;
  MPI_Compare_and_swap(&mine, &expected, &old, MPI_INT, size - 1, 1, win);
  MPI_Win_flush(size - 1, win);
  MPI_Barrier(MPI_COMM_WORLD);
  int winner = 0;
  MPI_Fetch_and_op(NULL, &winner, MPI_INT, size - 1, 1, MPI_NO_OP, win);
  MPI_Win_flush(size - 1, win);
  CHECK(winner >= 1 && winner <= size && (old == 0) == (winner == mine));
  CHECK(old == 0 || old == winner);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(win);
}

static void requests(void) {
  clear();
  int mine[2] = {rank, rank * rank}, got[2] = {-1, -1}, old[2] = {-1, -1};
  MPI_Request request[2];
  MPI_Win_lock_all(0, win);
  MPI_Rput(mine, 2, MPI_INT, right, 0, 2, MPI_INT, win, &request[0]);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  mine[0] = mine[1] = -7;
  MPI_Win_flush(right, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rget(got, 2, MPI_INT, right, 0, 2, MPI_INT, win, &request[0]);
  MPI_Wait(&request[0], MPI_STATUS_IGNORE);
  CHECK(got[0] == rank && got[1] == rank * rank);
  int add[2] = {10, 20};
  MPI_Raccumulate(add, 2, MPI_INT, right, 0, 2, MPI_INT, MPI_SUM, win, &request[0]);
  MPI_Rget_accumulate(add, 2, MPI_INT, old, 2, MPI_INT, right, 0, 2, MPI_INT, MPI_SUM, win,
                      &request[1]);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  CHECK(old[0] == rank + 10 && old[1] == rank * rank + 20); // in the order of the calls
  MPI_Win_unlock_all(win);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(base[0] == left + 20 && base[1] == left * left + 40);
}

// Accumulates of one origin take effect in order, though a long one is overtaken by short ones.
static void order(void) {
  double *numbers = malloc(LARGE * sizeof *numbers), *data;
  MPI_Win long_win;
  MPI_Win_allocate(LARGE * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &data,
                   &long_win);
  for (int i = 0; i < LARGE; ++i)
    numbers[i] = 5;
  double three = 3;
  MPI_Win_fence(0, long_win);
  MPI_Accumulate(numbers, LARGE, MPI_DOUBLE, right, 0, LARGE, MPI_DOUBLE, MPI_REPLACE, long_win);
  MPI_Accumulate(&three, 1, MPI_DOUBLE, right, 17, 1, MPI_DOUBLE, MPI_PROD, long_win);
  MPI_Win_fence(0, long_win);
  for (int i = 0; i < LARGE; ++i)
    CHECK(data[i] == (i == 17 ? 15 : 5));
  // A large put and get.
  for (int i = 0; i < LARGE; ++i)
    numbers[i] = i + rank;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_fence(0, long_win);
  MPI_Put(numbers, LARGE, MPI_DOUBLE, right, 0, LARGE, MPI_DOUBLE, long_win);
  MPI_Win_fence(0, long_win);
  CHECK(data[LARGE - 1] == LARGE - 1 + left);
  MPI_Get(numbers, LARGE, MPI_DOUBLE, left, 0, LARGE, MPI_DOUBLE, long_win);
  MPI_Win_fence(0, long_win);
  CHECK(numbers[3] == 3 + (left + size - 1) % size);
  MPI_Win_free(&long_win);
  free(numbers);
}

// Who exposed its memory may change it after MPI_Win_wait, while answers of gets may be on their
// way.
static void change_after_wait(void) {
  int *data, *got = malloc(LARGE * sizeof *got);
  MPI_Win made;
  MPI_Group world, before, after;
  MPI_Win_allocate(LARGE * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &data, &made);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &left, &before);
  MPI_Group_incl(world, 1, &right, &after);
  for (int count = 10; count <= LARGE; count *= 100) {
    for (int i = 0; i < LARGE; ++i)
      data[i] = 1;
    MPI_Win_post(before, 0, made);
    MPI_Win_start(after, 0, made);
    MPI_Put(&size, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, made);
    MPI_Get(got, count, MPI_INT, right, 0, count, MPI_INT, made);
    MPI_Win_complete(made);
    MPI_Win_wait(made);
    for (int i = 0; i < LARGE; ++i)
      data[i] = 2;
    for (int i = 0; i < count; ++i)
      CHECK(got[i] == 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Group_free(&world);
  MPI_Group_free(&before);
  MPI_Group_free(&after);
  MPI_Win_free(&made);
  free(got);
}

static void derived(void) {
  // Every other int of the origin into every third of the target.
  MPI_Datatype two, three, pair;
  int from[6] = {1, -1, 2, -1, 3, -1}, back[6] = {0}, data[16];
  MPI_Win typed;
  MPI_Type_vector(3, 1, 2, MPI_INT, &two);
  MPI_Type_vector(3, 1, 3, MPI_INT, &three);
  MPI_Type_commit(&two);
  MPI_Type_commit(&three);
  for (int i = 0; i < 16; ++i)
    data[i] = 100;
  MPI_Win_create(data, sizeof data, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &typed);
  MPI_Win_fence(0, typed);
  MPI_Put(from, 1, two, right, 1, 1, three, typed);
  MPI_Win_fence(0, typed);
  CHECK(data[0] == 100 && data[1] == 1 && data[2] == 100 && data[4] == 2 && data[7] == 3);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Accumulate(from, 1, two, right, 1, 1, three, MPI_SUM, typed);
  MPI_Win_fence(0, typed);
  CHECK(data[1] == 2 && data[4] == 4 && data[7] == 6 && data[3] == 100);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Get_accumulate(from, 1, two, back, 1, two, right, 1, 1, three, MPI_PROD, typed);
  MPI_Win_fence(0, typed);
  CHECK(back[0] == 2 && back[2] == 4 && back[4] == 6 && back[1] == 0);
  CHECK(data[1] == 2 && data[4] == 8 && data[7] == 18);
  MPI_Get(back, 1, two, right, 1, 1, three, typed);
  MPI_Win_fence(0, typed);
  CHECK(back[2] == 8 && back[4] == 18);
  // A pair with a hole: MPI_MINLOC on MPI_DOUBLE_INT.
  struct {
    double value;
    int place;
  } mine = {rank == 2 % size ? -1 : rank, rank}, best = {1e9, -1};
  MPI_Win pairs;
  MPI_Type_contiguous(1, MPI_DOUBLE_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Win_create(&best, sizeof best, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &pairs);
  MPI_Win_fence(0, pairs);
  MPI_Accumulate(&mine, 1, pair, 0, 0, 1, pair, MPI_MINLOC, pairs);
  MPI_Win_fence(0, pairs);
  if (rank == 0)
    CHECK(best.place == 2 % size && best.value == -1);
  MPI_Win_free(&pairs);
  MPI_Win_free(&typed);
  MPI_Type_free(&two);
  MPI_Type_free(&three);
  MPI_Type_free(&pair);
}

// Less is sent than there is room for: the rest stays, also of pairs with a hole.
static void shorter(void) {
  struct pair {
    double value;
    int place;
  } few[3] = {{1, 1}, {1, 1}, {1, 1}}, many[4] = {{5, 5}, {5, 5}, {5, 5}, {-5, 5}};
  int add[4] = {1, 1, 1, 1};
  MPI_Win pairs;
  clear();
  MPI_Win_create(many, sizeof many, sizeof *many, MPI_INFO_NULL, MPI_COMM_WORLD, &pairs);
  MPI_Win_fence(0, pairs);
  MPI_Accumulate(few, 3, MPI_DOUBLE_INT, right, 0, 4, MPI_DOUBLE_INT, MPI_REPLACE, pairs);
  MPI_Win_fence(0, pairs);
  CHECK(many[0].value == 1 && many[2].value == 1 && many[2].place == 1);
  CHECK(many[3].value == -5 && many[3].place == 5);
  MPI_Win_free(&pairs);
  MPI_Win_fence(0, win);
  MPI_Accumulate(add, 3, MPI_INT, right, 0, 4, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  CHECK(base[0] == 1 && base[2] == 1 && base[3] == 0);
}

// Whatever can be compared can be swapped.
static void swaps(void) {
  char letter = 'x', zero = 0, old_letter = 1;
  _Bool yes = 1, no = 0, old = 1;
  unsigned char byte = 7, none = 0, old_byte = 1;
  clear();
  MPI_Win_lock_all(0, win);
  MPI_Compare_and_swap(&letter, &zero, &old_letter, MPI_CHARACTER, right, 0, win);
  MPI_Compare_and_swap(&yes, &no, &old, MPI_C_BOOL, right, 1, win);
  MPI_Compare_and_swap(&byte, &none, &old_byte, MPI_BYTE, right, 2, win);
  MPI_Win_flush(right, win);
  CHECK(old_letter == 0 && old == 0 && old_byte == 0);
  MPI_Compare_and_swap(&zero, &zero, &old_letter, MPI_CHAR, right, 0, win);
  MPI_Win_unlock_all(win);
  CHECK(old_letter == 'x');
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(*(char *)&base[0] == 'x' && *(_Bool *)&base[1] && *(unsigned char *)&base[2] == 7);
}

// The forms with large counts.
static void large_counts(void) {
  int mine = rank, theirs = -1;
  MPI_Win made;
  MPI_Aint bytes, unit;
  MPI_Request request;
  MPI_Win_create_c(base, sizeof(int), 4, MPI_INFO_NULL, MPI_COMM_WORLD, &made);
  MPI_Win_lock_all(0, made);
  MPI_Put_c(&mine, 1, MPI_INT, right, 0, 1, MPI_INT, made);
  MPI_Win_flush(right, made);
  MPI_Rget_c(&theirs, 1, MPI_INT, right, 0, 1, MPI_INT, made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(theirs == rank);
  MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
  CHECK_CLASS(MPI_Win_shared_query_c(made, 0, &bytes, &unit, &theirs), MPI_ERR_RMA_FLAVOR);
  MPI_Win_unlock_all(made);
  MPI_Win_free(&made);
}

static void nobody(void) {
  int value = 4;
  MPI_Request request;
  MPI_Win_fence(0, win);
  MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
  MPI_Get(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
  MPI_Fetch_and_op(&value, &value, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, win);
  MPI_Put(NULL, 0, MPI_INT, right, 0, 0, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, MPI_PROC_NULL, 0, win);
  MPI_Rget(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Win_flush(MPI_PROC_NULL, win);
  MPI_Win_unlock(MPI_PROC_NULL, win);
  CHECK(value == 4);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size;
  right = (rank + 1) % size;
  base = malloc((size + 8) * sizeof(int));
  MPI_Win_create(base, (size + 8) * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  void (*const parts[])(void) = {
      fences,  groups,  locks, lockAll,      atomics, requests, order, change_after_wait,
      derived, shorter, swaps, large_counts, nobody};
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; ++i)
    parts[i]();
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL);
  free(base);
  if (rank == 0)
    printf("operations: PASSED\n");
  MPI_Finalize();
  return 0;
}
