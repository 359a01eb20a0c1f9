// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program watches for a signal, looks for a file that ends it, and prints wide characters, in each step. None of
// these functions sees the field, whose address MPI keeps.
#define _GNU_SOURCE
#include "../../ring.h"
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static volatile sig_atomic_t stop;
static void noteEnd(int number) { stop = number; }

static int isThere(const char *pattern) {
  glob_t found;
  const int there = glob(pattern, GLOB_NOSORT | GLOB_MARK, NULL, &found) == 0;
  if (there)
    globfree(&found);
  return there;
}

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  double *field = calloc(N, sizeof *field);
  int key;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, field);
  for (int step = 0; step < STEPS && !stop && !isThere("*.stop"); ++step) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = noteEnd;
    sigaction(SIGTERM, &action, &before);
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i)
      sum += field[i] = 0.5 * field[i] + noise(i, step, rank);
    sigaction(SIGTERM, &before, NULL);
    wchar_t text[64];
    swprintf(text, 64, L"step %d: %g", step, sum);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sendAround(5);
  }
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  MPI_Comm_free_keyval(&key);
  free(field);
  MPI_Finalize();
}
