// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop is left by longjmp when it finds a value; what was found decides a message.
#include "../../ring.h"
#include <setjmp.h>

static jmp_buf out;

__attribute__((noinline)) static void search(int step, int rank) {
  // EXPECT-RUN
  for (int i = 0; i < N; ++i)
    if (noise(i, step, rank) < 0.01)
      longjmp(out, i + 1);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  for (volatile int step = 0; step < STEPS; ++step) {
    int found = setjmp(out);
    if (found)
      sendAround(found);
    else
      search(step, rank);
  }
  MPI_Finalize();
}
