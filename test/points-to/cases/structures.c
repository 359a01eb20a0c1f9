/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Lists, trees, matrices, tables of functions, unions, sorted pointers:
 * pointers in all places where C keeps them. */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  struct node *left, *right;
  const char *name;
  double values[3];
  int key;
};

typedef int (*binary)(int, int);
static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }
static binary operations[] = {add, multiply};

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory)
    exit(1);
  return memory;
}

static struct node *insert(struct node *tree, int key) {
  if (!tree) {
    tree = allocate(sizeof *tree);
    memset(tree, 0, sizeof *tree);
    tree->key = key;
    tree->name = key & 1 ? "odd" : "even";
    tree->values[key % 3] = key;
    return tree;
  }
  struct node **side = key < tree->key ? &tree->left : &tree->right;
  *side = insert(*side, key);
  return tree;
}

static double total(const struct node *tree) {
  double sum = 0;
  if (!tree)
    return 0;
  for (int i = 0; i < 3; i++)
    sum += tree->values[i];
  return sum + total(tree->left) + total(tree->right) + (double)strlen(tree->name);
}

static double **matrix(int rows, int columns) {
  double **table = allocate((size_t)rows * sizeof *table);
  table[0] = allocate((size_t)rows * (size_t)columns * sizeof(double));
  for (int i = 0; i < rows; i++)
    table[i] = table[0] + i * columns;
  return table;
}

static int byKey(const void *a, const void *b) {
  return (*(struct node *const *)a)->key - (*(struct node *const *)b)->key;
}

union word {
  struct node *pointer;
  uint64_t bits;
  unsigned char bytes[8];
};

struct pool {
  unsigned char memory[4096];
  size_t used;
};
static struct pool pool;

static void *fromPool(size_t bytes) {
  void *result = pool.memory + pool.used;
  pool.used += (bytes + 15) & ~(size_t)15;
  return result;
}

struct by_value {
  struct node *nodes[4];
  int count;
};

static struct by_value collect(struct by_value have, struct node *node) {
  have.nodes[have.count++ & 3] = node;
  return have;
}

static jmp_buf place;

int main(void) {
  struct node *tree = NULL;
  for (int i = 0; i < 40; i++)
    tree = insert(tree, (i * 17 + 20) % 41);
  double result = total(tree);

  double **a = matrix(5, 7), **b = matrix(7, 5);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 7; j++)
      a[i][j] = b[j][i] = i * j;
  for (int i = 0; i < 35; i++)
    result += a[0][i] + b[0][i];

  int x = 3, y = 4;
  result += x + y;
  for (int i = 0; i < 4; i++)
    result += operations[i & 1](x, i);

  struct node *sorted[] = {tree, tree->left, tree->right};
  qsort(sorted, 3, sizeof *sorted, byKey);
  sorted[0]->values[1] = 5;
  result += total(tree);

  union word word, copy;
  word.pointer = tree;
  for (int i = 0; i < 8; i++)
    copy.bytes[i] = word.bytes[7 - i];
  for (int i = 0; i < 8; i++)
    word.bytes[i] = copy.bytes[7 - i];
  word.pointer->values[2] = 7;
  ((struct node *)(word.bits ^ 0))->values[0] += 1;
  result += tree->values[0] + tree->values[2];

  int **indirect = fromPool(4 * sizeof *indirect);
  double *numbers = fromPool(4 * sizeof *numbers);
  for (int i = 0; i < 4; i++) {
    indirect[i] = i & 1 ? &x : &y;
    numbers[i] = i;
  }
  for (int i = 0; i < 4; i++) {
    *indirect[i] += i;
    result += numbers[i];
  }

  struct by_value list = {{0}, 0};
  list = collect(collect(list, tree), tree->left);
  list.nodes[1]->key = 100;
  struct by_value *heap = allocate(sizeof *heap);
  memcpy(heap, &list, sizeof list);
  result += heap->nodes[1]->key + tree->left->key;

  char *text = strdup("12 34 rest"), *end;
  long first = strtol(text, &end, 10);
  end[1] = '9';
  result += (double)first + strtol(end, NULL, 10) + x + y;

  if (!setjmp(place)) {
    x = 50;
    longjmp(place, 1);
  }
  result += x;
  uintptr_t tagged = (uintptr_t)tree | 1;
  ((struct node *)(tagged & ~(uintptr_t)1))->key = 5;
  result += tree->key;
  printf("%g\n", result);
  return 0;
}
