// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number lies in memory that the library has made for a path.
#define _GNU_SOURCE
#include "../../ring.h"
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static void put(char *text, int value) { text[0] = (char)value; }

__attribute__((noinline)) static int get(const char *text) { return text[0]; }

int main(int argc, char **argv) {
  const int rank = startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    int count = 0;
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      count += noise(i, step, rank) < 0.1;
    char *path = "none", *folder = "none"; // in case that there are none
    char *made = realpath("/", NULL), *current = getcwd(NULL, 0);
    if (made && current) {
      path = made;
      folder = current;
    }
    put(step % 2 ? path : folder, count % 100);
    sendAround(get(step % 2 ? path : folder));
    free(made);
    free(current);
  }
  MPI_Finalize();
}
