// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: what an allocator makes that is called through a pointer is kept apart by call.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
struct Table {
  void *(*make)(size_t, size_t);
  int *numbers, *others;
};
static void *zeros(size_t count, size_t bytes) { return calloc(count, bytes); }
static void *room(size_t count, size_t bytes) { return calloc(count + 1, bytes); }
static struct Table *table(void *(*make)(size_t, size_t)) {
  struct Table *made = make(1, sizeof *made);
  made->make = make;
  made->numbers = make(10, sizeof(int));
  made->others = make(20, sizeof(int));
  return made;
}
int main(int argc, char **argv) {
  struct Table *made = table(argc > 1 ? zeros : room);
  made->numbers[argc] = 1; // @numbers
  made->others[argc] = 2;  // @others
  int *more = made->make(5, sizeof(int));
  more[argc] = 3; // @more
  return made->numbers[0] + // @again
         more[1];
}
// MEET: numbers again
// APART: numbers others
// APART: numbers more
// APART: others more
