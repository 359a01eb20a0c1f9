/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <ISO_Fortran_binding.h>

void cut(CFI_cdesc_t *array, int rank, int step) {
  int counted = 1;
  /* EXPECT-RUN */
  for (int i = 1; i <= 1000; ++i)
    if ((i * 7919 + step * 104729 + rank * 1299709) % 9973 < 4000)
      ++counted;
  array->dim[0].extent = counted;
}
