/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The receiver of GNOMON_PRINT_WORK (llvm-pass/work/PrintWork.cpp): compares the work that was
 * predicted for the nest that was entered first with the instructions that the program has counted
 * until check() is called. Compiled without the pass.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern long counted(void) __asm__("gnomon.instructions.read");
static long predicted = -1, before;

void gnomon_test_work(const char *name, long work) {
  (void)name;
  if (predicted < 0) {
    predicted = work;
    before = counted();
  }
}

/* The least and the greatest ratio of predicted to counted that pass; a few dozen instructions of
 * straight code are counted ahead or late. */
void check(const char *name, double least, double most) {
  long now = counted() - before;
  if (predicted < 0)
    printf("%s: nothing\n", name);
  else if (predicted >= least * now - 64 && predicted <= most * now + 64)
    printf("%s: right\n", name);
  else
    printf("%s: predicted %ld, counted %ld\n", name, predicted, now);
  predicted = -1;
}
