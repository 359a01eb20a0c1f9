// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: structures of real numbers are copied into sites of a lattice, at a place that is a number. They are no counts,
// which say how much is sent and lie in the sites, too.
#include "../../ring.h"
#include <stddef.h>
#include <stdlib.h>

typedef struct {
  double xx, xy, xz, yy, yz, zz;
} Tensor;

typedef struct {
  long count;
  int parity;
  Tensor strain[4], stress[4];
} Site;

static Site *lattice;

static Tensor *tensorAt(int site, size_t offset) {
  return (Tensor *)((char *)(lattice + site) + offset);
}

__attribute__((noinline)) static void makeSymmetric(Tensor *tensor) {
  tensor->xy = tensor->xz = tensor->yz = 0.5 * (tensor->xx + tensor->zz);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv), sites = N / 4 - argc;
  const size_t places[2] = {offsetof(Site, strain), offsetof(Site, stress)};
  lattice = calloc(sites, sizeof(Site));
  for (int site = 0; site < sites; ++site)
    lattice[site].count = site % 50;
  for (int step = 0; step < STEPS; ++step) {
    // EXPECT-SKIP
    for (int site = 0; site < sites; ++site) {
      Tensor made = {noise(site, step, rank), 1, 2, 3, 4, noise(step, site, rank)};
      makeSymmetric(&made);
      *tensorAt(site, places[(step + argc) % 2]) = made;
    }
    sendAround((int)lattice[step].count);
  }
  MPI_Finalize();
}
