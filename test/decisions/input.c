/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Rounds until the sum of what each rank computes is small. How fast it shrinks stands in a file, which the first
 * argument says how to read: the ways in which a program gets at a file.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { N = 2000 };
static double u[N];
static int rank;

static double from_stream(FILE *file) {
  double factor = 0;
  if (!file || fscanf(file, "%lf", &factor) != 1)
    MPI_Abort(MPI_COMM_WORLD, 9);
  fclose(file);
  return factor;
}

static double from_descriptor(int descriptor) {
  char text[64] = "";
  if (read(descriptor, text, sizeof text - 1) <= 0)
    MPI_Abort(MPI_COMM_WORLD, 9);
  close(descriptor);
  return atof(text);
}

static double from_map(int descriptor) {
  const char *text = mmap(NULL, 64, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (text == MAP_FAILED)
    MPI_Abort(MPI_COMM_WORLD, 9);
  return atof(text);
}

static double from_mpi(const char *name, int mode) {
  char text[64] = "";
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file);
  MPI_File_read_at_all(file, 0, text, sizeof text - 1, MPI_CHAR, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  return atof(text);
}

/* A file that the run makes, and reads. */
static double from_own(void) {
  char name[32];
  snprintf(name, sizeof name, "own.%d", rank);
  FILE *file = fopen(name, "w");
  fprintf(file, "0.9\n");
  fclose(file);
  return from_stream(fopen(name, "r"));
}

static double from_all_ranks(void) {
  char name[32];
  snprintf(name, sizeof name, "in.%04d", rank);
  return from_stream(fopen(name, "r"));
}

static double factor_by(const char *way) {
  if (strcmp(way, "fopen") == 0)
    return from_stream(fopen("in.dat", "r"));
  if (strcmp(way, "update") == 0)
    return from_stream(fopen("in.dat", "r+"));
  if (strcmp(way, "freopen") == 0)
    return from_stream(freopen("in.dat", "r", stdin));
  if (strcmp(way, "fdopen") == 0)
    return from_stream(fdopen(open("in.dat", O_RDONLY), "r"));
  if (strcmp(way, "open") == 0)
    return from_descriptor(open("in.dat", O_RDONLY));
  if (strcmp(way, "both") == 0)
    return from_descriptor(open("in.dat", O_RDWR));
  if (strcmp(way, "openat") == 0)
    return from_descriptor(openat(open("sub", O_DIRECTORY), "in.dat", O_RDONLY));
  if (strcmp(way, "map") == 0)
    return from_map(open("in.dat", O_RDWR));
  if (strcmp(way, "chdir") == 0)
    return chdir("sub") == 0 ? from_stream(fopen("in.dat", "r")) : 0;
  if (strcmp(way, "mpi") == 0)
    return from_mpi("in.dat", MPI_MODE_RDONLY);
  if (strcmp(way, "mpi-both") == 0)
    return from_mpi("in.dat", MPI_MODE_RDWR);
  if (strcmp(way, "own") == 0)
    return from_own();
  if (strcmp(way, "ranks") == 0)
    return from_all_ranks();
  if (strcmp(way, "proc") == 0)
    return from_stream(fopen("/proc/sys/kernel/pid_max", "r")) > 0 ? 0.9 : 0;
  if (strcmp(way, "none") == 0)
    return 0.9;
  double factor = 0; /* rank 0 reads its standard input */
  if (rank == 0)
    factor = strcmp(way, "read") == 0 ? from_descriptor(0) : from_stream(stdin);
  MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  return factor;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double factor = factor_by(argc > 1 ? argv[1] : "none"), sum = 1;
  close(open("in.dat", O_PATH));                       /* that it is there is no contents of it */
  FILE *extra = argc > 2 ? fopen(argv[2], "r") : NULL; /* where it is there */
  if (extra)
    fclose(extra);
  for (int i = 0; i < N; ++i)
    u[i] = 1;
  while (sum > 0.02) {
    double mine = 0;
    for (int i = 0; i < N; ++i) {
      u[i] *= factor;
      mine += u[i] / N;
    }
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
