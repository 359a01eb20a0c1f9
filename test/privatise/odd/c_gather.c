/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: vectors of addresses of private arrays (gather and scatter loops, selected addresses) are
 * of the rank's copy. */
#include "../cases/rank.h"

static int table[1024], indices[256];
static double out[256], in[1024];

__attribute__((noinline)) static void gather(int n) {
  for (int i = 0; i < n; ++i)
    out[i] = in[indices[i]] * 2 + table[indices[i]];
}

__attribute__((noinline)) static void scatter(int n) {
  for (int i = 0; i < n; ++i)
    if (indices[i] & 1)
      in[indices[i]] = -i;
}

__attribute__((noinline)) static int select(int bits) {
  static int a, b;
  int *addresses[8];
  for (int i = 0; i < 8; ++i)
    addresses[i] = (bits >> i) & 1 ? &a : &b;
  for (int i = 0; i < 8; ++i)
    *addresses[i] += i;
  return a * 100 + b;
}

int main(void) {
  CHECKED;
  int me = rank_number();
  for (int i = 0; i < 1024; ++i)
    table[i] = me, in[i] = i + me;
  for (int i = 0; i < 256; ++i)
    indices[i] = i * 3;
  rank_switch();
  gather(256);
  rank_switch();
  for (int i = 0; i < 256; ++i)
    CHECK(out[i] == 2 * (3 * i + me) + me);
  scatter(256);
  select(1 << me);
  rank_switch();
  CHECK(in[3] == -1 && in[0] == me && in[765] == -255);
  CHECK(select(1 << me) == 2 * me * 100 + 2 * (28 - me));
  return CHECK_RESULT;
}
