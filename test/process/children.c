// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intent: fork and exec of a rank fail with a message when there are several ranks; system and
// popen work.
#include "Check.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (worldSize() > 1) {
    errno = 0;
    CHECK(fork() == -1 && errno == ENOSYS);
    CHECK(execl("/bin/true", "true", (char *)NULL) == -1 && errno == ENOSYS);
  }
  char text[64] = "";
  FILE *child = popen("echo from a child", "r");
  CHECK(child && fgets(text, sizeof text, child) && pclose(child) == 0);
  CHECK(strcmp(text, "from a child\n") == 0);
  if (worldRank() == 0) {
    printf("before\n");
    CHECK(system("echo inside") == 0);
    printf("after\n");
  }
  passed("children");
  MPI_Finalize();
  return 0;
}
