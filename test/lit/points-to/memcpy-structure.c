// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: memcpy of a structure copies the pointers in it, field by field.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <string.h>
struct Two {
  int *first, *second;
};
int a, b;
int main(int argc, char **argv) {
  struct Two from = {&a, &b}, to;
  memcpy(&to, &from, sizeof to);
  struct Two *volatile where = &to;
  struct Two *through = where;
  *through->first = 1;  // @first
  *through->second = 2; // @second
  a++; // @a
  b++; // @b
  return 0;
}
// MEET: first a
// MEET: second b
// APART: first b
