// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the counter grows by the length of what runs, whatever the optimiser then makes of the program: a plain interpreter of the
// same rule (one counter at the head of each block) counts the same, to within the straight code of a function.
// RUN: clang --no-default-config -O2 -flto -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify %t.ll -o %t.bc
// RUN: env GNOMON_COUNT=blocks opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify %t.ll -o %t.blocks.bc
// RUN: env GNOMON_COUNT=memory opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify %t.ll -o %t.memory.bc
// RUN: clang --no-default-config -O3 %t.bc -no-pie -lm -o %t
// RUN: clang --no-default-config -O0 %t.bc -no-pie -lm -o %t.O0
// RUN: clang --no-default-config -O3 %t.memory.bc -no-pie -lm -o %t.memory
// RUN: clang --no-default-config -O3 %t.blocks.bc -no-pie -lm -o %t.blocks
// RUN: %t > %t.out && %t.O0 > %t.O0.out && %t.memory > %t.memory.out && %t.blocks > %t.blocks.out
// RUN: diff %t.out %t.O0.out
// RUN: diff %t.out %t.memory.out
// RUN: python3 %S/../../Inputs/counts_agree.py %t.out %t.blocks.out
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((visibility("hidden"))) long counted(void) __asm__("gnomon.instructions.read");
static long last;
__attribute__((noinline)) static void say(const char *what) {
  printf("%s %ld\n", what, counted() - last);
  last = counted();
}

#define PART __attribute__((noinline)) static
double a[10000], b[10000];
int keys[20000];

PART long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
PART void sort(int low, int high) {
  if (low >= high)
    return;
  int pivot = keys[(low + high) / 2], i = low, j = high;
  while (i <= j) {
    while (keys[i] < pivot)
      i++;
    while (keys[j] > pivot)
      j--;
    if (i <= j) {
      int swap = keys[i];
      keys[i++] = keys[j];
      keys[j--] = swap;
    }
  }
  sort(low, j);
  sort(i, high);
}
PART void triangle(int n) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j += 3)
      a[j] += b[i];
}
PART void branches(int n) {
  for (int i = 0; i < n; i++) {
    if (keys[i] % 3 == 0)
      a[i] = sqrt(b[i]) + exp(b[i]) / 3 + a[i] * a[i] + 1 / (b[i] + 1);
    else if (keys[i] % 5 == 0)
      b[i] += 1;
  }
}
PART int search(const int *from, int value) {
  const int *p = from;
  while (*p != value)
    p += 2;
  return p - from;
}
PART void moves(int n) {
  for (int i = 0; i < n; i++)
    memcpy(a + i, b + i, (n - i) * sizeof *a);
}
PART int state(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    switch (s) {
    case 0: s = keys[i] & 3; break;
    case 1: s = 2; a[i] += 1; break;
    case 2: s = keys[i] & 1 ? 3 : 0; break;
    default: s = 0; b[i] *= 3; a[i] -= b[i]; break;
    }
  return s;
}
PART int compare(const void *x, const void *y) { return (*(int *)x > *(int *)y) - (*(int *)x < *(int *)y); }
PART double pick(double x) {
  if (x > 100)
    return exp(x) / (1 + exp(x)) + sqrt(x) * x * x * x * x - x;
  return x;
}
PART double picks(int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += pick(keys[i] % 200);
  return sum;
}
/// Inner loops whose iterations are known before the outermost one; some that are not come to, or change.
PART int cells(int planes, int rows, long n, unsigned few) {
  int done = 0;
  for (int k = 0; k < planes; k++)
    for (int j = 0; j < rows; j++) {
      for (long i = 0; i < n; i++)
        a[i] += b[i] * j;
      if (keys[j] & 1)
        for (unsigned i = 0; i != few; i++)
          if (keys[i] & 2)
            b[i] -= k;
      if (keys[j + k] % 7 == 0)
        continue;
      for (long i = n; i-- > 0;)
        for (unsigned l = 0; l < few; l += 2)
          b[l] += a[i];
      for (int i = 0; i < j; i++)
        a[i] = b[i];
      if (keys[j * k] % 50 == 3)
        break;
      done++;
    }
  return done;
}

int main(void) {
  unsigned value = 1;
  for (int i = 0; i < 20000; i++)
    keys[i] = (value = value * 1103515245u + 12345u) >> 8;
  say("setup");
  fib(20), say("fib");
  triangle(500), say("triangle");
  branches(10000), say("branches");
  state(10000), say("state");
  picks(10000), say("picks");
  moves(300), say("moves");
  sort(0, 9999), say("sort");
  cells(9, 50, 12, 5), say("cells");
  cells(9, 50, 0, 0), say("no-cells");
  cells(9, 50, 1, 1), say("one-cell");
  qsort(keys + 10000, 10000, sizeof *keys, compare), say("qsort");
  keys[15000] = -7, search(keys, -7), say("search");
  return 0;
}
