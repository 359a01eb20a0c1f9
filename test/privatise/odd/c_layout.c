/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Intent: odd objects keep their values, alignment and addresses in every rank's copy: packed
 * pointers, addresses as integers, self-references, one past the end, flexible arrays, bit-fields,
 * unions, big alignment, wide types. */
#include "../cases/rank.h"

#include <complex.h>
#include <stdint.h>
#include <string.h>

int target[4] = {1, 2, 3, 4};
struct __attribute__((packed)) Packed {
  char tag;
  int *pointer;
  short end;
} packed[3] = {{'a', &target[1], 7}, {'b', &target[4], 8}, {'c', 0, 9}};
uintptr_t asInteger = (uintptr_t)&target[2];
uintptr_t plusOffset = (uintptr_t)target + 12;
struct Node {
  struct Node *self, *next;
  int value;
} first, second = {&second, &first, 2}, first = {&first, &second, 1};
struct Flexible {
  int count;
  int *items[];
} flexible = {3, {&target[0], &target[1], 0}};
struct Bits {
  unsigned a : 3, b : 17, : 0, c : 30;
  int *after;
} bits = {5, 99, 77, &target[3]};
union Either {
  int *pointer;
  long number;
  double real;
} unions[2] = {{.pointer = target}, {.number = 5}};
_Alignas(4096) char page[64] = "page";
_Alignas(64) int line = 3;
_Atomic int atomic = 4;
volatile int vol = 5;
__int128 wide = ((__int128)1 << 100) + 7;
long double longReal = 1.25L;
double _Complex complexValue = 1.0 + 2.0 * I;
typedef float Vector __attribute__((vector_size(32)));
Vector vector = {1, 2, 3, 4, 5, 6, 7, 8};
char zeroes[1 << 20];
struct {
} empty;
int zeroLength[0];
const char *words[] = {"one", "two"};
int (*functions[])(void) = {rank_number, rank_count};
int *const constantPointer = &target[0];
int *const *const constantChain[] = {&constantPointer, 0};
const struct {
  const char *name;
  int *where;
} constantTable[] = {{"zero", &target[0]}, {"three", &target[3]}};
static const uintptr_t constantInteger = (uintptr_t)&target[1];

int main(void) {
  CHECKED;
  int me = rank_number();
  for (int i = 0; i < 4; ++i)
    target[i] = 10 * me + i;
  bits.b = me;
  unions[1].number = me;
  page[0] = '0' + me;
  line = atomic = vol = me;
  wide += me;
  longReal += me;
  complexValue += me * I;
  vector[7] = me;
  zeroes[777777] = me;
  functions[1] = me % 2 ? rank_number : rank_count;
  words[1] = me % 2 ? "odd" : "even";
  first.value = me;
  rank_switch();
  CHECK(packed[0].pointer == &target[1] && *packed[0].pointer == 10 * me + 1 &&
        packed[1].pointer == target + 4);
  CHECK(packed[0].end == 7 && packed[2].pointer == 0 && packed[2].tag == 'c' && packed[2].end == 9);
  CHECK(asInteger == (uintptr_t)&target[2] && plusOffset == (uintptr_t)&target[3] &&
        *(int *)plusOffset == 10 * me + 3);
  CHECK(first.self == &first && second.next == &first && second.next->value == me &&
        first.next->next == &first);
  CHECK(flexible.items[1] == &target[1] && flexible.count == 3);
  CHECK(bits.a == 5 && bits.b == (unsigned)me && bits.c == 77 && bits.after == &target[3]);
  CHECK(unions[0].pointer == target && unions[1].number == me);
  CHECK((uintptr_t)page % 4096 == 0 && page[0] == '0' + me && !strcmp(page + 1, "age"));
  CHECK((uintptr_t)&line % 64 == 0 && (uintptr_t)&vector % 32 == 0 && (uintptr_t)&wide % 16 == 0);
  CHECK(line == me && atomic == me && vol == me && wide == ((__int128)1 << 100) + 7 + me &&
        longReal == 1.25L + me);
  CHECK(cimag(complexValue) == 2 + me && vector[7] == me && vector[6] == 7 && zeroes[777777] == me);
  CHECK(functions[0]() == me && functions[1]() == (me % 2 ? me : rank_count()));
  CHECK(!strcmp(words[1], me % 2 ? "odd" : "even") && !strcmp(words[0], "one"));
  CHECK(constantPointer == target && *constantChain[0] == target && **constantChain[0] == 10 * me);
  CHECK(*constantTable[1].where == 10 * me + 3 && *(int *)constantInteger == 10 * me + 1);
  CHECK((void *)&empty != (void *)1);
  return CHECK_RESULT;
}
