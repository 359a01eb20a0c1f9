/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * See lib.h. */
#include "lib.h"

int libraryCounter = 100;
static int hidden[4] = {1, 2, 3, 4};
int *const libraryPointer = &hidden[2];
static int *toProgram = &programVariable;
__attribute__((weak)) int bothDefine = 1;

int libraryNext(void) {
  static int calls;
  calls++;
  hidden[2]++;
  return libraryCounter += calls;
}
int *libraryCounterAddress(void) { return &libraryCounter; }
int libraryReadsProgram(void) { return *toProgram * 2 + programVariable; }
int *libraryBothAddress(void) { return &bothDefine; }
void libraryReset(int value) { hidden[2] = value; }

static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = 1; }
int libraryConstructed(void) { return constructed; }
