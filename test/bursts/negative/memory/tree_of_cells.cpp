// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a tree is refined where a field is large, as in adaptive mesh refinement; its leaves are
// counted.
#include "../../ring.h"
#include <memory>

struct Cell {
  double value = 0;
  std::unique_ptr<Cell> halves[2];
};

static void refine(Cell &cell, int number, int depth, int step) {
  cell.value = noise(number, step, 0);
  if (depth == 0 || cell.value < 0.3)
    return;
  for (int side = 0; side < 2; ++side) {
    cell.halves[side] = std::make_unique<Cell>();
    refine(*cell.halves[side], 2 * number + side, depth - 1, step);
  }
}

static int leaves(const Cell &cell) {
  return cell.halves[0] ? leaves(*cell.halves[0]) + leaves(*cell.halves[1]) : 1;
}

int main(int argc, char **argv) {
  startRank(&argc, &argv);
  for (int step = 0; step < STEPS; ++step) {
    Cell root;
    refine(root, 1, 9, step);
    sendAround(leaves(root));
  }
  MPI_Finalize();
}
