/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Options that a loop reads from the arguments say how many numbers are sent, how often, and who reports; then come rounds
 * until the sum of what each rank computes is small.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000 };
static double u[N], in[N];

struct Options {
  int count, every, reporter, quiet;
};

static void parse(int argc, char **argv, struct Options *options) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "-q") == 0)
      options->quiet = 1;
    else if (strcmp(argv[i], "-c") == 0 && i + 1 < argc)
      options->count = atoi(argv[++i]);
    else if (strcmp(argv[i], "-e") == 0 && i + 1 < argc)
      options->every = atoi(argv[++i]);
    else if (strcmp(argv[i], "-r") == 0 && i + 1 < argc)
      options->reporter = atoi(argv[++i]);
  }
}

int main(int argc, char **argv) {
  struct Options options = {10, 1, 0, 0};
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  parse(argc, argv, &options);
  for (int i = 0; i < N; ++i)
    u[i] = (double)((i * 37 + rank * 11) % 100) / 100;
  double sum = 1;
  for (int round = 0; sum > 0.01; ++round) {
    double mine = 0;
    for (int i = 0; i < N; ++i) {
      u[i] *= 0.9;
      mine += u[i] / N;
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (round % options.every == 0)
      MPI_Sendrecv(u, options.count, MPI_DOUBLE, (rank + 1) % ranks, 0, in, N, MPI_DOUBLE,
                   (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank == options.reporter && !options.quiet)
    MPI_Sendrecv(u, 1, MPI_DOUBLE, rank, 1, in, 1, MPI_DOUBLE, rank, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  MPI_Finalize();
}
