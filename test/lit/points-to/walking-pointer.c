// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a pointer that walks backwards from the end of an array stays with it.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
struct State {
  double before[8], values[8], after[8];
} state;
int main(int argc, char **argv) {
  double *end = state.values + 8;
  while (end != state.values)
    *--end = argc; // @walk
  return state.values[argc] > 1; // @values
}
// MEET: walk values
