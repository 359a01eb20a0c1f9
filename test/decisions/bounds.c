/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How far loops go is computed once, into memory, and decides about messages. With that given, the computation of it is
 * skipped, and what the program finds in the memory is not what was there: neither by a formula, nor, where it would need
 * more than four numbers, by what the program itself tells of an instance's work.
 */
#include <mpi.h>

enum { Most = 2000, Wide = 16, Parts = 3, Steps = 400 };
struct range {
  int begin, size, end;
};
static struct range rows[Parts], columns[Parts];
static double u[Most][Wide], weights[Most];

static void share(void) {
  for (int part = 0; part < Parts; ++part) {
    double sum = 0;
    for (int i = 0; i < 500 * Most; ++i)
      sum += weights[i % Most] / 500;
    const int size = (int)(sum / 0.75 / (part + 1));
    rows[part] = (struct range){1 + part, size, size / 100};
    columns[part] = (struct range){part, size / (Most / Wide), 1};
  }
}

__attribute__((noinline)) static void smooth(int part) {
  const struct range row = rows[part], column = columns[part];
  for (int i = row.begin; i < row.size - row.end; ++i)
    for (int j = column.begin; j < column.size - column.end; ++j)
      u[i][j] = 0.5 * (u[i][j] + u[i - 1][j]) + weights[i];
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < Most; ++i)
    weights[i] = 0.5 + (i % 2) * 0.5;
  share();
  for (int step = 0; step < Steps; ++step)
    for (int part = 0; part < Parts; ++part) {
      smooth(part);
      MPI_Sendrecv_replace(u, rows[part].size / 4, MPI_DOUBLE, (rank + 1) % ranks, 0,
                           (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  MPI_Finalize();
}
