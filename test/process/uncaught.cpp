// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: an exception that nobody catches ends the run with 134 and names rank, type and text.
#include "Check.h"
#include <stdexcept>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (worldRank() == 1)
    throw std::runtime_error("nobody catches this");
  others();
  MPI_Finalize();
  return 0;
}
