/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A file of the user's that says when to end, which no run has: a program that looks for it all the time reads files.
 */
#pragma once

#include "ring.h"
#include <stdio.h>

static inline int lastStep(void) {
  int last = STEPS;
  FILE *file = fopen("last.step", "r");
  if (file) {
    if (fscanf(file, "%d", &last) != 1)
      last = 0;
    fclose(file);
  }
  return last;
}
