// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: streams of a run whose files are checked behave as C's do: what is read, where they stand, their descriptors. Files
// that were written before anything was skipped are read again.
#include "../ring.h"
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static double values[N];

static void check(int good, int line) {
  if (!good) {
    printf("line %d\n", line);
    MPI_Abort(MPI_COMM_WORLD, 5);
  }
}
#define CHECK(condition) check(condition, __LINE__)

static void readAll(const char *name) {
  char line[40], rest[40];
  int number = 0;
  FILE *in = fopen(name, "r");
  CHECK(in != NULL && fopen("not there", "r") == NULL);
  CHECK(fgets(line, sizeof line, in) == line && strcmp(line, "first 1\n") == 0);
  CHECK(ftell(in) == 8);
  CHECK(getc(in) == 's' && ungetc('s', in) == 's');
  CHECK(fscanf(in, "%39s %d", rest, &number) == 2 && strcmp(rest, "second") == 0 && number == 2);
  CHECK(fileno(in) > 2 && isatty(fileno(in)) == 0);
  rewind(in);
  CHECK(fread(line, 1, 5, in) == 5 && memcmp(line, "first", 5) == 0);
  CHECK(fseek(in, 0, SEEK_END) == 0 && ftell(in) == 17 && getc(in) == EOF && feof(in));
  clearerr(in);
  CHECK(fseek(in, 6, SEEK_SET) == 0 && getc(in) == '1' && !ferror(in));
  CHECK(fclose(in) == 0);
  int descriptor = open(name, O_RDONLY);
  CHECK(descriptor > 2 && read(descriptor, line, 5) == 5 && memcmp(line, "first", 5) == 0);
  CHECK(pread(descriptor, line, 6, 8) == 6 && memcmp(line, "second", 6) == 0);
  CHECK(close(descriptor) == 0);
}

int main(int argc, char **argv) {
  int rank = startRank(&argc, &argv);
  char inName[40], outName[40];
  snprintf(inName, sizeof inName, "in.%d", rank);
  snprintf(outName, sizeof outName, "out.%d", rank);
  FILE *file = fopen(inName, "w");
  CHECK(fprintf(file, "first 1\nsecond 2\n") == 17 && fclose(file) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  FILE *out = fopen(outName, "a");
  for (int step = 0; step < STEPS; ++step) {
    double sum = 0;
    // EXPECT-SKIP
    for (int i = 0; i < N; ++i) {
      values[i] = sqrt(values[i] + noise(i, step, rank));
      sum += values[i];
    }
    fprintf(out, "%g\n", sum);
    char again[40];
    snprintf(again, sizeof again, "in.%d", rank);
    readAll(again);
    // Whether a file is there is no question of what it holds.
    snprintf(again, sizeof again, "out.%d", rank);
    FILE *there = fopen(again, "r");
    CHECK(there != NULL && fclose(there) == 0 && access(again, R_OK) == 0);
    sendAround(step);
  }
  fclose(out);
  MPI_Finalize();
}
