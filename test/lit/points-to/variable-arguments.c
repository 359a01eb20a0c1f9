// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: pointers that are passed as variable arguments come out again.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdarg.h>
int a, b;
static void set(int count, ...) {
  va_list list;
  va_start(list, count);
  for (int i = 0; i < count; i++) {
    int *where = va_arg(list, int *);
    *where = 1; // @store
  }
  va_end(list);
}
int main(int argc, char **argv) {
  set(argc, &a, &a);
  b = 2; // @b
  return a; // @a
}
// MEET: store a
// APART: store b
