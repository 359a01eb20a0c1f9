// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an index into an array member of a structure on the heap leaves the other members alone, also when the compile
// step has optimised it; of arrays of arrays, all rows are one. Where structures lie in an array, any may be
// meant; an array of one element may go on.
// RUN: clang --no-default-config -fpass-plugin=%mark_plugin -O2 -g %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>

#define SEPARATE __attribute__((noinline)) static

struct State {
  int order;
  double *history[13];
  double *solver;
  double rows[4][8];
  double total;
  double open[1];
};

SEPARATE void remember(struct State *state, int j, double *value) {
  state->history[j] = value; // @history
}
SEPARATE double *before(struct State *state, int j) {
  return state->history[j - 1]; // @before
}
SEPARATE void walk(struct State *state, int n, double *value) {
  for (int j = 0; j < n; ++j)
    state->history[j + 1] = value; // @walked
}
SEPARATE void prepare(struct State *state, double *solver) {
  state->solver = solver; // @solver
}
SEPARATE void set(struct State *state, int i, int j, double value) {
  state->rows[i][j] = value; // @rows
}
SEPARATE void setFirst(struct State *state, int j, double value) {
  state->rows[1][j] = value; // @row
}
SEPARATE void add(struct State *state, double value) {
  state->total = value; // @total
}
SEPARATE void extend(struct State *state, int j, double value) {
  state->open[j] = value; // @open
}
SEPARATE void column(struct State *states, int n, int j, double *value) {
  for (int i = 0; i < n; ++i)
    states[i].history[j] = value; // @column
}
SEPARATE double *far(struct State *states) {
  return states[2].history[1]; // @far
}

int main(int argc, char **argv) {
  struct State *state = malloc(sizeof *state + 8 * sizeof(double)), *states = malloc(sizeof *states * argc);
  double *value = malloc(8);
  remember(state, argc, value);
  walk(state, argc, value);
  prepare(state, value);
  set(state, argc, argc + 1, 1);
  setFirst(state, argc, 1);
  add(state, 1);
  extend(state, argc, 1);
  column(states, argc, argc + 2, value);
  return before(state, argc) == far(states);
}
// APART: history solver
// APART: walked solver
// APART: rows total
// APART: row total
// MEET: row open
// MEET: history before
// MEET: history walked
// MEET: rows row
// MEET: column far
