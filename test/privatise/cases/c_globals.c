/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: extern, file-static and function-static variables, arrays, structures and unions have one
 * copy per rank. */
#include "rank.h"

int initialised = 7;
int zero;
static long fileStatic = -1;
double array[100];
static int table[4] = {1, 2, 3, 4};
struct Point {
  int x, y;
  char name[8];
} point = {1, 2, "abc"};
static union {
  int i;
  float f;
} either;
_Alignas(128) static char aligned[128];
char text[] = "text";
_Bool flag;

static int next(void) {
  static int counter = 10;
  static int empty;
  return ++counter + ++empty;
}

int main(void) {
  CHECKED;
  int me = rank_number();
  CHECK(initialised == 7 && zero == 0 && fileStatic == -1 && point.x == 1 && table[3] == 4);
  CHECK((unsigned long)aligned % 128 == 0);
  rank_switch();
  initialised = me;
  zero = me + 1;
  fileStatic = me + 2;
  for (int i = 0; i < 100; i++)
    array[i] = me * 1000 + i;
  table[me % 4] = -me;
  point = (struct Point){me, me, {(char)('a' + me), 0}};
  either.f = (float)me;
  aligned[5] = (char)me;
  text[0] = (char)('A' + me);
  flag = me == 1;
  for (int i = 0; i < me; i++)
    next();
  rank_switch();
  CHECK(initialised == me && zero == me + 1 && fileStatic == me + 2);
  for (int i = 0; i < 100; i++)
    CHECK(array[i] == me * 1000 + i);
  CHECK(table[me % 4] == -me && table[(me + 1) % 4] == (me + 1) % 4 + 1);
  CHECK(point.x == me && point.y == me && point.name[0] == 'a' + me);
  CHECK(either.f == (float)me && aligned[5] == me && text[0] == 'A' + me && text[1] == 'e' &&
        flag == (me == 1));
  CHECK(next() == 10 + 2 * (me + 1));
  return CHECK_RESULT;
}
