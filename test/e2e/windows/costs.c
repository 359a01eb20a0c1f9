// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: each call takes as many messages, one after the other, as docs/models.md says. Run where
// every message takes a second.
#include "took.h"

enum { LARGE = 100000 };
static MPI_Win win;
static MPI_Group others; // the other rank

static void passive(void) {
  static double large[LARGE];
  int value = 3, old = 0;
  MPI_Request request;
  begin();
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    TOOK(2); // there and back
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    TOOK(0);
    MPI_Win_flush_local(1, win); // the data was copied
    TOOK(0);
    MPI_Win_flush(1, win);
    TOOK(2); // the data, and the word back
    MPI_Get(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    TOOK(2); // the request, and the data
    MPI_Fetch_and_op(&value, &old, MPI_INT, 1, 0, MPI_SUM, win);
    MPI_Win_flush_local(1, win);
    TOOK(2);
    MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
    TOOK(2); // the data, and one word back
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    TOOK(2);
    MPI_Put(large, LARGE, MPI_DOUBLE, 1, 0, LARGE, MPI_DOUBLE, win);
    MPI_Win_flush_local(1, win); // the data was not copied
    TOOK(1);
    MPI_Win_flush(1, win);
    TOOK(1);
    MPI_Rput(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    TOOK(0);
    MPI_Rget(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    TOOK(2);
    MPI_Win_unlock(1, win);
    TOOK(2); // a word there and back
    MPI_Win_lock(MPI_LOCK_SHARED, 1, MPI_MODE_NOCHECK, win);
    MPI_Win_unlock(1, win);
    TOOK(0);
    MPI_Win_lock_all(0, win);
    TOOK(2);
    MPI_Win_unlock_all(win);
    TOOK(0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

// As long as a send may be detached the call copies the data, and reads what a get gets when its
// request arrives.
static void threshold(void) {
  enum { Most = 65536 / sizeof(double) };
  static double data[Most];
  begin();
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    TOOK(2);
    for (int missing = 1; missing >= 0; --missing) {
      const int count = Most - missing;
      MPI_Put(data, count, MPI_DOUBLE, 1, 0, count, MPI_DOUBLE, win);
      MPI_Win_flush_local(1, win);
      TOOK(1 - missing);
      MPI_Win_flush(1, win);
      TOOK(1 + missing);
      MPI_Accumulate(data, count, MPI_DOUBLE, 1, 0, count, MPI_DOUBLE, MPI_SUM, win);
      MPI_Win_flush_local(1, win);
      TOOK(1 - missing);
      MPI_Win_flush(1, win);
      TOOK(1 + missing);
    }
    MPI_Win_unlock(1, win);
    TOOK(0);
  }
  for (int missing = 1; missing >= 0; --missing) {
    const int count = Most - missing;
    begin();
    if (rank == 0) {
      MPI_Win_start(others, 0, win);
      TOOK(1);
      MPI_Get(data, count, MPI_DOUBLE, 1, 0, count, MPI_DOUBLE, win);
      MPI_Win_complete(win);
      TOOK(2);
    } else {
      MPI_Win_post(others, 0, win);
      MPI_Win_wait(win);
      TOOK(3 - missing);
    }
  }
}

// At most 128 operations are under way to a target; the next follows when one has ended.
static void depth(void) {
  enum { Depth = 128 };
  int values[Depth + 1] = {0};
  begin();
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    TOOK(2);
    for (int count = Depth; count <= Depth + 1; ++count) {
      for (int i = 0; i < count; ++i)
        MPI_Get(&values[i], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
      MPI_Win_flush(1, win);
      TOOK(count > Depth ? 4 : 2);
      for (int i = 0; i < count; ++i)
        MPI_Put(&values[i], 1, MPI_INT, 1, 0, 1, MPI_INT, win);
      MPI_Win_flush(1, win);
      TOOK(count > Depth ? 3 : 2);
    }
    MPI_Win_unlock(1, win);
    TOOK(0);
  }
}

// Rank 1 holds the lock until ten seconds have passed; rank 0, who asked before, has it two
// messages later: the word that gives it back, and the word that grants it.
static void contention(void) {
  begin();
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    TOOK(2);
    sleepFor(8);
    MPI_Win_unlock(0, win);
  } else {
    sleepFor(3);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    TOOK(12);
    MPI_Win_unlock(0, win);
  }
}

static void active(void) {
  int value = 1;
  begin();
  if (rank == 0) {
    MPI_Win_post(others, 0, win);
    TOOK(0);
    MPI_Win_wait(win);
    TOOK(2); // the word of the post; then the data, and the word of the complete at the same time
  } else if (rank == 1) {
    MPI_Win_start(others, 0, win);
    TOOK(1);
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    TOOK(0);
  }
}

// The barrier of a fence: rank 0 hears from rank 1, then rank 1 from rank 0.
static void fence(void) {
  int value = 1;
  MPI_Win_fence(0, win);
  begin();
  MPI_Win_fence(0, win);
  TOOK(rank == 0 ? 1 : 2);
  begin();
  MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  TOOK(rank == 0 ? 2 : 3);
}

int main(int argc, char **argv) {
  double *data;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(LARGE * sizeof *data, sizeof *data, MPI_INFO_NULL, MPI_COMM_WORLD, &data, &win);
  MPI_Group world;
  int peer = 1 - rank;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, &peer, &others);
  passive();
  threshold();
  depth();
  contention();
  active();
  fence();
  MPI_Group_free(&world);
  MPI_Group_free(&others);
  MPI_Win_free(&win);
  if (rank == 0)
    printf("costs: PASSED\n");
  MPI_Finalize();
  return 0;
}
