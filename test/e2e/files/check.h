/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the C programs of this folder share: who this is, checks that name the line that fails,
 * how long something took, and the whole content of a file, as C's own library reads it. */
#pragma once

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static inline void start(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static inline void check(int good, const char *what, int line) {
  if (!good) {
    printf("rank %d: %s (line %d)\n", rank, what, line);
    MPI_Abort(MPI_COMM_WORLD, 9);
  }
}
#define CHECK(x) check((x), #x, __LINE__)
#define OK(call) check((call) == MPI_SUCCESS, #call, __LINE__)

static inline int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}
#define CHECK_CLASS(call, expected)                                                                \
  check(class_of(call) == (expected), #call " is " #expected, __LINE__)

/* A line of each rank, in their order. */
static inline void report(const char *what, double seconds) {
  for (int r = 0; r < size; ++r) {
    if (r == rank) {
      printf("%s %d %.6f\n", what, rank, seconds);
      fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

static inline int count_of(MPI_Status *status, MPI_Datatype type) {
  int count;
  MPI_Get_count(status, type, &count);
  return count;
}

/* A new empty file on all ranks. */
static inline MPI_File new_file(const char *name) {
  MPI_File file;
  OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file));
  OK(MPI_File_set_size(file, 0));
  return file;
}

/* The bytes of a real file; -1 when there is none. */
static inline long content(const char *name, void *bytes, size_t most) {
  FILE *file = fopen(name, "rb");
  if (!file)
    return -1;
  size_t got = fread(bytes, 1, most, file);
  fclose(file);
  return (long)got;
}
