// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: kernels make a text that says what limits the time step. How long it is, and how it begins, is asked between them:
// with the answers given, nobody asks a text that was not made.
#include "../ring.h"
#include <cstdio>
#include <cstring>
#include <string>

static double field[4 * N];
static char limiter[80];

[[gnu::noinline]] static void sweep(int rank, int step) {
  double least = 1;
  int where = 0;
  for (int i = 1; i < 4 * N; ++i) {
    field[i] = 0.5 * (field[i] + field[i - 1]) + noise(i, step, rank);
    if (field[i] < least) {
      least = field[i];
      where = i;
    }
  }
  if (where % 3)
    snprintf(limiter, sizeof limiter, "%s at %d", where % 2 ? "Courant" : "volume", where);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  int answers = 0;
  for (int step = 0; step < 5 * STEPS; ++step) {
    strcpy(limiter, "none");
    // EXPECT-RUN @ 33
    // EXPECT-GIVEN: this loop
    for (int part = 0; part <= argc; ++part) // so that the text is made in a burst
      sweep(rank, 2 * step + part);
    const std::string text(limiter);
    answers += text.substr(0, 7) == "Courant";
    sendAround(static_cast<int>(text.size()) + 3 * (strcmp(limiter, "none") == 0));
  }
  sendAround(answers);
  MPI_Finalize();
}
