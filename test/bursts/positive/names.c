// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: text lies in one object with addresses, with functions and with what is computed; nothing
// but the text is asked for.
#include "../ring.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct potential {
  char name[8];
  double cutoff, energy;
  double *table;
  double (*evaluate)(double);
};

static double square(double x) { return x * x; }
static double root(double x) { return sqrt(fabs(x)); }

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  struct potential *potential = malloc(sizeof *potential);
  potential->table = calloc(N, sizeof(double));
  potential->evaluate = argc > 1 ? square : root;
  potential->energy = potential->cutoff = 0;
  strcpy(potential->name, argc > 1 ? "square" : "root");
  for (int step = 0; step < STEPS * 3; ++step) {
    // EXPECT-SKIP: not frail
    for (int i = 0; i < N; ++i) {
      potential->table[i] = 0.5 * potential->table[i] + sqrt(noise(i, step, rank));
      potential->energy += potential->table[i];
    }
    potential->cutoff = potential->evaluate(potential->energy);
    char line[64];
    snprintf(line, sizeof line, "%s %g", potential->name, potential->cutoff);
    if (strlen(potential->name) > 3)
      sendAround(1 + step);
  }
  printf("%s %g\n", potential->name, potential->energy);
  free(potential->table);
  free(potential);
  MPI_Finalize();
}
