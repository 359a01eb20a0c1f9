/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: variables whose names are libc's, libc's own variables, constants, weak symbols,
 * thread-local variables and inline assembly operands: each is private or shared as it must be. */
#include "rank.h"

#include <stdlib.h>
#include <unistd.h>

int err;       /* also a function of libc */
double y1 = 3; /* also a function of libm */
int index_;
extern char **environ;
extern int absent __attribute__((weak));
int present __attribute__((weak)) = 3;
const int constant = 4;
static const double factors[] = {1.5, 2.5};
_Thread_local int perThread = 20;
static _Thread_local long zeroPerThread[4];
int (*volatile function)(void) = rank_number;

__attribute__((noinline)) static int useAsm(int me) {
  static int operand = 1;
  int result;
  __asm__ volatile("addl %1, %0" : "+m"(operand) : "r"(me));
  __asm__ volatile("movl %1, %0" : "=r"(result) : "m"(operand));
  return result;
}

int main(void) {
  CHECKED;
  int me = rank_number();
  err = me;
  y1 += me;
  present += me;
  perThread += me;
  zeroPerThread[2] = me;
  CHECK(useAsm(me) == 1 + me);
  rank_switch();
  CHECK(err == me && y1 == 3 + me && present == 3 + me && perThread == 20 + me &&
        zeroPerThread[2] == me);
  CHECK(&absent == 0);
  CHECK(constant == 4 && factors[1] == 2.5);
  CHECK(environ != 0 && getenv("PATH") != 0);
  CHECK(function() == me);
  fprintf(stdout, "%s", "");
  rank_switch();
  CHECK(useAsm(0) == 1 + me);
  return CHECK_RESULT;
}
