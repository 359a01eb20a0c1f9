// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a field of the structures in an array is apart from the other fields, for any index.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
struct Body {
  double mass, x, y;
};
int main(int argc, char **argv) {
  struct Body *bodies = malloc(sizeof *bodies * argc);
  for (int i = 0; i < argc; i++)
    bodies[i].mass = i; // @mass
  bodies[argc / 2].x = 1; // @x
  return bodies[3].mass > 1; // @third
}
// APART: mass x
// MEET: mass third
