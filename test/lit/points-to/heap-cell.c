// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a pointer that is kept in heap memory leads to what was stored there.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
int wanted, unrelated;
int main(int argc, char **argv) {
  int **box = malloc(8 * sizeof *box);
  box[argc & 7] = &wanted;
  int *out = box[(argc + 1) & 7];
  *out = 1;      // @store
  wanted++;      // @wanted
  unrelated = argc; // @unrelated
  return 0;
}
// MEET: store wanted
// APART: store unrelated
