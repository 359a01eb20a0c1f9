// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a dense LU factorisation on a 2-D block-cyclic grid (pivot search down a column of ranks,
// row swaps, panel broadcast along rows, update; as HPL does) solves a system whose solution is
// known.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { nb = 2 }; // rows and columns of a block

static int rows, cols, myRow, myCol, n, localRows, localCols;
static MPI_Comm rowComm, colComm;
static double *a; // localRows x localCols; column n is the right-hand side

static int isLocal(int global, int me, int count) { return global / nb % count == me; }
static int toLocal(int global, int count) { return global / nb / count * nb + global % nb; }
static int toGlobal(int local, int me, int count) {
  return (local / nb * count + me) * nb + local % nb;
}
static int owner(int global, int count) { return global / nb % count; }
// First local index whose global index is at least `global`.
static int firstLocal(int global, int me, int count, int locals) {
  int local = 0;
  while (local < locals && toGlobal(local, me, count) < global)
    ++local;
  return local;
}

// Looks random, depends on (i, j) only.
static double entry(int i, int j) {
  unsigned mixed = (unsigned)(i * 65537 + j) * 2654435761u;
  mixed = (mixed ^ mixed >> 15) * 2246822519u;
  mixed = (mixed ^ mixed >> 13) * 3266489917u;
  return (mixed >> 8) / 16777216.0 - 0.5;
}
static double solution(int i) { return 1 + i % 3; }

static void fill(void) {
  for (int r = 0; r < localRows; ++r)
    for (int c = 0; c < localCols; ++c) {
      const int i = toGlobal(r, myRow, rows), j = toGlobal(c, myCol, cols);
      double value = i < n && j < n ? entry(i, j) : 0;
      for (int k = 0; i < n && j == n && k < n; ++k)
        value += entry(i, k) * solution(k);
      a[r * localCols + c] = value;
    }
}

static int findPivot(int k) {
  struct {
    double value;
    int row;
  } mine = {-1, -1}, best;
  if (isLocal(k, myCol, cols)) {
    const int c = toLocal(k, cols);
    for (int r = firstLocal(k, myRow, rows, localRows); r < localRows; ++r)
      if (toGlobal(r, myRow, rows) < n && fabs(a[r * localCols + c]) > mine.value) {
        mine.value = fabs(a[r * localCols + c]);
        mine.row = toGlobal(r, myRow, rows);
      }
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, colComm);
  }
  MPI_Bcast(&best.row, 1, MPI_INT, owner(k, cols), rowComm);
  return best.row;
}

static void swapRows(int k, int pivot) {
  const int here = owner(k, rows), there = owner(pivot, rows);
  if (k == pivot || (myRow != here && myRow != there))
    return;
  double *mine = a + toLocal(myRow == here ? k : pivot, rows) * localCols;
  if (here != there) {
    MPI_Sendrecv_replace(mine, localCols, MPI_DOUBLE, myRow == here ? there : here, 3,
                         myRow == here ? there : here, 3, colComm, MPI_STATUS_IGNORE);
    return;
  }
  double *other = a + toLocal(pivot, rows) * localCols;
  for (int c = 0; c < localCols; ++c) {
    const double kept = mine[c];
    mine[c] = other[c];
    other[c] = kept;
  }
}

static void eliminate(int k, double *pivotRow, double *factors) {
  if (isLocal(k, myRow, rows))
    for (int c = 0; c < localCols; ++c)
      pivotRow[c] = a[toLocal(k, rows) * localCols + c];
  MPI_Bcast(pivotRow, localCols, MPI_DOUBLE, owner(k, rows), colComm);
  const int first = firstLocal(k + 1, myRow, rows, localRows);
  if (isLocal(k, myCol, cols))
    for (int r = first; r < localRows; ++r)
      factors[r] = a[r * localCols + toLocal(k, cols)] / pivotRow[toLocal(k, cols)];
  MPI_Bcast(factors + first, localRows - first, MPI_DOUBLE, owner(k, cols), rowComm);
  for (int r = first; r < localRows; ++r)
    for (int c = firstLocal(k, myCol, cols, localCols); c < localCols; ++c)
      a[r * localCols + c] -= factors[r] * pivotRow[c];
}

// Back substitution, one unknown at a time: the owner of the diagonal divides and tells everyone.
static double solve(void) {
  double worst = 0;
  double *sums = calloc((size_t)localRows, sizeof *sums);
  for (int i = n - 1; i >= 0; --i) {
    double mine = 0, x = 0;
    if (isLocal(i, myRow, rows)) {
      const int r = toLocal(i, rows);
      mine = (isLocal(n, myCol, cols) ? a[r * localCols + toLocal(n, cols)] : 0) - sums[r];
      MPI_Allreduce(&mine, &x, 1, MPI_DOUBLE, MPI_SUM, rowComm);
      if (isLocal(i, myCol, cols))
        x /= a[r * localCols + toLocal(i, cols)];
      MPI_Bcast(&x, 1, MPI_DOUBLE, owner(i, cols), rowComm);
    }
    MPI_Bcast(&x, 1, MPI_DOUBLE, owner(i, rows), colComm);
    if (isLocal(i, myCol, cols))
      for (int r = 0; r < localRows; ++r)
        sums[r] += a[r * localCols + toLocal(i, cols)] * x;
    worst = fmax(worst, fabs(x - solution(i)));
  }
  free(sums);
  return worst;
}

int main(int argc, char **argv) {
  int size, rank, dims[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Dims_create(size, 2, dims);
  rows = dims[0];
  cols = dims[1];
  myRow = rank / cols;
  myCol = rank % cols;
  MPI_Comm_split(MPI_COMM_WORLD, myRow, myCol, &rowComm);
  MPI_Comm_split(MPI_COMM_WORLD, myCol, myRow, &colComm);
  n = argc > 1 ? atoi(argv[1]) : 24;
  localRows = (n / nb / rows + 2) * nb;
  localCols = (n / nb / cols + 2) * nb;
  a = malloc(sizeof *a * (size_t)(localRows * localCols));
  double *pivotRow = malloc(sizeof *a * (size_t)localCols),
         *factors = malloc(sizeof *a * (size_t)localRows);
  fill();
  for (int k = 0; k < n; ++k) {
    swapRows(k, findPivot(k));
    eliminate(k, pivotRow, factors);
  }
  double mine = solve(), worst;
  MPI_Reduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("linear solve, n %d on %dx%d: error %.1e %s\n", n, rows, cols, worst,
           worst < 1e-8 ? "PASSED" : "FAILED");
  MPI_Finalize();
  return 0;
}
