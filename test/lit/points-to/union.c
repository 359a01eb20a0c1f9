// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the members of a union are one memory.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
union Word {
  int *pointer;
  unsigned long bits;
};
int a, b;
int main(int argc, char **argv) {
  union Word word;
  union Word *volatile where = &word;
  union Word *through = where;
  through->bits = (unsigned long)&a; // @bits
  *through->pointer = 1; // @store
  a++; // @a
  b = argc; // @b
  return 0;
}
// MEET: store a
// APART: store b
