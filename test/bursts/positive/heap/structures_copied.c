// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: structures of real numbers are copied into sites of a lattice, at a place that is a number. They are no counts,
// which say how much is sent and lie in the sites, too.
#include "../../ring.h"
#include <stddef.h>
#include <stdlib.h>

typedef struct {
  double real, imaginary;
} Complex;

typedef struct {
  Complex element[3][3];
} Matrix;

typedef struct {
  long count;
  int parity;
  Matrix link[4], momentum[4];
} Site;

static Site *lattice;

static Matrix *linkAt(int site, size_t offset) { return (Matrix *)((char *)(lattice + site) + offset); }

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), sites = N / 4 - argc;
  const size_t places[2] = {offsetof(Site, link), offsetof(Site, momentum)};
  lattice = calloc(sites, sizeof(Site));
  for (int site = 0; site < sites; ++site)
    lattice[site].count = site % 50;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int site = 0; site < sites; ++site) {
      Matrix made;
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          made.element[row][column] = (Complex){noise(site * 9 + row * 3 + column, step, rank), row - column};
      *linkAt(site, places[(step + argc) % 2]) = made;
    }
    sendAround((int)lattice[step].count);
  }
  MPI_Finalize();
}
