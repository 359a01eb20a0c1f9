// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a number that a plan of FFTW computes decides a message's size; the plan alone names the arrays.
// NATIVE: transform_decides_part.c
#include "../../ring.h"

typedef double fftw_complex[2];
typedef struct fftw_plan_s *fftw_plan;
fftw_plan fftw_plan_dft_1d(int size, fftw_complex *in, fftw_complex *out, int sign, unsigned flags);
void fftw_execute(const fftw_plan plan);

enum { SIZE = 64 };
static fftw_complex in[SIZE], out[SIZE];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  fftw_plan plan = fftw_plan_dft_1d(SIZE, in, out, -1, 0);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < SIZE; ++i)
      in[i][0] = noise(i, step, rank);
    // EXPECT-RUN: the count of MPI_Sendrecv
    fftw_execute(plan);
    sendAround(1 + (int)(100 * out[3][0]));
  }
  MPI_Finalize();
}
