// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a structure that is passed by value is read at the call, and the callee has a copy.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
struct Large {
  int *target;
  long filler[8];
};
int a, b;
static __attribute__((noinline)) void use(struct Large large) {
  large.filler[0] = 1; // @copy
  *large.target = 1; // @store
}
struct Large original;
int main(int argc, char **argv) {
  original.target = &a;
  use(original);
  original.filler[0] = 2; // @original
  a++; // @a
  b = argc; // @b
  return 0;
}
// MEET: store a
// APART: store b
// APART: copy original
