// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an index into an array member leaves the other members alone.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
struct State {
  double field[10];
  double *where;
  double total;
} state;
int main(int argc, char **argv) {
  state.field[argc] = 1; // @field
  state.total = 2; // @total
  state.where = &state.field[3]; // @where
  return *state.where > 1; // @read
}
// APART: field total
// APART: field where
// MEET: field read
