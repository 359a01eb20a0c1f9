/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: pointers in initialisers point into the rank's own copy: to variables, into arrays and
 * structures, one past the end, through constants and through cycles; pointers to constants and
 * functions stay what they are. */
#include "rank.h"

#include <stdint.h>

static int value = 5;
int *pointer = &value;
static int array[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static int *const constantPointer = &array[3];
int *end = array + 10;
int *before = array;
static int zeros[10];
int *const zeroEnd = zeros + 10;
struct Node {
  struct Node *next, *previous;
  int id;
};
static struct Node nodes[3] = {
    {&nodes[1], &nodes[2], 0}, {&nodes[2], &nodes[0], 1}, {&nodes[0], &nodes[1], 2}};
static const struct {
  const char *name;
  int *variable;
  int (*function)(void);
} options[] = {{"value", &value, rank_number}, {"array", &array[7], rank_count}, {"none", 0, 0}};
int **twice = &pointer;
uintptr_t number = (uintptr_t)&value + 4;
#pragma pack(push, 1)
struct Packed {
  char tag;
  int *unaligned;
} packed = {'p', &array[9]};
#pragma pack(pop)
static const char *names[] = {"a", "b"};
const char *const *namesPointer = names;

static int *choose(int which) {
  switch (which) { /* a lookup table of addresses, made by the compiler */
  case 0:
    return &array[0];
  case 1:
    return &value;
  case 2:
    return &zeros[4];
  case 3:
    return pointer;
  default:
    return 0;
  }
}

int main(int argc, char **argv) {
  CHECKED;
  int me = rank_number();
  rank_switch();
  CHECK(pointer == &value && constantPointer == &array[3] && end - array == 10 && before == array);
  CHECK(zeroEnd == &zeros[9] + 1 && *twice == &value && number == (uintptr_t)(&value + 1));
  *pointer = me;
  *constantPointer = -me;
  end[-1] = me * 2;
  zeroEnd[-1] = me;
  rank_switch();
  CHECK(value == me && array[3] == -me && array[9] == me * 2 && zeros[9] == me && **twice == me);
  CHECK(*options[0].variable == me && options[1].variable == &array[7] &&
        options[0].function() == me);
  CHECK(options[2].variable == 0 && options[0].name[0] == 'v');
  CHECK(nodes[0].next->next->next == nodes && nodes[0].previous == &nodes[2]);
  nodes[1].id = me;
  rank_switch();
  CHECK(nodes[0].next->id == me);
  CHECK(*packed.unaligned == me * 2 && namesPointer[1][0] == 'b');
  CHECK(choose(argc - 1) == &array[0] && choose(argc) == &value && choose(argc + 1) == &zeros[4] &&
        !choose(9));
  return CHECK_RESULT;
}
