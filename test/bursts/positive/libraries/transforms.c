// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: transforms by FFTW's plans, whose results nobody needs.
// NATIVE: transforms_part.c
#include "../../ring.h"

typedef double fftw_complex[2];
typedef struct fftw_plan_s *fftw_plan;
fftw_plan fftw_plan_dft_1d(int size, fftw_complex *in, fftw_complex *out, int sign, unsigned flags);
void fftw_execute(const fftw_plan plan);
void fftw_destroy_plan(fftw_plan plan);

enum { SIZE = 128 };
static fftw_complex in[SIZE], out[SIZE];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  fftw_plan plan = fftw_plan_dft_1d(SIZE, in, out, -1, 0);
  for (int i = 0; i < SIZE; ++i)
    in[i][0] = noise(i, 0, rank);
  for (int step = 0; step < 5 * STEPS; ++step) {
    // EXPECT-SKIP: not frail
    fftw_execute(plan);
    MPI_Bcast(out, SIZE, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  fftw_destroy_plan(plan);
  MPI_Finalize();
}
