/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: tables of labels (addresses, and differences of them), constant or not, still jump where
 * they should, beside variables that each rank has its own copy of. */
#include "../cases/rank.h"

static int sum;

__attribute__((noinline)) static int run(const char *program) {
  static const void *const constantTable[] = {&&add, &&sub, &&end};
  static void *mutableTable[] = {&&add, &&sub, &&end};
  static const int differences[] = {&&add - &&add, &&sub - &&add, &&end - &&add};
  static int used;
  static struct {
    void *label;
    int *value;
  } mixed[] = {{&&end, &sum}, {&&add, &used}};
  int way = 0;
next:
  ++used;
  int op = *program++ - '0';
  way = (way + 1) % 3;
  if (way == 0)
    goto *constantTable[op];
  if (way == 1)
    goto *mutableTable[op];
  goto *(&&add + differences[op]);
add:
  sum += 3;
  goto next;
sub:
  sum -= 1;
  goto next;
end:
  mutableTable[2] = mixed[0].label;
  return *mixed[1].value * 1000 + *mixed[0].value;
}

int main(void) {
  CHECKED;
  int me = rank_number();
  sum = me;
  rank_switch();
  CHECK(run("00101012") == 8000 + me + 9);
  rank_switch();
  CHECK(run("2") == 9000 + me + 9);
  return CHECK_RESULT;
}
