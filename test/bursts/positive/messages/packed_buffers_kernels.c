// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of packed_buffers.f90.

void scale_buffer_(double *values, const int *count) {
  for (int i = 0; i < *count; ++i)
    values[i] *= 2;
}
