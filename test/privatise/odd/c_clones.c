/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: functions with clones per processor (chosen by a resolver that runs before anything else)
 * use the rank's copy. */
#include "../cases/rank.h"

static int calls, values[64];

__attribute__((target_clones("default", "avx2"))) int sum(void) {
  int result = 0;
  ++calls;
  for (int i = 0; i < 64; ++i)
    result += values[i];
  return result;
}

int main(void) {
  CHECKED;
  int me = rank_number();
  for (int i = 0; i < 64; ++i)
    values[i] = me + 1;
  rank_switch();
  CHECK(sum() == 64 * (me + 1));
  rank_switch();
  CHECK(sum() == 64 * (me + 1) && calls == 2);
  return CHECK_RESULT;
}
