// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: callers of a function that allocates get memory of their own.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
static void *xmalloc(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory)
    abort();
  return memory;
}
int main(void) {
  double *a = xmalloc(80), *b = xmalloc(80);
  *a = 1; // @a
  *b = 2; // @b
  return *a > 1; // @again
}
// APART: a b
// MEET: a again
