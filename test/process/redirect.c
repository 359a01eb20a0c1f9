// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: a rank that reopens stdout, closes it, or puts a file over descriptor 1 changes it for
// itself alone.
#include "Check.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void expectFile(const char *name, const char *text) {
  char buffer[256] = "";
  FILE *file = fopen(name, "r");
  CHECK(file);
  size_t bytes = fread(buffer, 1, sizeof buffer - 1, file);
  fclose(file);
  CHECK(bytes == strlen(text) && strcmp(buffer, text) == 0);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = worldRank();
  if (rank == 0)
    CHECK(freopen("reopened", "w", stdout) != NULL);
  int saved = -1;
  if (rank == 1) {
    saved = dup(1);
    int file = open("duplicated", O_CREAT | O_TRUNC | O_WRONLY, 0666);
    CHECK(dup2(file, 1) == 1);
    close(file);
  }
  if (rank == 2)
    fclose(stdout);
  others();
  printf("hello from %d\n", rank);
  fflush(stdout);
  others();
  if (rank == 0)
    expectFile("reopened", "hello from 0\n");
  if (rank == 1) {
    expectFile("duplicated", "hello from 1\n");
    CHECK(dup2(saved, 1) == 1);
    printf("and back\n");
  }
  char byte;
  CHECK(rank == 0 || (getchar() == EOF && read(0, &byte, 1) == 0));
  setvbuf(stdout, NULL, _IONBF, 0);
  others();
  MPI_Finalize();
  return 0;
}
