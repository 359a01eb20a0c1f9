/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: a variable in a named section is private like any other; a section that the program walks
 * by __start_ and __stop_ keeps its elements, in place; `used`, `retain` and hidden variables are private. */
#include "../cases/rank.h"

__attribute__((section("my.data"))) int inSection = 1;
__attribute__((section("plain_name"))) int inPlain = 2;
__attribute__((used)) static int used = 3;
__attribute__((used, retain)) int retained = 4;
__attribute__((visibility("hidden"))) int hidden = 5;
__attribute__((section(".bss.mine"))) int zero;
__attribute__((weak)) int weak = 6;
__attribute__((section("walked"), used)) static const int element1 = 100;
__attribute__((section("walked"), used)) static const int element2 = 20;
extern const int __start_walked[], __stop_walked[];

int main(void) {
  CHECKED;
  int me = rank_number();
  inSection += me, inPlain += me, used += me, retained += me, hidden += me, zero += me, weak += me;
  rank_switch();
  CHECK(inSection == 1 + me && inPlain == 2 + me && used == 3 + me && retained == 4 + me &&
        hidden == 5 + me);
  CHECK(zero == me && weak == 6 + me);
  int sum = 0;
  for (const int *p = __start_walked; p != __stop_walked; ++p)
    sum += *p;
  CHECK(sum == 120);
  return CHECK_RESULT;
}
