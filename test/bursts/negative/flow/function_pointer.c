// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop chooses the function that sends, out of a table.
#include "../../ring.h"

static void sendLittle(void) { sendAround(10); }
static void sendMuch(void) { sendAround(3000); }
static void sendTwice(void) {
  sendAround(1);
  sendAround(2);
}

static void (*const table[])(void) = {sendLittle, sendMuch, sendTwice};
static void (*chosen)(void) = sendLittle;

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < N; ++i)
      if (noise(i, step, 0) < 0.01)
        chosen = table[i % 3];
    chosen();
  }
  MPI_Finalize();
}
