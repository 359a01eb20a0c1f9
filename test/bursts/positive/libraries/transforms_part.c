// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As much of FFTW as the program beside it calls: sums instead of a transform.
#include <stdlib.h>

typedef double fftw_complex[2];
typedef struct fftw_plan_s {
  int size;
  fftw_complex *in, *out;
} *fftw_plan;

fftw_plan fftw_plan_dft_1d(int size, fftw_complex *in, fftw_complex *out, int sign,
                           unsigned flags) {
  fftw_plan plan = malloc(sizeof *plan);
  *plan = (struct fftw_plan_s){size, in, out};
  return plan;
}
void fftw_execute(const fftw_plan plan) {
  for (int i = 0; i < plan->size; ++i)
    for (int part = 0; part < 2; ++part) {
      double sum = 0;
      for (int j = 0; j < plan->size; ++j)
        sum += plan->in[j][part] / (1 + i + j);
      plan->out[i][part] = sum;
    }
}
void fftw_destroy_plan(fftw_plan plan) { free(plan); }
