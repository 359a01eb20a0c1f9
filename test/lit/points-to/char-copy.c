// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a loop over bytes copies pointers.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
struct Holder {
  int *target;
};
int a, b;
int main(int argc, char **argv) {
  struct Holder from = {&a}, to;
  const char *source = (const char *)&from;
  char *target = (char *)&to;
  for (unsigned i = 0; i < sizeof from; i++)
    target[i] = source[i];
  struct Holder *volatile where = &to;
  *where->target = 1; // @store
  a++; // @a
  b = argc; // @b
  return 0;
}
// MEET: store a
// APART: store b
