// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: where a text may have been overwritten since its bytes were counted, its copy takes addresses along.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <string.h>
union Place {
  char text[16];
  int *target;
};
int a, b;
int main(int argc, char **argv) {
  union Place from = {"12345678"}, to = {""};
  unsigned long length = strlen(from.text);
  if (argc > 1)
    from.target = &a;
  memcpy(&to, &from, length);
  *to.target = 1; // @store
  a++;            // @a
  b = argc;       // @b
  return 0;
}
// MEET: store a
// APART: store b
