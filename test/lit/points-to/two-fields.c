// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: two fields of one structure on the heap stay apart.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
struct Pair {
  int first, second;
};
int main(void) {
  struct Pair *pair = malloc(sizeof *pair);
  pair->first = 1;  // @first
  pair->second = 2; // @second
  return pair->first; // @read
}
// APART: first second
// MEET: first read
