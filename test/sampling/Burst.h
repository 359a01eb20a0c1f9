/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Bursts made by hand, as a compatibility header makes them: the hooks need no pass. */
#pragma once
#include "gnomon/Burst.h"

int gnomon_burst_begin(struct gnomon_burst *burst, uint64_t work);
void gnomon_burst_end(struct gnomon_burst *burst);
void gnomon_phase(uint32_t phase);
int gnomon_error_path(struct gnomon_error_site *site);

/* Adds up so much that it takes some milliseconds for n = 10^6. */
static double __attribute__((noinline)) compute(long n) {
  volatile double sum = 0;
  for (long i = 0; i < n; ++i)
    sum = sum + 1.0 / (double)(i + 1);
  return sum;
}
