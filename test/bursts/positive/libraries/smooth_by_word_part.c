// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library of the user's.
double smooth_field(double *field, int size);

double smooth_field(double *field, int size) {
  double sum = 0;
  for (int times = 0; times < 50; ++times)
    for (int i = 1; i < size; ++i)
      sum += field[i] = 0.5 * (field[i] + field[i - 1]);
  return sum;
}
