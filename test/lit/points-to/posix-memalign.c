// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: posix_memalign stores new memory in its argument.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int main(int argc, char **argv) {
  void *a, *b;
  if (posix_memalign(&a, 64, 800) || posix_memalign(&b, 64, 800))
    return 1;
  double *x = a, *y = b;
  *x = 1; // @x
  *y = 2; // @y
  return ((double *)a)[argc] > 1; // @again
}
// APART: x y
// MEET: x again
