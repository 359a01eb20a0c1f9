/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: other names of a variable (alias, weak alias, assembler name) and of a function (alias,
 * ifunc) lead to the rank's copy, in code and in initialisers. */
#include "../cases/rank.h"

int original = 1;
extern int other __attribute__((alias("original")));
extern int weakOther __attribute__((weak, alias("original")));
static int hidden[4] = {1, 2, 3, 4};
extern int hiddenOther[4] __attribute__((alias("hidden")));
int renamed __asm__("named_for_the_linker") = 5;
int *pointers[] = {&original, &other, &weakOther, &hiddenOther[2], &renamed};

int count(int by) {
  static int calls;
  return calls += by;
}
int countToo(int by) __attribute__((alias("count")));

static int chosen(int by) { return count(2 * by); }
static int (*resolve(void))(int) { return chosen; }
int indirect(int by) __attribute__((ifunc("resolve")));

int main(void) {
  CHECKED;
  int me = rank_number();
  other = 10 + me;
  hiddenOther[2] = 20 + me;
  renamed = 30 + me;
  count(me);
  rank_switch();
  CHECK(original == 10 + me && other == 10 + me && weakOther == 10 + me);
  int *volatile addresses[] = {&original, hidden}; /* clang folds a comparison of two names */
  CHECK(addresses[0] == &other && addresses[0] == &weakOther && addresses[1] == hiddenOther);
  CHECK(hidden[2] == 20 + me && renamed == 30 + me);
  for (int i = 0; i < 3; ++i)
    CHECK(pointers[i] == &original && *pointers[i] == 10 + me);
  CHECK(pointers[3] == &hidden[2] && *pointers[3] == 20 + me && pointers[4] == &renamed &&
        *pointers[4] == 30 + me);
  CHECK(countToo(1) == me + 1);
  rank_switch();
  CHECK(indirect(1) == me + 3);
  return CHECK_RESULT;
}
