/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: tentative definitions in several units (-fcommon) are one variable, as large and as
 * aligned as the largest. */
#include "rank.h"

int block[4];
char mixed[3];
long fromOther(int i);
void setOther(int me);

int main(void) {
  CHECKED;
  int me = rank_number();
  block[3] = me;
  setOther(me);
  rank_switch();
  CHECK(block[3] == me && fromOther(3) == me);
  CHECK(fromOther(99) == me * 3);
  CHECK((unsigned long)mixed % 64 == 0);
  return CHECK_RESULT;
}
