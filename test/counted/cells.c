// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep over cells: loops of a few instructions each, on ways that depend on where the cell lies, as in a transport code. The
// first cell of a row receives what the row before has left. How often it goes over all rests on nothing that is computed.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { Most = 16, Cells = 12, Rows = 12, Sweeps = 40 };

static int angles;
static double in[Most], out[Most], psi[Most], centre[Most], flux[Cells][Rows], source[Cells][Rows];

static void cell(int i, int j, double *edge) {
  for (int a = 0; a < angles; a++)
    psi[a] = source[i][j] + edge[a] * 0.25;
  if (j == 0)
    for (int a = 0; a < angles; a++)
      in[a] = 0;
  else if (j == Rows - 1)
    for (int a = 0; a < angles; a++)
      in[a] = out[a] + edge[a];
  for (int a = 0; a < angles; a++)
    centre[a] = (psi[a] + in[a]) / (2 + a);
  if (i % 3 == 0)
    for (int a = 0; a < angles; a++)
      out[a] = 2 * centre[a] - in[a];
  double sum = 0;
  for (int a = 0; a < angles; a++)
    sum += centre[a];
  flux[i][j] += sum;
}

static void sweep(int from, int to, double *edge) {
  for (int j = 0; j < Rows; j++)
    for (int i = 0; i < Cells; i++) {
      if (i == 0 && from >= 0)
        MPI_Recv(edge, angles, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      cell(i, j, edge);
      if (i == Cells - 1 && to >= 0)
        MPI_Send(out, angles, MPI_DOUBLE, to, 1, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
  int rank, size;
  angles = argc > 1 ? atoi(argv[1]) : 8;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *edge = calloc(Most, sizeof *edge);
  for (int i = 0; i < Cells; i++)
    for (int j = 0; j < Rows; j++)
      source[i][j] = 1.0 / (1 + i + j + rank);
  for (int s = 0; s < Sweeps; s++)
    sweep(rank - 1, rank + 1 < size ? rank + 1 : -1, edge);
  double total = 0;
  for (int i = 0; i < Cells; i++)
    for (int j = 0; j < Rows; j++)
      total += flux[i][j];
  double all = 0;
  MPI_Reduce(&total, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("flux %g\n", all);
  free(edge);
  return MPI_Finalize();
}
