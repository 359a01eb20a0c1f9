/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: longjmp, callbacks from libc and constructor and destructor functions see the rank's
 * copy, across switches. */
#include "../cases/rank.h"

#include <setjmp.h>
#include <stdlib.h>

static jmp_buf target;
static volatile int depth;
static int state, compared;

__attribute__((constructor(300))) static void second(void) { state = state * 10 + 2; }
__attribute__((constructor(200))) static void first(void) { state = state * 10 + 1; }

static void descend(int n, int until) {
  depth = n;
  rank_switch();
  if (n == until)
    longjmp(target, n);
  descend(n + 1, until);
}

static int compare(const void *a, const void *b) {
  ++compared;
  return *(const int *)a - *(const int *)b;
}

int main(void) {
  CHECKED;
  int me = rank_number();
  CHECK(state == 12);
  state += me;
  rank_switch();
  if (state != 12 + me)
    return 1; /* a jump to another rank's stack would not end well */
  int result = setjmp(target);
  if (result == 0)
    descend(1, 3);
  CHECK(result == 3 && depth == 3);
  int numbers[3] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
  int counted = compared;
  CHECK(numbers[0] == 1 && numbers[2] == 3 && counted >= 2);
  rank_switch();
  CHECK(state == 12 + me && compared == counted);
  return CHECK_RESULT;
}
