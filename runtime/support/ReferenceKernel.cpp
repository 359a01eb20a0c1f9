// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ReferenceKernel.h"

namespace gnomon {

double runReferenceKernel(double start, int rounds) {
  double x[8];
  for (int i = 0; i < 8; ++i)
    x[i] = start + i;
  for (int r = 0; r < rounds; ++r)
    for (double &value : x)
      value = value * 0.999999 + 1e-6;
  double sum = 0;
  for (double value : x)
    sum += value;
  return sum;
}

} // namespace gnomon
