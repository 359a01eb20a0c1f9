// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: large arrays on the stack, of a fixed size and of computed ones, in functions, in recursion, in a loop and in
// a function that is left by longjmp, decide nothing: what lies in them may be anything.
#include "../../ring.h"
#include <setjmp.h>
#include <string.h>

enum { Large = 1 << 14 };

static jmp_buf back;

__attribute__((noinline)) static void fill(double *field, int items, int step, int rank) {
  for (int i = 0; i < items; ++i)
    field[i] = field[i] * 0.5 + noise(i, step, rank);
}

__attribute__((noinline)) static double sumOf(const double *field, int items) {
  double sum = 0;
  for (int i = 0; i < items; ++i)
    sum += field[i];
  return sum;
}

__attribute__((noinline)) static double fixed(int step, int rank) {
  double field[Large], other[Large];
  memset(field, 0, sizeof field);
  // EXPECT-SKIP
  fill(field, Large, step, rank);
  memcpy(other, field, sizeof other);
  MPI_Sendrecv_replace(other, 50, MPI_DOUBLE, rank, 3, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return sumOf(other, Large);
}

__attribute__((noinline)) static double nested(int depth, int items, int step, int rank) {
  double field[items];
  fill(field, items, step, rank);
  double below = depth > 0 ? nested(depth - 1, items, step, rank) : 0;
  return below + sumOf(field, items);
}

__attribute__((noinline)) static void leave(int items, int step, int rank) {
  double field[items];
  // EXPECT-SKIP
  fill(field, items, step, rank);
  MPI_Bcast(field, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  longjmp(back, 1);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  double total = 0;
  for (int step = 0; step < STEPS; ++step) {
    total += fixed(step, rank) + nested(3, N * argc, step, rank);
    for (int piece = 1; piece < 4; ++piece) {
      double field[piece * N];
      // EXPECT-SKIP
      fill(field, piece * N, step, rank);
      // EXPECT-SKIP
      total += sumOf(field, piece * N);
    }
    if (setjmp(back) == 0)
      leave(N * argc, step, rank);
    sendAround(20 + step);
  }
  double sum;
  MPI_Allreduce(&total, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
}
