/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * SMPI's macros: prints for each form how many bodies ran, what the loop's variable was afterwards,
 * and the simulated seconds that it took. */
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static void tell(const char *what, int bodies, int last, double begin) {
  printf("rank %d %s: %d bodies, variable %d, %.6f s\n", rank, what, bodies, last,
         MPI_Wtime() - begin);
}

static void loops(void) {
  int i, bodies = 0;
  double begin = MPI_Wtime();
  SMPI_SAMPLE_LOCAL(i = 0, i < 100, i++, 4, 0.01) { ++bodies; }
  tell("local", bodies, i, begin);

  bodies = 0;
  SMPI_SAMPLE_LOCAL(i = 0, i < 100, i++, 200, 0.01) {
    if (i == 10)
      continue;
    if (i == 20)
      break;
    ++bodies;
  }
  tell("break", bodies, i, begin);

  bodies = 0;
  int last = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  SMPI_SAMPLE_GLOBAL(int j = 0, j < 100, ++j, 8, 0.01) {
    ++bodies;
    last = j;
  }
  int all = 0;
  MPI_Allreduce(&bodies, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("global: %d bodies, %s\n", all, last < 100 ? "in range" : "beyond");
}

static void costs(void) {
  int bodies = 0;
  double begin = MPI_Wtime();
  for (int i = 0; i < 3; ++i)
    SMPI_SAMPLE_FLOPS(1e9 * (i + 1)) { ++bodies; }
  tell("flops", bodies, 0, begin);
  begin = MPI_Wtime();
  SMPI_SAMPLE_DELAY(0.5) { ++bodies; }
  tell("delay", bodies, 0, begin);
  begin = MPI_Wtime();
  smpi_execute_flops(2e9);
  smpi_execute(0.25);
  tell("execute", bodies, 0, begin);
}

SMPI_VARINIT_GLOBAL_AND_SET(counter, int, 7);

static void memory(void) {
  double *data = (double *)SMPI_SHARED_MALLOC(100 * sizeof(double));
  data[0] = rank;
  MPI_Barrier(MPI_COMM_WORLD);
  SMPI_VARGET_GLOBAL(counter) += rank;
  printf("rank %d memory: %s, counter %d\n", rank, data[0] == rank ? "own" : "shared", counter);
  MPI_Barrier(MPI_COMM_WORLD);
  SMPI_SHARED_FREE(data);
  smpi_shared_free(malloc(10));
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  loops();
  costs();
  memory();
  MPI_Finalize();
  return 0;
}
