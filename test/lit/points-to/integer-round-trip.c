// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a pointer that went through an integer is still known.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdint.h>
int a, b;
int main(int argc, char **argv) {
  uintptr_t number = (uintptr_t)&a | 1;
  int *back = (int *)(number & ~(uintptr_t)1);
  *back = 1; // @store
  a++; // @a
  b = argc; // @b
  return 0;
}
// MEET: store a
// APART: store b
