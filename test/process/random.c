// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: rand, random, drand48 and strtok of interleaved ranks give what a serial program gets.
#include "Check.h"
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  unsigned seed = 100 + (unsigned)worldRank();
  // What the reentrant functions give for this rank's seed.
  struct random_data data;
  struct drand48_data data48;
  char table[128];
  memset(&data, 0, sizeof data);
  initstate_r(seed, table, sizeof table, &data);
  srand48_r(seed, &data48);

  int first = rand();
  srand(seed);
  srand48(seed);
  char text[] = "a b c d e", *word = strtok(text, " ");
  for (int i = 0; i < 5; ++i) {
    int expected;
    double expected48;
    random_r(&data, &expected);
    drand48_r(&data48, &expected48);
    CHECK((i % 2 ? rand() : random()) == expected);
    CHECK(drand48() == expected48);
    CHECK(word && word[0] == 'a' + i);
    others();
    word = strtok(NULL, " ");
  }
  CHECK(!word);
  CHECK(first == 1804289383); // the C library's first number without a seed
  passed("random");
  MPI_Finalize();
  return 0;
}
