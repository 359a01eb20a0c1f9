// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank far ahead of the others frees what it has used right after its own part, and a
// rank far behind still finds all: the communicator, datatypes, groups, error handler and keyval of
// a window, and windows one after another.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Count = 1000, Rounds = 3 };
static int rank, size, errors, deleted;

static void check(int condition, const char *what) {
  if (condition)
    return;
  printf("rank %d: not so: %s\n", rank, what);
  ++errors;
}

/// The first rank is late, then the last one, …
static void straggle(int round) {
  if (rank == round % size)
    usleep(20000);
}

static int onDelete(MPI_Win win, int keyval, void *value, void *extra) {
  return ++deleted, MPI_SUCCESS;
}
static void onError(MPI_Win *win, int *code, ...) {}

static void attributes(MPI_Win win) {
  int keyval;
  MPI_Errhandler handler;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, onDelete, &keyval, NULL);
  MPI_Win_set_attr(win, keyval, NULL);
  MPI_Win_free_keyval(&keyval);
  MPI_Win_create_errhandler(onError, &handler);
  MPI_Win_set_errhandler(win, handler);
  MPI_Errhandler_free(&handler);
}

static MPI_Datatype everySecond(void) {
  MPI_Datatype type;
  MPI_Type_vector(Count, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

/// Types are gone before their operations are complete; the buffer is larger than what the call
/// copies.
static void fence(MPI_Win win, int *memory, int round) {
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int *data = malloc(2 * Count * sizeof(int));
  for (int i = 0; i < 2 * Count; ++i)
    data[i] = 1000 * rank + i;
  MPI_Win_fence(0, win);
  straggle(round);
  MPI_Datatype from = everySecond(), to = everySecond();
  MPI_Put(data, 1, from, right, 0, 1, to, win);
  MPI_Type_free(&from);
  MPI_Type_free(&to);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  for (int i = 0; i < Count; ++i)
    check(memory[2 * i] == 1000 * left + 2 * i, "what the left neighbour has put");
  free(data);
}

/// Groups are gone before the other side comes.
static void startAndPost(MPI_Win win, int *memory, int round) {
  int right = (rank + 1) % size, left = (rank + size - 1) % size, value = 7 * rank + round;
  MPI_Group all, to, from;
  MPI_Win_get_group(win, &all);
  MPI_Group_incl(all, 1, &right, &to);
  MPI_Group_incl(all, 1, &left, &from);
  MPI_Group_free(&all);
  straggle(round);
  MPI_Win_post(from, 0, win);
  MPI_Group_free(&from);
  MPI_Win_start(to, 0, win);
  MPI_Group_free(&to);
  MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, win);
  MPI_Win_complete(win);
  straggle(round + 1);
  MPI_Win_wait(win);
  check(memory[1] == 7 * left + round,
        "what the left neighbour has put between start and complete");
}

/// A get is over with its answer, and the window may go while the word of the unlock is on its way.
static void lockAndFree(MPI_Win *win, int round) {
  const int right = (rank + 1) % size;
  int got = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, right, 0, *win);
  MPI_Get(&got, 1, MPI_INT, right, 1, 1, MPI_INT, *win);
  MPI_Win_unlock(right, *win);
  check(got == 7 * rank + round, "what was got");
  straggle(round + 2);
  MPI_Win_free(win);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int round = 0; round < Rounds; ++round) {
    MPI_Comm comm;
    MPI_Info info;
    MPI_Win win;
    int *memory;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Info_create(&info);
    straggle(round);
    MPI_Win_allocate(2 * Count * sizeof(int), sizeof(int), info, comm, &memory, &win);
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
    attributes(win);
    fence(win, memory, round);
    startAndPost(win, memory, round);
    lockAndFree(&win, round);
    check(deleted == round + 1, "the attribute of the freed window was deleted");
  }
  int total = 0;
  MPI_Reduce(&errors, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("ahead: %s\n", total ? "FAILED" : "PASSED");
  MPI_Finalize();
  return total != 0;
}
