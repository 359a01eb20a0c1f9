// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: where an object is made to refer to itself, by whatever function, it refers to no other object; where the pointer
// comes from another object, or from an earlier round of a loop, it may.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
struct text {
  int *begin;
  int room[4];
};
// Recursive: it is looked at once for all of its calls.
static void make(struct text *text, int depth) {
  if (depth)
    make(text, depth - 1);
  text->begin = text->room;
}
struct list {
  struct list *next, *last;
  int value;
};
static void empty(struct list *list, int depth) {
  if (depth)
    empty(list, depth - 1);
  list->next = list->last = list;
}
static void hand(struct text *to, struct text *from, int depth) {
  if (depth)
    hand(to, from, depth - 1);
  to->begin = from->room;
}
static void chain(struct text *const *texts, int count) {
  int *before = texts[0]->room;
  for (int i = 0; i < count; ++i) {
    struct text *text = texts[i];
    text->begin = before;
    before = text->room;
  }
}
int main(int argc, char **argv) {
  struct text left, right;
  make(&left, argc);
  make(&right, argc);
  left.begin[1] = 1;                    // @left
  right.begin[1] = 2;                   // @right
  int leftRoom = left.room[argc & 3];   // @leftRoom
  int rightRoom = right.room[argc & 3]; // @rightRoom
  struct list one, two;
  empty(&one, argc);
  empty(&two, argc);
  one.next->value = 3; // @one
  two.last->value = 4; // @two
  struct text from, to;
  hand(&to, &from, argc);
  to.begin[1] = 5;                    // @to
  int fromRoom = from.room[argc & 3]; // @fromRoom
  struct text first, second;
  struct text *const texts[] = {&first, &second};
  chain(texts, 2);
  second.begin[1] = 6;                  // @second
  int firstRoom = first.room[argc & 3]; // @firstRoom
  return leftRoom + rightRoom + fromRoom + firstRoom + one.value + two.value;
}
// APART: left right
// MEET: left leftRoom
// MEET: right rightRoom
// APART: left rightRoom
// APART: right leftRoom
// APART: one two
// MEET: to fromRoom
// MEET: second firstRoom
