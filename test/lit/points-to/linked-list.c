// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: the cells of a list are one, their fields are not.
// RUN: clang --no-default-config -O1 -g -Xclang -disable-llvm-passes %s -S -emit-llvm -o %t.ll
// RUN: opt -load-pass-plugin %pass_plugin -passes='internalize<preserve-gv=main>,function(sroa),gnomon-print-points-to' -disable-output %t.ll | python3 %S/Inputs/check.py %s
#include <stdlib.h>
struct Node {
  struct Node *next;
  int value, weight;
};
int main(int argc, char **argv) {
  struct Node *head = 0;
  for (int i = 0; i < argc; i++) {
    struct Node *node = malloc(sizeof *node);
    node->next = head; // @next
    node->value = i; // @value
    node->weight = 1; // @weight
    head = node;
  }
  int sum = 0;
  for (struct Node *node = head; node; node = node->next) // @walk
    sum += node->value; // @sum
  return sum;
}
// MEET: sum value
// APART: sum weight
// MEET: walk next
