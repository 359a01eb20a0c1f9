/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: the program and its library (archive or shared object) each have their globals once per
 * rank, and reach each other's: by name, through pointers in initialisers, and when both define the
 * same weak symbol. */
#include "lib.h"
#include "rank.h"

int programVariable = 50;
__attribute__((weak)) int bothDefine = 1;
static int *toLibrary = &libraryCounter;
int libraryConstructed(void);

int main(void) {
  CHECKED;
  int me = rank_number();
  CHECK(libraryCounter == 100 && *toLibrary == 100 && toLibrary == libraryCounterAddress());
  CHECK(libraryConstructed());
  rank_switch();
  libraryCounter = me * 10;
  programVariable = me;
  bothDefine = me;
  libraryReset(me);
  rank_switch();
  CHECK(libraryCounter == me * 10 && *toLibrary == me * 10 && *libraryCounterAddress() == me * 10);
  CHECK(libraryReadsProgram() == me * 3);
  CHECK(&bothDefine == libraryBothAddress() && bothDefine == me);
  CHECK(*libraryPointer == me);
  rank_switch();
  CHECK(libraryNext() == me * 10 + 1 && libraryNext() == me * 10 + 3);
  CHECK(*libraryPointer == me + 2);
  return CHECK_RESULT;
}
