// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: see late_library.cpp.
#include "Check.h"
#include <dlfcn.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    fprintf(stderr, "%s\n", dlerror());
  CHECK(library);
  int (*add)(int) = (int (*)(int))dlsym(library, "addToCounter");
  CHECK(add);
  others();
  CHECK(add(rank) == (41 + rank) * 1000 + 5 + rank);
  others();
  CHECK(add(0) == (41 + rank) * 1000 + 5 + rank);
  passed("late");
  MPI_Finalize();
  return 0;
}
