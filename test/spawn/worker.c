// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The other program of spawner.c: its globals and its main have the same names, and are its own.
#include <mpi.h>
#include <string.h>
#include <unistd.h>

static int changed = 3;
static int *pointer = &changed;

int main(int argc, char **argv) {
  int rank, token, number, *app, found, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm parent;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &found);
  MPI_Get_processor_name(host, &length);
  MPI_Bcast(&token, 1, MPI_INT, 0, parent);
  *pointer += token;
  number = 100 * *app + rank + 1000 * !strcmp(host, "node-3") + 10 * argc;
  if (changed != 8)
    number = -1;
  changed = 0;
  MPI_Gather(&number, 1, MPI_INT, NULL, 0, MPI_INT, 0, parent);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}
