// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is thrown reaches the handler.
// RUN: clang++ --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
int a, b;
struct Problem {
  int *where;
};
static void fail(int argc) {
  if (argc > 3)
    throw Problem{&a};
}
int main(int argc, char **argv) {
  try {
    fail(argc);
  } catch (Problem &problem) {
    *problem.where = 1; // @store
  }
  b = argc; // @b
  return a; // @a
}
// MEET: store a
// APART: store b
