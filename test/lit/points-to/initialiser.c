// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: pointers in the initial values of globals lead to their targets.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
int a[4], b[4];
struct Node {
  struct Node *next;
  int *data;
};
struct Node last = {0, b}, first = {&last, a};
int main(int argc, char **argv) {
  if (argc > 9)
    first.next = &first;
  first.data[argc] = 1; // @a
  first.next->data[1] = 2; // @next
  return a[1] // @readA
         + b[1]; // @readB
}
// MEET: a readA
// APART: a readB
// MEET: next readA
// MEET: next readB
