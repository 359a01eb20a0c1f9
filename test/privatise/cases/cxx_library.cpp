// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what C++ lets a program and its library define together (statics of templates, inline
// variables, statics of inline functions with their guards) is one variable per rank, whoever's
// definition the dynamic linker takes.
#include "libcxx.h"
#include "rank.h"

int main() {
  CHECKED;
  int me = rank_number();
  rank_switch();
  for (int i = 1; i <= me; i++)
    libraryAdd(i);
  Registry<int>::items.push_back(100);
  rank_switch();
  int sum = me * (me + 1) / 2;
  CHECK(Registry<int>::items.size() == size_t(me) + 2 && Registry<int>::sum == 5 + sum);
  CHECK(meyers() == 40 + sum &&
        inlineText.size() ==
            std::string("inline variable with a long text, not a short one").size() + me);
  CHECK(Poly::alive == 1);
  Poly *poly = makePoly();
  CHECK(Poly::alive == 2 && poly->value() == 2 + Registry<int>::sum);
  *libraryCursor = me;
  rank_switch();
  CHECK(libraryTable[1] == me && libraryNames[1][0] == 'b');
  libraryCursor += me;
  rank_switch();
  CHECK(libraryCursor - libraryTable == 1 + me);
  return CHECK_RESULT;
}
