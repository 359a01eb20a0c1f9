// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a plan of FFTW's MPI part is executed as any other, and sends messages whose sizes rest on the numbers.
// NATIVE: shared_plan_part.c
#include "../../ring.h"

typedef double fftw_complex[2];
typedef struct fftw_plan_s *fftw_plan;
fftw_plan fftw_mpi_plan_dft_1d(long size, fftw_complex *in, fftw_complex *out, MPI_Comm comm,
                               int sign, unsigned flags);
void fftw_execute(const fftw_plan plan);

enum { SIZE = 64 };
static fftw_complex in[SIZE], out[SIZE];

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  fftw_plan plan = fftw_mpi_plan_dft_1d(SIZE, in, out, MPI_COMM_WORLD, -1, 0);
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-RUN
    for (int i = 0; i < SIZE; ++i)
      in[i][0] = noise(i, step, rank);
    fftw_execute(plan);
  }
  MPI_Finalize();
}
