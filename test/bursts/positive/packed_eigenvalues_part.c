// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A LAPACK that is no part of the program that the pass sees: of the diagonal only.
void dspev_(const char *job, const char *part, const int *n, double *a, double *values,
            double *vectors, const int *lead, double *work, int *info) {
  *info = *n < 0;
  for (int i = 0, at = 0; i < *n; at += *n - i, ++i)
    values[i] = work[i] = a[at];
}
