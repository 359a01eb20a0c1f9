// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the program's arguments are texts: what is copied of one leads to none.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
#include <string.h>
int a;
int main(int argc, char **argv) {
  int **copy = malloc((unsigned)argc * sizeof *copy);
  *copy = &a;
  memcpy(copy, argv[1], (unsigned)argc);
  **copy = 1;       // @store
  argv[argc] = 0;   // @array
  argv[1][0] = 'x'; // @text
  argv[2][3] = 'y'; // @other
  a++;              // @a
  return 0;
}
// MEET: store a
// MEET: text other
// APART: store text
// APART: array text
// APART: store array
