// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what is given to unknown code may be written by it, what is not may not.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
void unknown(int **);
int given, reachable, kept;
int main(int argc, char **argv) {
  int *pointer = &reachable;
  given = 1; // @given
  unknown(&pointer); // @call
  reachable = 2; // @reachable
  kept = argc; // @kept
  return 0;
}
// MEET: call reachable
// APART: call kept
// APART: call given
