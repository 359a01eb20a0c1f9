// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: whoever looks at the counter sees the same number, whether loops keep what they count in registers or not: from calls on
// some ways round, out of handlers of exceptions, behind longjmp, in handlers of signals, at the end of the process, in loops that
// never end.
// RUN: clang++ --no-default-config -O2 -flto -S -emit-llvm %s -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify %t.ll -o %t.bc
// RUN: env GNOMON_COUNT=memory opt -load-pass-plugin %pass_plugin -passes=gnomon-count,verify %t.ll -o %t.memory.bc
// RUN: clang++ --no-default-config -O3 %t.bc -no-pie -o %t
// RUN: clang++ --no-default-config -O0 %t.bc -no-pie -o %t.O0
// RUN: clang++ --no-default-config -O3 %t.memory.bc -no-pie -o %t.memory
// RUN: clang++ --no-default-config -O0 %t.memory.bc -no-pie -o %t.memory.O0
// RUN: not %t > %t.out
// RUN: not %t.O0 > %t.O0.out
// RUN: not %t.memory > %t.memory.out
// RUN: not %t.memory.O0 > %t.memory.O0.out
// RUN: diff %t.memory.O0.out %t.memory.out
// RUN: diff %t.memory.out %t.O0.out
// RUN: diff %t.memory.out %t.out
// RUN: FileCheck %s < %t.out
// The registers are there.
// RUN: opt -S %t.bc -o - | FileCheck --check-prefix=IN-REGISTERS %s
// IN-REGISTERS-LABEL: define {{.*}} @errors(
// IN-REGISTERS: phi i64
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

__attribute__((visibility("hidden"))) long counted() __asm__("gnomon.instructions.read");
static void say(const char *what) { printf("%s %ld\n", what, counted()); }
static void look(const char *) { say("look"); }
static void (*volatile looker)(const char *) = look;

#define PART extern "C" __attribute__((noinline))
int keys[20000];
char bytes[1000];

// CHECK: errors
PART int errors(int n, int every) {
  int found = 0;
  for (int i = 0; i < n; i++)
    if (keys[i] % every == 0) {
      found++;
      if (found < 10)
        looker("error"), looker("and again");
    }
  return found;
}
PART int nest(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++)
      if (keys[j] & 1)
        sum += keys[i] & 63;
    if (keys[i] % 7 == 0) {
      memset(bytes, i, static_cast<size_t>(keys[i] & 511));
      looker("nest");
      memset(bytes, i, static_cast<size_t>(keys[i] & 255));
      looker("nest");
    }
    while (sum > 1000)
      sum -= keys[sum & 127] & 31 ? 17 : 33;
  }
  return sum;
}
PART int interpreter(const char *code) {
  int stack = 1, steps = 0;
  for (;; code++) {
    if (++steps > 2000)
      return steps;
    switch (*code) {
    case '+': stack += 3; break;
    case '*': stack *= 3; break;
    case '?': if (stack & 1) looker("odd"); break;
    case '!': looker("step"); [[fallthrough]];
    case '-': stack -= 1; if (stack < 0) return -1; break;
    case '<': if (stack > 50) { stack /= 7; code -= 6; } break;
    default: return stack;
    }
  }
}
PART int irreducible(int n, int from) {
  int i = 0;
  if (from)
    goto middle;
top:
  i += keys[i] & 1;
  if (keys[i] % 31 == 0)
    looker("irreducible");
middle:
  i++;
  if (i < n)
    goto top;
  return i;
}
static void (*volatile thrower)(int) = [](int value) {
  say("throws");
  if (value % 3 == 0)
    throw value;
};
PART int catches(int n) {
  int caught = 0;
  for (int i = 0; i < n; i++) {
    try {
      if (keys[i] % 11 == 0) {
        thrower(keys[i]);
        thrower(keys[i] + 1);
      } else
        caught += 2;
    } catch (int value) {
      caught += value & 1;
      say("caught");
    }
  }
  return caught;
}
PART int passes(int n) { // is left by an exception that somebody else catches
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += keys[i] & 3;
    if (keys[i] % 1009 == 0)
      thrower(3);
  }
  return sum;
}
static jmp_buf back;
static void (*volatile jumper)(int) = [](int i) {
  say("jumps");
  if (i % 2)
    longjmp(back, 1);
};
PART void jumps(int n) {
  for (int i = 0; i < n; i++)
    if (keys[i] % 13 == 0)
      jumper(i);
}
PART int jumpsHere(int n) {
  volatile int i = 0, again = 0;
  while (i < n) {
    i = i + 1;
    if (keys[i] % 17 == 0) {
      if (setjmp(back))
        again = again + 1;
      else
        jumper(i);
    }
  }
  return again;
}
PART void forever(int ends) {
  for (unsigned i = 0;; i++) {
    if (keys[i % 1000] % 19 == 0)
      looker("still there");
    if (i == 700)
      raise(SIGUSR1);
    if (static_cast<int>(i) == ends)
      exit(3);
  }
}

int main() {
  unsigned value = 1;
  for (int i = 0; i < 20000; i++)
    keys[i] = static_cast<int>((value = value * 1103515245u + 12345u) >> 8);
  say("setup");
  errors(10000, 97), say("errors");
  errors(10000, 3), say("many errors");
  nest(300), say("nest");
  interpreter("+*!?+*-<+?!*+<."), say("interpreter");
  irreducible(1000, 0), irreducible(1000, 1), say("irreducible");
  catches(2000), say("catches");
  try {
    passes(20000);
  } catch (int) {
    say("passed");
  }
  if (!setjmp(back))
    jumps(1000);
  say("jumped");
  jumpsHere(1000), say("jumped here");
  signal(SIGUSR1, [](int) { say("signal"); });
  atexit([] { say("end"); });
  // CHECK: signal
  // CHECK: end
  forever(900);
}
