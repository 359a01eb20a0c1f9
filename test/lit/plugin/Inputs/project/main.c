/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "project.h"
#include <stdio.h>

int counter = 1;               /* declared in project.h, defined here */
static double fileStatic[8];
int tentative;
int tentative;
const int answer = 42;
const char *message = "hello"; /* only what it points to is const */
const char *const fixedMessage = "hello";
int *const holder = &counter;
static int *const *const holderOfHolder = &holder;
static int (*const functions[])(void) = {next, 0};
FILE *const nowhere = 0;
_Thread_local int perThread;
__attribute__((gnomon_shared)) long requested;
int inAssembly;
#pragma gnomon shared(byPragma)
static int byPragma[3];

int next(void) {
  static int calls;
  static const short table[] = {1, 2, 3};
  __asm__ volatile("# %0" : : "i"(&inAssembly));
  return calls += table[calls % 3];
}
