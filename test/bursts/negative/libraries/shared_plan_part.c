// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As much of FFTW's MPI part as shared_plan.c calls.
#include "../../ring.h"

#include <stdlib.h>

typedef double fftw_complex[2];
typedef struct fftw_plan_s {
  long size;
  fftw_complex *in, *out;
} *fftw_plan;

fftw_plan fftw_mpi_plan_dft_1d(long size, fftw_complex *in, fftw_complex *out, MPI_Comm comm,
                               int sign, unsigned flags) {
  fftw_plan plan = malloc(sizeof *plan);
  *plan = (struct fftw_plan_s){size, in, out};
  return plan;
}

void fftw_execute(const fftw_plan plan) {
  sendAround(1 + (int)(1000 * plan->in[plan->size / 2][0]));
  for (long i = 0; i < plan->size; ++i)
    plan->out[i][0] = plan->in[i][0];
}
