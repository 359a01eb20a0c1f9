// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a store through a pointer that a structure holds meets the variable.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
struct Holder {
  int *target, *other;
};
int count, limit;
int main(int argc, char **argv) {
  struct Holder holder = {&count, &limit};
  struct Holder *volatile where = &holder;
  struct Holder *through = where;
  *through->target = argc; // @target
  *through->other = 1;     // @other
  count++; // @count
  limit++; // @limit
  return 0;
}
// MEET: target count
// APART: target limit
// MEET: other limit
// APART: other count
