// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a library that ranks load while they run is privatised, and its constructors run on every
// rank.
#include <cstdio>

struct Counter {
  int value;
  Counter() : value(40) { ++value; }
};
static Counter counter;
static int plain = 5;
static int *pointer = &plain;

extern "C" int addToCounter(int amount) {
  *pointer += amount;
  counter.value += amount;
  return counter.value * 1000 + plain;
}
