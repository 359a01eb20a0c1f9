// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See libcxx.h.
#include "libcxx.h"

int Poly::alive = 0;
Poly::~Poly() { --alive; }
int Poly::value() { return 1; }

struct Derived : Poly {
  int value() override { return 2 + Registry<int>::sum; }
};
static Derived global;

Poly *makePoly() {
  static Derived local;
  return &local;
}

int libraryAdd(int value) {
  Registry<int>::items.push_back(value);
  Registry<int>::sum += value;
  meyers() += value;
  inlineText += "x";
  return static_cast<int>(Registry<int>::items.size());
}

int libraryTable[4] = {1, 2, 3, 4};
int *libraryCursor = libraryTable + 1;
const char *const libraryNames[] = {"a", "b"};
