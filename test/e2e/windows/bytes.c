// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: messages of one-sided calls are as long as docs/models.md says, each call costs its rank
// what a nonblocking send of as many bytes costs. Run where a message of b bytes takes 1 s +
// b / 1000 s to the target and 3 s + b / 1000 s back, and smpi/ois is 0.25 s + b / 100 s.
#include "took.h"
#include <stdint.h>

enum { Many = 100 };
static MPI_Win win;

static double there(int bytes) { return 1 + bytes / 1e3; }
static double back(int bytes) { return 3 + bytes / 1e3; }
static double call(int bytes) { return bytes > 0 ? 0.25 + bytes / 1e2 : 0; }

static void putsAndGets(void) {
  char data[2 * Many] = {0};
  MPI_Put(data, Many, MPI_CHAR, 1, 0, Many, MPI_CHAR, win);
  TOOK(call(Many));
  MPI_Win_flush(1, win);
  TOOK(there(Many) + back(0));
  MPI_Get(data, Many, MPI_CHAR, 1, 0, Many, MPI_CHAR, win);
  TOOK(call(0));
  MPI_Win_flush(1, win);
  TOOK(there(0) + back(Many));
  MPI_Get(data, 2 * Many, MPI_CHAR, 1, 0, Many, MPI_CHAR, win); // there is room for more
  TOOK(call(0));
  MPI_Win_flush(1, win);
  TOOK(there(0) + back(Many));
  MPI_Accumulate(data, Many, MPI_CHAR, 1, 0, Many, MPI_CHAR, MPI_REPLACE, win);
  TOOK(call(Many));
  MPI_Win_flush(1, win);
  TOOK(there(Many) + back(0));
}

static void atomics(void) {
  int64_t one = 1, two = 2, old = 0, both[2] = {3, 4}, result[2];
  MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 1, 0, MPI_SUM, win);
  TOOK(call(8));
  MPI_Win_flush(1, win);
  TOOK(there(8) + back(8));
  MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 1, 0, MPI_NO_OP, win);
  TOOK(call(0));
  MPI_Win_flush(1, win);
  TOOK(there(0) + back(8));
  MPI_Compare_and_swap(&one, &two, &old, MPI_INT64_T, 1, 0, win);
  TOOK(call(16));
  MPI_Win_flush(1, win);
  TOOK(there(16) + back(8));
  // Less comes back than there is.
  MPI_Get_accumulate(both, 2, MPI_INT64_T, result, 1, MPI_INT64_T, 1, 0, 2, MPI_INT64_T, MPI_SUM,
                     win);
  TOOK(call(16));
  MPI_Win_flush(1, win);
  TOOK(there(16) + back(8));
}

int main(int argc, char **argv) {
  char *data;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Win_allocate(2 * Many, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &data, &win);
  begin();
  if (rank == 0) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    TOOK(there(0) + back(0));
    putsAndGets();
    atomics();
    MPI_Win_unlock(1, win);
  }
  MPI_Win_free(&win);
  if (rank == 0)
    printf("bytes: PASSED\n");
  MPI_Finalize();
  return 0;
}
