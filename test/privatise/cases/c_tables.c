/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: tables of addresses that the compiler makes of a switch (absolute or relative to the
 * table) lead to the rank's variables, and to constants, from one table. */
#include "rank.h"

#include <string.h>

static int a = 1, b, c = 3;
static const char *text = "later";
static const int constant = 9;

__attribute__((noinline)) static const void *pick(int i) {
  switch (i) {
  case 0:
    return &a;
  case 1:
    return &b;
  case 2:
    return &c;
  case 3:
    return "literal";
  case 4:
    return &constant;
  case 5:
    return &text;
  default:
    return 0;
  }
}

int main(int argc, char **argv) {
  CHECKED;
  int me = rank_number();
  a = b = c = me;
  rank_switch();
  CHECK(*(int *)pick(argc - 1) == me && *(int *)pick(argc) == me && *(int *)pick(argc + 1) == me);
  CHECK(pick(argc - 1) == &a && pick(argc) == &b && pick(argc + 1) == &c && pick(99) == 0);
  CHECK(!strcmp(pick(argc + 2), "literal") && *(int *)pick(argc + 3) == 9 &&
        !strcmp(*(char **)pick(argc + 4), "later"));
  return CHECK_RESULT;
}
