// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a program that has taken all memory there is, and looks at that, prints a line: the simulator, which writes it,
// says that it has no memory left, and by which limit.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static void *volatile last;
  MPI_Init(&argc, &argv);
  for (size_t bytes = (size_t)100 << 20; bytes >= 8; bytes /= 2)
    do
      last = malloc(bytes);
    while (last);
  for (int line = 0; line < 100000; ++line)
    printf("there is no memory, line %d\n", line);
  return MPI_Finalize();
}
